import torch


def handed_over(x):
    return x.sum()  # kind: tensor 0-dim


def in_a_dict(x):
    return x.sum()  # kind: tensor 0-dim


def exported(x):
    return x.sum()  # kind: tensor 0-dim


def optimized(x):
    return x.sum()  # kind: tensor 0-dim


def chosen(x):
    return x.sum()  # kind: tensor 0-dim


run = torch.compile(handed_over)
table = {"run": torch.compile(in_a_dict)}
program = torch.export.export(exported, (torch.ones(3),))
old = torch._dynamo.optimize("eager")(optimized)


def pick(fast):
    return torch.compile(chosen) if fast else chosen
