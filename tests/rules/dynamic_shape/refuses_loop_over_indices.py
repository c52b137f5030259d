"""A loop that may hold gradients, changes what others see, or leaves more than filled tensors: no operator for it."""

import torch


def has_gradient(x: torch.Tensor) -> torch.Tensor:
    out = torch.zeros(x.shape[0])
    for i in torch.nonzero(x[:, 0] > 0):  # GM501
        out[i] = x[i].sum()
    return out


def had_gradient(x: torch.Tensor) -> torch.Tensor:
    out = torch.zeros(x.shape[0])
    out += x[:, 0]
    for i in torch.nonzero(x[:, 0] > 0):  # GM501
        out[i] = 1
    return out


def belongs_to_caller(x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
    for i in torch.nonzero(x[:, 0] > 0):  # GM501
        out[i] = 1
    return out


def leaves_a_number(x: torch.Tensor) -> torch.Tensor:
    out, last = torch.zeros(x.shape[0]), 0
    for i in torch.nonzero(x[:, 0] > 0):  # GM501
        out[i] = 1
        last = last + 1
    return out + last


def uses_them_again(x: torch.Tensor) -> torch.Tensor:
    out = torch.zeros(x.shape[0])
    found = torch.nonzero(x[:, 0] > 0)  # GM501
    for i in found:
        out[i] = 1
    return out + found.sum()


def prints(x: torch.Tensor) -> torch.Tensor:
    out = torch.zeros(x.shape[0])
    found = torch.nonzero(x[:, 0] > 0)  # GM501
    for i in found:
        out[i] = 1
        print(i)
    return out


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    first = has_gradient(x), had_gradient(x), belongs_to_caller(x, x.detach()[:, 0])
    return *first, leaves_a_number(x), uses_them_again(x), prints(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([[1.0, -1.0], [-1.0, 2.0]])]
