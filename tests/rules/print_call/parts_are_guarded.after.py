import torch


def forward(x: torch.Tensor, name: str = "a") -> torch.Tensor:
    if not torch.compiler.is_compiling():
        print("%d" % x.sum())
        print("%s %s" % tuple(name.split("-")))
        print("{0} {0}".format(name), "{x}".format(x=x))
        print("%(x)s" % {"x": x})
        print("{:{}}".format(x.sum(), 3))
    return x * 2


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2), "a-b")]
