"""Small random programs with control flow on tensors.

All tensors of a program have one shape and one floating dtype: what fixes ask for that are not safe.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from program_loops import bounded_loop, endless_loop, masked_loop, returning_loop, skipping_loop, summing_loop
from program_writer import HEAD, MASKS, Writer, plain


def both_set(writer: Writer, depth: int) -> None:
    targets = [writer.target()] + ([writer.one_of("a", "b", "c")] if writer.draw(st.booleans()) else [])
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.assign_all(targets))
    if writer.draw(st.booleans()):
        writer.line(f"elif {writer.test()}:")
        writer.block(lambda: writer.assign_all(targets))
    writer.line("else:")
    writer.block(lambda: writer.assign_all(targets[::-1]))
    for name in targets:
        writer.known(name)


def one_sets(writer: Writer, depth: int) -> None:
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.assign(name))


def nested(writer: Writer, depth: int) -> None:
    if depth > 1:
        return plain(writer, depth)
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.one_of(*STATEMENTS)(writer, depth + 1))
    if writer.draw(st.booleans()):
        writer.line("else:")
        writer.block(lambda: writer.one_of(*STATEMENTS)(writer, depth + 1))
    return None


def ternary(writer: Writer, depth: int) -> None:
    name = writer.target()
    if writer.draw(st.booleans()):
        writer.line(f"{name} = {writer.value()} if {writer.test()} else {writer.value()}")
    else:
        low, high = writer.one_of((0.5, 2.0), (1, 3))
        writer.line(f"{name} = {writer.one_of(*writer.names)} * ({low} if {writer.test()} else {high})")
    writer.known(name)


def early_return(writer: Writer, depth: int) -> None:
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.line(f"return {writer.value()}"))


def both_return(writer: Writer, depth: int) -> None:
    early_return(writer, depth)
    if depth == 0:
        writer.line("else:")
        writer.block(lambda: writer.line(f"return {writer.value()}"))


def idle_guard(writer: Writer, depth: int) -> None:
    """A store needs a tensor that no gradient needs."""
    name, stores = writer.target(), writer.draw(st.booleans())
    if stores or name not in writer.locals:
        writer.line(f"{name} = {writer.fill('{a} * 2.0') if stores else writer.value()}")
        writer.known(name)
    mask = writer.fill(writer.one_of(*MASKS).replace("{a}", name))
    work = (f"{name} = {name}.masked_fill({mask}, 0.5)", f"{name} = torch.where({mask}, {writer.value()}, {name})")
    writer.line(f"if {writer.one_of(f'({mask}).any()', f'torch.any({mask})')}:")
    writer.block(lambda: writer.line(f"{name}[{mask}] = 0.0" if stores else writer.one_of(*work)))


def projected(writer: Writer, depth: int) -> None:
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line(f"if not self.scaler.inside({name}):")
    writer.block(lambda: writer.line(f"{name} = self.scaler.project({name})"))


def raising(writer: Writer, depth: int) -> None:
    writer.line(f"if {writer.test()} and {writer.fill('{a}.max() > 3')}:")
    error = writer.one_of('ValueError("too large")', 'RuntimeError(f"more than {n}")')
    writer.block(lambda: writer.line(f"raise {error}"))


def asserting(writer: Writer, depth: int) -> None:
    message = writer.one_of(', "text"', ', f"not more than {n}"')
    writer.line(f"assert {writer.fill('{a}.min() < 5')}{message}")


def speaking(writer: Writer, depth: int) -> None:
    text = writer.one_of('print("seen", n)', 'print(f"n is {n}")', 'logger.info("seen %s", n)')
    if writer.draw(st.booleans()):
        return writer.line(text)
    writer.line(f"if {writer.test()}:")
    return writer.block(lambda: writer.line(text))


def augmented(writer: Writer, depth: int) -> None:
    name = writer.target()
    if name not in writer.locals:
        writer.line(f"{name} = {writer.fill('{a} * 1.5')}")
        writer.known(name)
    line = f"{name} {writer.one_of('+=', '*=', '-=')} {writer.one_of('2.0', writer.fill('{a}'))}"
    if writer.draw(st.booleans()):
        return writer.line(line)
    writer.line(f"if {writer.test()}:")
    return writer.block(lambda: writer.line(line))


def stored(writer: Writer, depth: int) -> None:
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.line(f"self.state = {writer.value()}"))
    if writer.draw(st.booleans()):
        writer.line("else:")
        writer.block(lambda: writer.line(f"self.state = {writer.value()}"))


def container(writer: Writer, depth: int) -> None:
    """A list or dict that a branch changes."""
    name = writer.target()
    is_list = writer.draw(st.booleans())
    writer.line(f"held = {'[' if is_list else '{'}{'' if is_list else '0: '}{writer.value()}{']' if is_list else '}'}")
    store = "held.append({})" if is_list and writer.draw(st.booleans()) else "held[0] = {}"
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.line(store.format(writer.value())))
    if "append" in store or writer.draw(st.booleans()):
        writer.line("else:")
        writer.block(lambda: writer.line(store.format(writer.value())))
    writer.line(f"{name} = held[{-1 if is_list else 0}]")
    writer.known(name)


def in_place(writer: Writer, depth: int) -> None:
    name = writer.target()
    writer.line(f"{name} = {writer.fill('{a} * 1.5')}")
    writer.known(name)
    change = writer.one_of(".add_(1.0)", f".mul_({writer.one_of(*writer.names)})", "[0] = 2.0", "[:, 1] *= 2.0")
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.line(name + change))


STATEMENTS = (
    plain, both_set, both_set, one_sets, one_sets, nested, ternary, early_return, both_return, idle_guard, projected,
    raising, asserting, speaking, augmented, stored, masked_loop, skipping_loop, skipping_loop, returning_loop,
    bounded_loop, endless_loop, endless_loop, summing_loop, container, in_place,
)  # fmt: skip


@st.composite
def programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> str:
    """The text of a module with a class `forward`."""
    writer = Writer(draw)
    for _ in range(draw(st.integers(1, 4))):
        writer.one_of(*STATEMENTS)(writer, 0)
    names = writer.locals or ["x"]
    results = (names[-1], f"{names[-1]} * 1.0", ", ".join(names), f"{names[-1]} + self.state * 0.5")
    writer.line(f"return {writer.one_of(*results)}")
    return HEAD + "\n".join(writer.lines) + "\n\n\nforward = Net\n"
