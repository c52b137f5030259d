import torch


def forward(x: torch.Tensor, y: torch.Tensor, strict: bool = False, names: tuple[str, ...] = ()) -> torch.Tensor:
    if strict or x.min() < 0:  # GM105
        raise ValueError("negative or strict")
    if not torch.equal(x, y):  # GM105
        raise ValueError("x and y must be equal")
    if not names and 0 < x.sum() < 1:  # GM105
        raise ValueError("too small") from None
    if x.max().item() > 9:  # GM105
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
