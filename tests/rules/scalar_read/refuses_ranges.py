import torch


def forward(x: torch.Tensor, n: int) -> tuple[torch.Tensor, list[object]]:
    places = torch.arange(x.shape[0])
    places[0] = 7
    counts = torch.arange(n)
    n = n + 1
    halves = torch.arange(0, n, 0.5).tolist()  # GM201
    floats = torch.arange(n, dtype=torch.float32).tolist()  # GM201
    first = places.tolist()  # GM201
    second = counts.tolist()  # GM201
    return x * n, [first, second, halves, floats, shares(n)]


def shares(n: int, step: float = 0.5) -> list[object]:
    end = float(n)
    half = n / 2
    return [
        torch.arange(0, n, step).tolist(),  # GM201
        torch.arange(end).tolist(),  # GM201
        torch.arange(half).tolist(),  # GM201
        torch.arange(float(n)).tolist(),  # GM201
    ]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(3), 2)]
