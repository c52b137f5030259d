import torch


class Solver(torch.nn.Module):
    def __init__(self, turns: int = 4) -> None:
        super().__init__()
        self.turns = turns

    def forward(self, matrix: torch.Tensor, rhs: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            x = torch.zeros_like(rhs)
            residual = rhs - matrix @ x
            direction = residual.clone()
            old = torch.dot(residual, residual)
            active = torch.ones((), dtype=torch.bool, device=x.device)
            for _ in range(self.turns):
                active = active & ~(old < 1e-6)
                image = matrix @ direction
                alpha = old / direction.dot(image)
                x = torch.where(active, x + alpha * direction, x)
                residual = torch.where(active, residual - alpha * image, residual)
                new = torch.dot(residual, residual)
                direction = torch.where(
                    active,
                    residual + (new / old) * direction,
                    direction,
                )
                old = torch.where(active, new, old)
        return x


forward = Solver()


def inputs() -> list[object]:
    matrix, rhs = torch.tensor([[4.0, 1.0], [1.0, 3.0]]), torch.tensor([1.0, 2.0])
    return [(matrix, rhs), (torch.eye(2), rhs), (matrix, torch.zeros(2)), (matrix, rhs)]
