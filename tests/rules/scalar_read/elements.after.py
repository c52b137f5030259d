import torch


def positions(is_image: torch.Tensor) -> torch.Tensor:
    start = torch.where(is_image.any(), is_image.int().argmax(), is_image.shape[0])
    # all of the image stands where it begins
    i = torch.arange(is_image.shape[0], device=is_image.device)
    pos = torch.where(is_image, start, i)
    return pos


def steps(ids: torch.Tensor, last: int) -> torch.Tensor:
    kinds = ids.long()
    end = torch.where((kinds == 2).any(), (kinds == 2).int().argmax(), -1)
    place = torch.arange(kinds.shape[0], device=kinds.device)
    found = torch.where(
        (kinds > 1) & (~(place == end)),
        (kinds.long() * 2) + place,
        torch.where(kinds == 0, last, torch.where(place < end, 0, 7)),
    )
    return found.to(dtype=torch.long)


def places(is_image: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    kept = torch.where(
        is_image,
        torch.arange(is_image.shape[0], device=is_image.device),
        is_image.shape[0],
    )
    known = torch.where(ids > 1, 1, 0)
    return kept + known


def forward(is_image: torch.Tensor, ids: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return positions(is_image.bool()), steps(ids, 5), places(is_image > 0, ids)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    flags = [[0, 1, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1]]
    ids = [[0, 1, 2, 3], [3, 3, 1, 0], [2, 2, 2, 2], [0, 0, 0, 0]]
    return [(torch.tensor(a), torch.tensor(b)) for a, b in zip(flags, ids, strict=True)]
