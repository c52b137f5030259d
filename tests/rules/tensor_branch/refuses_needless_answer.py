"""Not fixed: the mask does more than leave something out, or what comes with it is changed or asked for."""

import torch


def ignore(target: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    keep = target != -1
    if keep.all():  # GM101
        return target, None
    return target.where(keep, target.new_zeros(1)), keep


def in_place(target: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    keep = target != -1
    if keep.all():  # GM101
        return target, None
    return target.where(keep, target.new_zeros(1)), keep


def other(target: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    keep = target != -1
    if keep.all():  # GM101
        return target, None
    return target + 1, keep


def asked(mask: torch.Tensor) -> torch.Tensor | None:
    if 0.0 in mask:  # GM101
        return mask
    return None


def passed(mask: torch.Tensor) -> torch.Tensor | None:
    if 0.0 in mask:  # GM101
        return mask
    return None


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor, target: torch.Tensor, mask: torch.Tensor) -> tuple[object, ...]:
        first, keep = ignore(target)
        if keep is not None:
            x = x + keep
        copy = target.clone()
        second, keep_2 = in_place(copy)
        if keep_2 is not None:
            x = x * keep_2
        second.add_(1)
        third, keep_3 = other(target)
        if keep_3 is not None:
            x = x * keep_3
        given = asked(mask)
        if given is None:
            x = x + 1
        return x, first, copy, third, passed(mask)


forward = Model()


def inputs() -> list[object]:
    return [(torch.arange(2.0), torch.tensor([1, 2]), torch.ones(2)), (torch.ones(2), torch.tensor([-1, 0]), torch.eye(2)[0])]
