# all rules
import torch


class Augment(torch.nn.Module):
    def __init__(self, angle: float = 0.3) -> None:
        super().__init__()
        self.angle = angle

    def identity(self, image: torch.Tensor) -> torch.Tensor:
        return torch.eye(2, dtype=image.dtype).expand(image.shape[0], 2, 2)

    def turned(self, image: torch.Tensor) -> torch.Tensor:
        a = torch.as_tensor(self.angle, dtype=image.dtype)
        matrix = torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])
        return matrix.expand(image.shape[0], 2, 2)

    def forward(self, image: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
        chosen = share > 0.5
        # turn those that are to be turned
        if not chosen.any():  # GM101
            matrix = self.identity(image)
        elif chosen.all():  # GM101
            matrix = self.turned(image)
        else:
            matrix = self.identity(image)
            matrix = matrix.index_put((chosen,), self.turned(image[chosen]))
        return image @ matrix


def doubled(image: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
    chosen = share > 0.5
    if chosen.all():  # GM101
        out = image * 2
    elif not chosen.any():  # GM101
        out = image.clone()
    else:
        out = image.clone()
        out[chosen] = image[chosen] * 2
    return out


def forward(image: torch.Tensor, share: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return augment(image, share), doubled(image, share)


augment = Augment()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    image = torch.arange(12.0).reshape(3, 2, 2)
    return [
        (image, torch.tensor(share)) for share in ([0.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 0.0, 0.0])
    ]
