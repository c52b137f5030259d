import torch


def forward(x: torch.Tensor, ref) -> torch.Tensor:
    counts = x.long() + 1
    a = torch.repeat_interleave(counts).sum()  # GM501
    b = torch.repeat_interleave(x, repeats=counts).sum()  # GM501
    c = torch.repeat_interleave(x, ref[1:] - ref[:-1]).sum()  # GM501
    d = torch.repeat_interleave(x, 2).sum() + torch.repeat_interleave(counts, output_size=10).sum()
    return a + b + c + d + torch.repeat_interleave(input=x, repeats=2).sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(4.0), torch.tensor([0, 1, 3, 4, 6]))]
