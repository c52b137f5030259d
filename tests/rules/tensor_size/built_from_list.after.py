# all rules
import torch
from torch import nn


class Encoder(nn.Module):
    @staticmethod
    def points(shapes, ratios):
        found = []
        for level, (height, width) in enumerate(shapes):
            rows = torch.linspace(0.5, height - 0.5, height, dtype=torch.float32)
            columns = torch.arange(width)
            found.append((rows[:, None] / (ratios[level] * height) + columns / width).reshape(-1))
        return torch.cat(found)

    def forward(self, x: torch.Tensor, shapes: torch.Tensor, shapes_list: list[tuple[int, int]]) -> torch.Tensor:
        ratios = x.mean(1)
        return x + self.points(shapes_list, ratios) + shapes.sum()


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = Encoder()

    def cut(self, x: torch.Tensor, shapes: torch.Tensor) -> torch.Tensor:
        start, parts = 0, []
        for height, width in shapes:
            part = x[:, start : start + height * width]
            parts.append(part.view(-1, height, width).sum((1, 2)))
            start += height * width
        return torch.stack(parts)

    def forward(self, maps: list[torch.Tensor]) -> torch.Tensor:
        shapes_list = []
        for each in maps:
            shapes_list.append((each.shape[1], each.shape[2]))
        x = torch.cat([each.flatten(1) for each in maps], 1)
        shapes = torch.as_tensor(shapes_list, dtype=torch.long)
        x = self.encoder(x, shapes=shapes, shapes_list=shapes_list)
        return x.sum() + self.cut(x, shapes_list).sum()


forward = Model


def inputs() -> list[object]:
    first, second = torch.randn(2, 2, 3), torch.randn(2, 3, 2)
    return [([first, second],), ([second, second],), ([first, second],)]
