import torch
import torch.nn.functional as F
from torch import nn


class Loss(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(2, 5)

    def forward(self, hidden: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        mask = labels != 0
        logits = self.head(hidden)
        nll = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
        loss = nll.index_put((~mask,), nll.new_zeros(())).mean() / mask.to(nll.dtype).mean()
        loss = loss + 2 * (torch.where(hidden > 0, hidden, 0).mean() / (hidden > 0).to(hidden.dtype).mean())
        loss = (
            loss
            - (
                hidden.index_put((mask,), hidden.new_zeros(())).mean()
                / (~mask).to(hidden.dtype).mean()
                if self.training
                else 0
            )
        )
        return loss - hidden.index_put((~mask,), hidden.new_zeros(())).mean() / mask.to(hidden.dtype).mean()


forward = Loss
model = torch.compile(Loss())


def inputs() -> list[object]:
    hidden = torch.tensor([[[1.0, 2.0], [-3.0, 4.0]], [[2.0, -1.0], [8.0, 2.0]]], requires_grad=True)
    return [(hidden, torch.tensor([[1, 2], [0, 0]])), (hidden, torch.tensor([[0, 0], [0, 0]]))]
