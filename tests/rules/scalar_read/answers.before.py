# all rules
import torch


class Attention(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.near = torch.nn.Linear(4, 4)
        self.far = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, chosen: torch.Tensor, is_global) -> torch.Tensor:
        out = torch.tanh(self.near(x))
        if is_global:
            share = chosen.to(x.dtype)
            mixed = torch.tanh(self.far(x * share[:, None]))
            out = torch.where(chosen[:, None], mixed, out)
        return out


class Layer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention()

    def forward(self, x: torch.Tensor, chosen: torch.Tensor, is_global) -> torch.Tensor:
        return x + self.attention(x, chosen, is_global=is_global)


class Encoder(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer() for _ in range(2))

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        chosen = mask > 0
        is_global = chosen.any().item()  # GM201
        for layer in self.layers:
            x = layer(x, chosen, is_global)
        some = (mask < 0).any().item()  # GM201
        if some:
            x = x * 2
        if not some:
            x = x + 1
        return x


def forward(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return encoder(x, mask)


torch.manual_seed(0)
encoder = Encoder()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    masks = [[1.0, 0.0], [0.0, 0.0], [0.0, -1.0], [1.0, -1.0], [1.0, 0.0]]
    return [(torch.ones(2, 4), torch.tensor(mask)) for mask in masks]
