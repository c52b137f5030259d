import torch


def forward(boxes: torch.Tensor, scores: torch.Tensor) -> tuple[torch.Tensor, ...]:
    valid = scores > 0
    small, best, all_of_them = boxes, scores, scores
    if not valid.all():  # GM101
        best = best[valid]
    order = best.topk(2).indices
    if not valid.all():  # GM101
        small = small[valid]
    places = scores.topk(2).indices
    if not valid.all():  # GM101
        all_of_them = all_of_them[valid]
    return order, small[places], all_of_them.sort().values


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(3, 4), torch.tensor([1.0, 2.0, -3.0]))]
