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
    rows = (*known_elsewhere(boxes, scores), changed_later(boxes, scores))
    return order, small[places], all_of_them.sort().values, *rows, without_gradient(boxes, scores)


def known_elsewhere(boxes: torch.Tensor, scores: torch.Tensor) -> tuple[torch.Tensor, ...]:
    valid = scores > 1
    later = [lambda: boxes]
    if not valid.all():  # GM101
        boxes = boxes[valid]
        scores = scores[valid]
    return boxes[scores.topk(1).indices], later[0]()


def changed_later(boxes: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    valid, others = scores > 1, boxes
    if not valid.all():  # GM101
        boxes = boxes[valid]
        scores = scores[valid]
    others.mul_(2)
    return boxes[scores.topk(1).indices]


def without_gradient(boxes: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    valid = scores > 1
    with torch.no_grad():
        if not valid.all():  # GM101
            boxes = boxes[valid]
            scores = scores[valid]
    return boxes[scores.topk(1).indices]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(3, 4), torch.tensor([1.0, 2.0, -3.0]))]
