import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    mask = (x > 1).to(x.device).unsqueeze(-1).expand_as(x[:, None]).squeeze(-1)
    kept = x[mask.to(x.device)]  # GM501
    flags = x.to(torch.bool)
    return kept.sum() + x[flags].prod() + x[mask.to(torch.long)].sum()  # GM501


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
