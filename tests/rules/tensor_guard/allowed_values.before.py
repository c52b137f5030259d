# all rules
import torch


def check(target: torch.Tensor, ignore: int | None = None) -> None:
    allowed = {0, 1} if ignore is None else {0, 1, ignore}
    found = torch.unique(target)  # every value once
    if any(int(v) not in allowed for v in found):  # GM105
        raise RuntimeError(f"target holds {found}, only {allowed} is allowed")


def check_listed(target: torch.Tensor, strict: bool = True) -> None:
    if strict and not all(v in (0, 1) for v in target.unique().tolist()):  # GM105
        raise ValueError("only 0 and 1")


def forward(target: torch.Tensor) -> torch.Tensor:
    check(target)
    check_listed(target)
    if any(v.item() not in [0, 1] for v in target):  # GM105
        raise ValueError("only 0 and 1")
    return target * 2


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0, 1, 1]), torch.tensor([0.0, 1.0])]
