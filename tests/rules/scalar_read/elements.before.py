import torch


def positions(is_image: torch.Tensor) -> torch.Tensor:
    flags = is_image.tolist()  # GM201
    start = flags.index(True) if True in flags else len(flags)
    pos = []
    for i, flag in enumerate(flags):
        # all of the image stands where it begins
        pos.append(start if flag else i)
    return torch.tensor(pos, device=is_image.device)


def steps(ids: torch.Tensor, last: int) -> torch.Tensor:
    kinds = ids.long()
    numbers = kinds.tolist()  # GM201
    end = numbers.index(2) if 2 in numbers else -1
    found = []
    for place, number in enumerate(numbers):
        if number > 1 and not place == end:
            found.append(number * 2 + place)
        elif number == 0:
            found.append(last)
        else:
            found.append(0 if place < end else 7)
    return torch.tensor(found, dtype=torch.long)


def places(is_image: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    flags = is_image.tolist()  # GM201
    kept = torch.tensor([place if flag else len(flags) for place, flag in enumerate(flags)])
    numbers = ids.tolist()  # GM201
    known = [1 if number > 1 else 0 for number in numbers]
    return kept + torch.tensor(known, device=ids.device)


def forward(is_image: torch.Tensor, ids: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return positions(is_image.bool()), steps(ids, 5), places(is_image > 0, ids)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    flags = [[0, 1, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1]]
    ids = [[0, 1, 2, 3], [3, 3, 1, 0], [2, 2, 2, 2], [0, 0, 0, 0]]
    return [(torch.tensor(a), torch.tensor(b)) for a, b in zip(flags, ids, strict=True)]
