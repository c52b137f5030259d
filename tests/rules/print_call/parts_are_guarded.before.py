import torch


def forward(x: torch.Tensor, name: str = "a") -> torch.Tensor:
    print("%d" % x.sum())  # GM301
    print("%s %s" % tuple(name.split("-")))  # GM301
    print("{0} {0}".format(name), "{x}".format(x=x))  # GM301
    print("%(x)s" % {"x": x})  # GM301
    print("{:{}}".format(x.sum(), 3))  # GM301
    return x * 2


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2), "a-b")]
