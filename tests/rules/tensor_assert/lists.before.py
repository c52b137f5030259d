import torch


def forward(xs: list[torch.Tensor]) -> torch.Tensor:
    doubled = [x * 2 for x in xs]
    assert doubled, "nothing"  # GM106
    named = {"a": doubled[0]}
    assert named  # GM106
    grown = []
    for each in doubled:
        grown.append(each + 1)
    assert grown, f"{len(xs)} given"  # GM106
    sizes = [x.shape[0] for x in xs]
    assert sizes
    assert len(grown) == len(xs), "lost"
    return grown[0] + named["a"]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [([torch.ones(2)],), ([torch.ones(2), torch.zeros(2)],)]
