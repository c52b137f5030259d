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
        matrix = self.identity(image)
        matrix = torch.where(
            chosen.reshape(chosen.shape + (1,) * (matrix.ndim - chosen.ndim)),
            self.turned(image),
            matrix,
        )
        return image @ matrix


def doubled(image: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
    chosen = share > 0.5
    out = image.clone()
    out = torch.where(chosen.reshape(chosen.shape + (1,) * (out.ndim - chosen.ndim)), image * 2, out)
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
