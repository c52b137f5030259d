"""Numbers whose comparison gets a name, for one check alone."""

import torch


class Model(torch.nn.Module):
    def check(self, mask: torch.Tensor, size: int) -> None:
        if torch.compiler.is_compiling():
            torch._assert_async(mask[:, -1].sum() == size, "right padding is not supported")
        else:
            right_padded = mask[:, -1].sum().item() != size
            if right_padded:
                raise ValueError("right padding is not supported")

    def limits(self, ids: torch.Tensor) -> None:
        if torch.compiler.is_compiling():
            torch._assert_async(ids.max() < 10, "ids must be below 10, got ...")
        else:
            small = ids.max().item() < 10
            if not small:
                raise IndexError(f"ids must be below 10, got {ids.max().item()}")

    def signs(self, ids: torch.Tensor) -> None:
        assert ids.min() >= 0, "ids must not be negative"

    def forward(self, x: torch.Tensor, mask: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        self.check(mask, x.shape[0])
        self.limits(ids)
        self.signs(ids)
        return x * 2


forward = Model()


def inputs() -> list[object]:
    x, full, ids = torch.ones(2, 3), torch.ones(2, 3), torch.tensor([0, 9])
    cut = torch.tensor([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    return [(x, full, ids), (x, cut, ids), (x, full, ids + 1), (x, full, ids - 1), (x, full, ids)]
