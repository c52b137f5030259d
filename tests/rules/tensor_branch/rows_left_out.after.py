# all rules
import torch


def guarded(boxes: torch.Tensor, scores: torch.Tensor, keep: int) -> tuple[torch.Tensor, torch.Tensor]:
    valid = ((boxes[:, 2:] - boxes[:, :2]) > 0.05).all(dim=1)
    # drop what is too small
    scores = scores.masked_fill(~valid, float("-inf"))
    top, order = scores.topk(keep)
    return boxes[order], top


def always(boxes: torch.Tensor, scores: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    valid = scores > 0
    scores = scores.masked_fill(~valid, float("inf"))
    worst = torch.topk(scores, 2, largest=False).indices
    return boxes[worst], scores[worst].to(boxes.dtype)


def forward(boxes: torch.Tensor, scores: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return *guarded(boxes, scores, 2), *always(boxes, scores)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    torch.manual_seed(0)
    corner = torch.rand(6, 2)
    boxes, scores = torch.cat([corner, corner + 1], -1), torch.randn(6).abs()
    small = boxes.clone()
    small[1, 2:] = small[1, :2]
    return [(boxes, scores), (small, scores - 0.3), (boxes, scores.requires_grad_())]
