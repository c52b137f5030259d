import torch


def forward(image: torch.Tensor, share: torch.Tensor) -> tuple[torch.Tensor, ...]:
    chosen = share > 0.5
    if not chosen.any():  # GM101
        centred = image.clone()
    elif chosen.all():  # GM101
        centred = image - image.mean(0)
    else:
        centred = image.clone()
        centred = centred.index_put((chosen,), image[chosen] - image[chosen].mean(0))
    if not chosen.any():  # GM101
        other = image.clone()
    elif chosen.all():  # GM101
        other = image * 3
    else:
        other = image.clone()
        other[chosen] = image[chosen] * 2
    if not chosen.any():  # GM101
        stored = image
    elif chosen.all():  # GM101
        stored = image * 2
    else:
        stored = image
        stored[chosen] = image[chosen] * 2
    return centred, other, stored


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(3, 2), torch.tensor([0.0, 1.0, 1.0]))]
