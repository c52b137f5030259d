"""Writes torch_api.json: what each call of torch's API returns, from torch's own stubs plus torch_overrides.json.

    python -m graphmend_lint.facts.generate [--torch-dir DIR]

torch is read, never imported, so any version on disk will do.

Categories of `returns`:
    tensor          one tensor (in-place methods too)
    tensors:N       a tuple of N tensors
    tensors         a tuple or list of tensors whose length depends on the arguments
    tensor|none     a tensor or None
    size            torch.Size, or a tuple of sizes
    symint          an int about the shape
    bool, constant  known while Dynamo traces
    scalar          a Python number or bool that is read out of a tensor's data
    scalars         a (nested) list of those
    ndarray, none   what they say
    first, chain, list, dict, parameters
                    modules: the kind of the first argument, the last child's result, containers
    unknown         anything else

Conditions, in `when` (condition: what it returns then; the first that holds wins) and in `breaks.when`
(joined by " and "). The tensor is the first argument of a function, the receiver of a method:
    dim             `dim` or `axis` is given: by name, or by position, first after the tensor, and not a tensor
    arity:N         exactly N arguments in all, the tensor counted for a function, the receiver not for a method
    positional:N    at least N positional arguments after the tensor
    keyword:NAME    NAME is given by name and is not the literal False or None
    without:NAME    NAME is not given by name
    tensor:N        the Nth positional argument after the tensor is a tensor
    repeats         how often each element is repeated is a tensor: the second argument, a word, or the only one
    init:NAME       modules: the constructor was called with NAME, and it is not the literal False

Flags, written only where they differ from the default:
    breaks          {"gb", "severity", "when"}: the call breaks the graph in default mode; "warning" if
                    `fullgraph=True` tolerates it, else "error" (`data_ptr`: when its result is compared;
                    `tolist` of floats: GB0109, an error)
    reduces "full"  0-dim if called with the tensor alone (`dtype` is allowed)
    dtype           of the result, always: "bool", "long" (unless `dtype` is given; `any` and `all` of uint8 stay uint8)
    pure false      changes an argument, a buffer or global state (`out=` and `inplace=True` are for the caller to see)
    random          may draw random numbers
    same            for a floating tensor: keeps its shape and dtype, whatever the other arguments are (but `out`)
    same "numbers"  the same, provided that every other argument is a number, or a tuple of numbers
    tensor_only     no other class that is likely to be met has a method of this name
"""

from __future__ import annotations

import argparse
import builtins
import importlib.util
import json
import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from graphmend_lint.facts import stubs
from graphmend_lint.facts.stubs import Overloads, Signature

Entry = dict[str, Any]
Table = dict[str, Entry]

HERE: Final = Path(__file__).parent
OUTPUT: Final = HERE / "torch_api.json"
OVERRIDES: Final = HERE / "torch_overrides.json"

ORDER: Final = ("returns", "when", "breaks", "reduces", "dtype", "pure", "random", "same", "tensor_only")
COMMON: Final = (str, bytes, int, float, complex, list, tuple, set, frozenset, dict, range, slice, Path, re.Pattern)
CONTAINERS: Final = (Counter, OrderedDict, defaultdict, deque, bytearray)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file; one line and status 2 if torch's files are not there."""
    parser = argparse.ArgumentParser("python -m graphmend_lint.facts.generate", description="Write torch_api.json.")
    parser.add_argument("--torch-dir", type=Path, help="the folder of the torch package (default: the installed one)")
    folder = parser.parse_args(arguments).torch_dir or installed()
    if folder is None:
        print("error: torch is not installed; name its folder with --torch-dir", file=sys.stderr)
        return 2
    try:
        OUTPUT.write_text(render(generate(folder)), encoding="utf-8")
    except OSError as error:
        print(f"error: {folder} is not a torch package: {error.strerror}: {error.filename}", file=sys.stderr)
        return 2
    return 0


def installed() -> Path | None:
    """Where torch is, found without importing it."""
    spec = importlib.util.find_spec("torch")
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def generate(torch: Path) -> dict[str, Any]:
    """All tables for one torch package; OSError if its files are not there."""
    overrides = json.loads(OVERRIDES.read_text(encoding="utf-8"))
    known = stubs.structs(torch)
    functions = {name: entry(overloads) for name, overloads in function_stubs(torch, known).items()}
    methods = {name: entry(overloads) for name, overloads in method_stubs(torch, known).items()}
    modules = {f"torch.nn.{name}": {"returns": returns} for name, returns in stubs.modules(torch, known).items()}
    flag_functions(functions, overrides)
    flag_methods(methods, overrides)
    return {
        "torch": version(torch),
        "functions": finish(functions, overrides["functions"]),
        "methods": finish(methods, overrides["methods"]),
        "attributes": attribute_kinds(torch, known, overrides["attributes"]),
        "modules": finish(modules, overrides["modules"]),
    }


def version(torch: Path) -> str:
    """The release, without the local part such as "+cpu"."""
    match = re.search(r"__version__ = ['\"]([^'\"+]+)", (torch / "version.py").read_text(encoding="utf-8"))
    return match[1] if match else "unknown"


