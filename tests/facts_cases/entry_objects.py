import torch


class Engine:
    def __init__(self):
        self.step = torch.compile(self.step)

    def step(self, x):
        return x.sum()  # kind: tensor 0-dim

    def report(self, x):
        return x.sum()  # not reached


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.scale  # kind: tensor

    def extra(self, x):
        return x.sum()  # not reached


class Compiled(torch.nn.Module):
    def method(self, x):
        return x.sum()  # kind: tensor 0-dim


compiled = Compiled()
method = torch.compile(compiled.method)
