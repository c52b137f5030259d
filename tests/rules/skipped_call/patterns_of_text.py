"""Of what the module `re` makes, Dynamo runs all that gives numbers, texts and tuples of them."""

import re

import torch

VERSION = re.compile(r"(?P<major>\d+)\.(?P<minor>\d+)")


def forward(x: torch.Tensor, text: str = "2.13") -> torch.Tensor:
    x = x + 1
    found = VERSION.match(text)
    if found is not None:
        parts = found.groupdict()  # GM401
        x = x + int(parts["major"])
    for each in VERSION.finditer(text):  # GM401
        x = x * int(each.group("minor"))
    number = re.search(r"(\d+)", text)
    if number:
        x = x + int(number.group(1)) + number.span()[0] + len(number.groups())
    return x + len(VERSION.findall(text)) + len(VERSION.split(text)) + int(VERSION.fullmatch(text)["major"])


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
