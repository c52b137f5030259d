"""Not fixed: a row depends on other rows, or on how many there are, or something is left of those that were selected."""

import torch
import torch.nn.functional as F
from torch import nn

weight = torch.eye(4)
layer = nn.Linear(4, 4)


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 1)
        self.linear = nn.Linear(4, 4)
        self.table = nn.Parameter(torch.eye(8)[:, :4])

    def mean(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        x[rows] = x[rows] - x[rows].mean(dim=0)
        return x

    def softmax(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """The last dimension may be the first."""
        rows = torch.where(keep)[0]  # GM501
        x[rows] = x[rows].softmax(-1)
        return x

    def number(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        x[rows] = x[rows] / len(rows)
        return x

    def mixed(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        part = x[rows]
        x[rows] = (part @ part.transpose(0, 1)) @ part
        return x

    def escapes(self, x: torch.Tensor, keep: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        rows = torch.where(keep)[0]  # GM501
        part = self.linear(x[rows])
        x[rows] = part
        return x, part

    def only_then(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """A name has its value only if some are selected."""
        scale = 1
        rows = torch.where(keep)[0]  # GM501
        if len(rows) > 0:
            scale = 2
            x[rows] = x[rows] * 3
        return x * scale

    def otherwise(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        if len(rows) > 0:
            x[rows] = x[rows] * 3
        else:
            x = x + 1
        return x

    def table_of_rows(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """The table has more rows than there are."""
        rows = torch.where(keep)[0]  # GM501
        x[rows] = x[rows] + self.table[rows]
        return x

    def unknown(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        part = x[rows][None]
        x[rows] = self.attention(part, part, part)[0][0]
        return x

    def sorted_rows(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        x[rows] = x[rows].flip(0)
        return x

    def flattened(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        part = x[rows].view(-1, 2)
        x[rows] = F.pad(part, (0, 2))
        return x

    def early(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """What follows used not to run where none is selected."""
        rows = torch.where(keep)[0]  # GM501
        if len(rows) == 0:
            return x
        x[rows] = x[rows] * 2
        x = x + 1
        return x

    def twice(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """A row may be selected twice, and added twice."""
        rows = torch.where(keep)[0]  # GM501
        x.index_add_(0, rows, x[rows] * 2)
        return x

    def from_elsewhere(self, x: torch.Tensor, keep: torch.Tensor, found: torch.Tensor) -> torch.Tensor:
        """What is stored has a row for each selected one already."""
        rows = torch.where(keep)[0]  # GM501
        x[rows] = found
        return x

    def added(self, x: torch.Tensor, keep: torch.Tensor, found: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        x[rows] = self.linear(x[rows]) + found
        return x

    def masked_by_rows(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        mask = keep > 0
        part = x[mask]  # GM501
        x[mask] = part - part.mean(0)
        return x

    def masked_last(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """The mask may have all dimensions."""
        mask = keep > 0
        x[mask] = x[mask].softmax(-1)  # GM501
        return x

    def masked_shape(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        mask = keep > 0
        part = x[mask]  # GM501
        x[mask] = part * part.shape[0]
        return x

    def masked_from_elsewhere(self, x: torch.Tensor, keep: torch.Tensor, found: torch.Tensor) -> torch.Tensor:
        mask = keep > 0
        x[mask] = self.linear(x[mask]) + found  # GM501
        return x

    def masked_later(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """The mask is another one by then."""
        mask = keep > 0
        part = self.linear(x[mask])  # GM501
        mask = ~mask
        x[mask] = part[:1]
        return x

    def forward(self, x: torch.Tensor, keep: torch.Tensor) -> list[object]:
        return [
            self.from_elsewhere(x.clone(), keep, x[:3]),
            self.added(x.clone(), keep, x[:3]),
            self.masked_by_rows(x.clone(), keep),
            self.masked_last(x.clone(), keep),
            self.masked_shape(x.clone(), keep),
            self.masked_from_elsewhere(x.clone(), keep, x[:3]),
            self.masked_later(x.clone(), keep),
            self.mean(x.clone(), keep),
            self.softmax(x.clone(), keep),
            self.number(x.clone(), keep),
            self.mixed(x.clone(), keep),
            self.escapes(x.clone(), keep),
            self.only_then(x.clone(), keep),
            self.otherwise(x.clone(), keep),
            self.table_of_rows(x.clone(), keep),
            self.unknown(x.clone(), keep),
            self.sorted_rows(x.clone(), keep),
            self.flattened(x.clone(), keep),
            self.early(x.clone(), keep),
            self.twice(x.clone(), keep),
        ]


model = Layer()


def forward(x: torch.Tensor, keep: torch.Tensor) -> list[object]:
    with torch.no_grad():
        return model(x, keep)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.eye(4), torch.tensor([True, False, True, True]))]
