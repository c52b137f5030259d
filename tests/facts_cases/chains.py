import torch


def last(x):
    return x.sum()  # chain: first > middle > last


def middle(x):
    return last(x)  # chain: first > middle


@torch.compile
def first(x):
    return middle(x)  # chain: first
