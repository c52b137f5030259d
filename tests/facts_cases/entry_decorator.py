import torch


@torch.compile
def plain(x):
    return x.sum()  # kind: tensor 0-dim


@torch.compile(dynamic=True)
def with_settings(x):
    return x.sum()  # kind: tensor 0-dim


def nobody_compiles(x):
    return x.sum()  # not reached