def function_stubs(torch: Path, known: dict[str, str]) -> Overloads:
    """Public functions by qualified name; where two files define one, the later file here wins."""
    found: Overloads = {}
    for file in ("_C/_VariableFunctions.pyi", "functional.py", "random.py", "__init__.py"):
        found |= prefixed("torch.", stubs.definitions(stubs.parse(torch / file).body, known))
    nn = torch / "nn"
    found |= prefixed("torch.nn.functional.", stubs.documented(nn / "functional.py", ""))
    found |= prefixed("torch.nn.functional.", stubs.definitions(stubs.parse(nn / "functional.pyi").body, known))
    found |= prefixed("torch.nn.init.", stubs.definitions(stubs.parse(nn / "init.py").body, known))
    for part in ("linalg", "fft", "special"):
        found |= prefixed(f"torch.{part}.", stubs.documented(torch / part / "__init__.py", f"{part}."))
    return found


def prefixed(prefix: str, found: Overloads) -> Overloads:
    """Qualified names of public functions."""
    return {prefix + name: overloads for name, overloads in found.items() if not name.startswith("_")}


def method_stubs(torch: Path, known: dict[str, str]) -> Overloads:
    """Public and special methods of torch.Tensor."""
    found: Overloads = {}
    for body in stubs.tensor_class(torch):
        for name, overloads in stubs.definitions(body, known).items():
            described = any(overload.returns != "unknown" for overload in overloads)
            if (is_special(name) or not name.startswith("_")) and (described or name not in found):
                found[name] = overloads
    return found


def is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def entry(overloads: list[Signature]) -> Entry:
    """One entry for all overloads: what they agree on, or what a `dim` argument decides."""
    with_dim = {overload.returns for overload in overloads if overload.needs_dim}
    without = {overload.returns for overload in overloads if not overload.needs_dim}
    match sorted(with_dim), sorted(without):
        case ([returns], []) | ([], [returns]):
            return {"returns": returns}
        case [dim], [returns]:
            return {"returns": returns} if dim == returns else {"returns": returns, "when": {"dim": dim}}
    return {"returns": "unknown"}


def flag_functions(table: Table, overrides: dict[str, Any]) -> None:
    """Apply the groups to functions; a trailing underscore means in place."""
    for name, item in table.items():
        short = name.rpartition(".")[2]
        item.update(flags(short, name, overrides))
        if short.endswith("_"):
            item["pure"] = False


def flag_methods(table: Table, overrides: dict[str, Any]) -> None:
    """Apply the groups to methods, and what follows from the name alone."""
    groups = overrides["groups"]
    others = names_elsewhere() | set(groups["not_only_tensors"])
    for name, item in table.items():
        item.update(flags(name, f"torch.Tensor.{name}", overrides))
        if name.endswith("_") and not is_special(name):
            item["pure"] = False
            item["same"] = item["returns"] == "tensor" and name not in groups["reshapes_in_place"]
        if re.fullmatch(r"__i(?!nt__|nvert__|ndex__|nit__|ter__)\w+__", name):
            item["pure"] = False
        item["tensor_only"] = name not in others and not is_special(name)


def names_elsewhere() -> set[str]:
    """Every attribute of Python's own types and common containers."""
    return {name for kind in (*COMMON, *CONTAINERS) for name in dir(kind)} | set(dir(builtins.object))


def flags(name: str, full: str, overrides: dict[str, Any]) -> Entry:
    """What the groups say about a function or method, under its bare or its qualified name."""
    groups = overrides["groups"]
    same = name.removesuffix("_") in groups["same"] and not is_special(name)
    found: Entry = {
        "reduces": "full" if name in groups["reduces_full"] else False,
        "dtype": next((dtype for dtype in ("bool", "long") if name in groups[dtype]), False),
        "random": name in groups["random"],
        "same": "numbers" if name in groups["same_with_numbers"] else same,
    }
    if name in groups["impure"]:
        found["pure"] = False
    for kind, names in overrides["breaks"].items():
        if name in names or full in names:
            gb, severity = kind.split()
            found["breaks"] = {"gb": gb, "severity": severity}
    return found


def finish(table: Table, overrides: Table) -> Table:
    """Merge the overrides last; drop what says nothing; fixed order of names and keys."""
    merged = {name: table.get(name, {"returns": "unknown"}) | overrides.get(name, {}) for name in {*table, *overrides}}
    return {
        name: {key: merged[name][key] for key in ORDER if merged[name].get(key) or is_impure(key, merged[name])}
        for name in sorted(merged)
    }


def is_impure(key: str, item: Entry) -> bool:
    return key == "pure" and item.get("pure") is False


def attribute_kinds(torch: Path, known: dict[str, str], overrides: dict[str, str]) -> dict[str, str]:
    """Attributes and properties of torch.Tensor; what Dynamo knows while tracing is "constant"."""
    found: dict[str, str] = {}
    for body in stubs.tensor_class(torch):
        found = stubs.attributes(body, known) | found
    kinds = {name: "constant" if kind in ("bool", "constant|none") else kind for name, kind in found.items()}
    return dict(sorted((kinds | overrides).items()))


def render(data: dict[str, Any]) -> str:
    """JSON with one entry per line."""
    sections = (f" {json.dumps(name)}: {section(value)}" for name, value in data.items())
    return "{\n" + ",\n".join(sections) + "\n}\n"


def section(value: str | dict[str, Any]) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    return "{\n" + ",\n".join(lines(value.items())) + "\n }"


def lines(items: Iterable[tuple[str, Any]]) -> Iterable[str]:
    return (f"  {json.dumps(name)}: {json.dumps(item)}" for name, item in items)


if __name__ == "__main__":
    raise SystemExit(main())
