import torch


def forward(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    x[:, -n:] = 0  # GM201
    x[:, :n] += 1  # GM201
    x[:, -3:n] = 1  # GM201
    x[:, ::n] = 1  # GM201
    x[n > 0, :n] = 1  # GM201
    x[:n] = x.new_zeros(x.shape[1])  # GM201
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(12.0).reshape(3, 4), torch.tensor(2))]
