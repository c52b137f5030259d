# all rules
import torch

MARKS = (1, 3)


@torch.library.custom_op(
    "loop_over_indices_before::spans_loop",
    mutates_args=["mask", "places"],
    tags=[torch.Tag.cudagraph_unsafe],
)
def spans_loop(
    marked: torch.Tensor,
    length: int,
    mask: torch.Tensor,
    before: int,
    places: torch.Tensor,
    device: torch.device,
) -> None:
    # one row for each mark
    found = torch.nonzero(marked)
    for i in range(found.shape[0]):
        row, column = found[i]
        if column == 0 or column == length - 1:
            mask[row, column, column] = True
        elif column >= before:
            mask[row, before : column + 1, before : column + 1] = True
            places[row, before : column + 1] = torch.arange(0, column + 1 - before, device=device)
        before = column


def spans(ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    batch, length = ids.shape
    marked = torch.zeros((batch, length), device=ids.device).bool()
    for mark in MARKS:
        marked |= ids == mark
    mask = torch.eye(length, device=ids.device).bool().unsqueeze(0).repeat(batch, 1, 1)
    places = torch.zeros((batch, length), device=ids.device)
    before = 0
    # fill in what lies between
    spans_loop(marked, length, mask, before, places, ids.device)
    return mask, places.to(torch.long)


def forward(x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    mask, places = spans(ids)
    return x * mask.sum(-1) + places


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.arange(10.0).reshape(2, 5).requires_grad_()
    ids = torch.tensor([[1, 2, 3, 2, 1], [2, 1, 2, 2, 3]])
    return [(x, ids), (x, ids.flip(1)), (x, torch.zeros_like(ids)), (x, torch.ones_like(ids)), (x, ids)]
