import torch

_found = getattr(torch.compiler, "is_compiling", None) or getattr(torch._dynamo, "is_compiling", None)


def asked() -> bool:
    return bool(_found()) if _found is not None else False


@torch.compile
def main(x: torch.Tensor):
    a = asked()  # kind: constant
    if not asked() and x.max() > 1:
        raise ValueError("large")  # not reached
    return x
