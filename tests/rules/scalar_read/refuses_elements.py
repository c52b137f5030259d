import torch


def perhaps(x: torch.Tensor, ask: bool = True) -> torch.Tensor:
    if ask:
        flags = (x > 0).tolist()  # GM201
    return torch.tensor([place if flag else len(flags) for place, flag in enumerate(flags)])


def forward(x: torch.Tensor) -> list[torch.Tensor]:
    numbers = x.long().tolist()  # GM201
    sums, total = [], 0
    for number in numbers:
        total = total + number
        sums.append(total)
    flags = (x > 0).tolist()  # GM201
    places = []
    for place, flag in enumerate(flags):
        if flag:
            places.append(place)
    floats = x.tolist()  # GM201
    doubled = []
    for number in floats:
        doubled.append(number * 2)
    return [perhaps(x), torch.tensor(sums), torch.tensor(places), torch.tensor(doubled)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([1.0, -2.0, 3.0])]
