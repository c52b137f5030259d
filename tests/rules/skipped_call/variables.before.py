import torch
from torch.autograd import Variable


def forward(x: torch.Tensor) -> torch.Tensor:
    start = Variable(torch.zeros(2, 3))  # GM401
    scale = Variable(x.sum(0), requires_grad=False)  # GM401
    plain = Variable(x.data)  # GM401
    return start + x * scale + plain


compiled = torch.compile(forward)


def inputs():
    torch.manual_seed(0)
    return [(torch.randn(2, 3, requires_grad=True),)]
