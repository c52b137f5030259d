import torch


def forward(x: torch.Tensor, name: str = "a") -> torch.Tensor:
    print("sum %s of 100%% %r" % (x.sum(), name))  # GM301
    print("%s" % x.shape[0], "{} {{}} {:.1f}|{!r}".format(name, x.sum(), 2))  # GM301
    print(str(x.sum()), repr(name), str(None))  # GM301
    return x * 2


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3), "b"), (torch.ones(2).half(),)]
