# all rules
import torch


def check(target: torch.Tensor, ignore: int | None = None) -> None:
    allowed = {0, 1} if ignore is None else {0, 1, ignore}
    if torch.compiler.is_compiling():
        torch._assert_async(
            torch.isin(target.long(), torch.tensor([*allowed], device=target.device)).all(),
            "target holds ..., only ... is allowed",
        )
    else:
        found = torch.unique(target)  # every value once
        if any(int(v) not in allowed for v in found):
            raise RuntimeError(f"target holds {found}, only {allowed} is allowed")


def check_listed(target: torch.Tensor, strict: bool = True) -> None:
    if torch.compiler.is_compiling():
        if strict:
            torch._assert_async(
                torch.isin(target, torch.tensor([0, 1], device=target.device)).all(),
                "only 0 and 1",
            )
    elif strict and not all(v in (0, 1) for v in target.unique().tolist()):
        raise ValueError("only 0 and 1")


def forward(target: torch.Tensor) -> torch.Tensor:
    check(target)
    check_listed(target)
    if torch.compiler.is_compiling():
        torch._assert_async(
            torch.isin(target, torch.tensor([0, 1], device=target.device)).all(),
            "only 0 and 1",
        )
    elif any(v.item() not in [0, 1] for v in target):
        raise ValueError("only 0 and 1")
    return target * 2


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0, 1, 1]), torch.tensor([0.0, 1.0])]
