import torch


def forward(xs: list[torch.Tensor]) -> torch.Tensor:
    doubled = [x * 2 for x in xs]
    assert len(doubled) > 0, "nothing"
    named = {"a": doubled[0]}
    assert len(named) > 0
    grown = []
    for each in doubled:
        grown.append(each + 1)
    assert len(grown) > 0, f"{len(xs)} given"
    sizes = [x.shape[0] for x in xs]
    assert sizes
    assert len(grown) == len(xs), "lost"
    return grown[0] + named["a"]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [([torch.ones(2)],), ([torch.ones(2), torch.zeros(2)],)]
