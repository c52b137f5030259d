# all rules
import torch


def forward(x: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
    match k.item():  # GM104
        case 0:  # nothing to scale
            y = x
        case 1 | 2:
            y = x * 2
        case _:
            y = x * 3
    match x.argmax().item():  # GM104
        case 0:
            return y + 1
        case -1 | 2:
            return y + 2
        case _:
            return y + 3


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    rows = [[2.0, 1.0, 0.0], [0.0, 1.0, 2.0], [0.0, 1.0, 0.5], [2.0, 1.0, 0.0]]
    return [(torch.tensor(row, requires_grad=True), torch.tensor(k)) for row in rows for k in (0, 1, 2, 3)]


compiled = torch.compile(forward)
