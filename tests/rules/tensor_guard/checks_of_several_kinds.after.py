import torch


def forward(x: torch.Tensor, y: torch.Tensor, strict: bool = False, names: tuple[str, ...] = ()) -> torch.Tensor:
    if torch.compiler.is_compiling() and not strict:
        torch._assert_async(~(x.min() < 0), "negative or strict")
    elif strict or x.min() < 0:
        raise ValueError("negative or strict")
    if torch.compiler.is_compiling() and x.shape == y.shape:
        torch._assert_async((x == y).all(), "x and y must be equal")
    elif not torch.equal(x, y):
        raise ValueError("x and y must be equal")
    if torch.compiler.is_compiling():
        if not names:
            total = x.sum()
            torch._assert_async(~((0 < total) & (total < 1)), "too small")
    elif not names and 0 < x.sum() < 1:
        raise ValueError("too small") from None
    if torch.compiler.is_compiling():
        torch._assert_async(~(x.max() > 9), "too large: ...")
    elif x.max().item() > 9:
        rows = []
        for row in x.tolist():
            rows.append(str(row))
        text = f"too large: {rows}"
        raise ValueError(text)
    return x + y


def inputs() -> list[object]:
    good = torch.tensor([1.0, 2.0])
    return [
        (good, good),
        (-good, -good),
        (good, good + 1),
        (good / 9, good / 9),
        (good / 9, good / 9, False, ("a",)),
        (good * 9, good * 9),
    ]


compiled = torch.compile(forward)
