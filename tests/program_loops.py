"""The loops of random programs."""

from __future__ import annotations

from hypothesis import strategies as st
from program_writer import TESTS, Writer, plain


def masked_loop(writer: Writer, depth: int) -> None:
    writer.turn = ""
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line("for _ in range(3):")

    def body() -> None:
        writer.assign_calmly(name)
        writer.line(f"if {writer.test()}:")
        writer.block(lambda: writer.line("break"))

    writer.block(body)


def loop(writer: Writer) -> None:
    writer.turn = writer.one_of("k", "row")
    writer.line("for k in range(3):" if writer.turn == "k" else f"for row in {writer.one_of(*writer.names)}:")


def skipping_loop(writer: Writer, depth: int) -> None:
    """Turns are cut short, or the loop ends, in several ways."""
    if not writer.locals:
        plain(writer, depth)
    name, other = writer.one_of(*writer.locals), writer.one_of(*writer.locals)
    loop(writer)

    def body() -> None:
        if writer.draw(st.booleans()):
            writer.assign_calmly("near")
            writer.known("near")
        for _ in range(writer.draw(st.integers(1, 2))):
            writer.assign_calmly(name)
            writer.line(f"if {writer.test()}:")
            writer.block(lambda: leaving(writer, other))
        writer.assign_calmly(other)

    writer.block(body)


def leaving(writer: Writer, name: str) -> None:
    if writer.draw(st.booleans()):
        writer.assign_calmly(name)
    writer.line(writer.one_of("break", "continue", "continue"))


def returning_loop(writer: Writer, depth: int) -> None:
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    loop(writer)

    def body() -> None:
        writer.assign_calmly(name)
        writer.line(f"if {writer.test()}:")
        writer.block(lambda: writer.line(f"return {writer.one_of(name, writer.value(), f'{name} * 2.0')}"))

    writer.block(body)


def bounded_loop(writer: Writer, depth: int) -> None:
    """Python counts, too."""
    writer.turn = ""
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line("turns = 0")
    writer.line(f"while {writer.one_of('turns < 3 and ', 'turns < n and ')}{writer.fill(writer.one_of(*TESTS[:7]))}:")

    def body() -> None:
        writer.assign_calmly(name)
        writer.line("turns += 1")
        if writer.draw(st.booleans()):
            writer.line(f"{name} = {name} * 0.5 + turns")

    writer.block(body)


def endless_loop(writer: Writer, depth: int) -> None:
    """A value that shrinks, whatever it is at first."""
    shape = writer.one_of(*SHRINKING)
    if not writer.locals:
        plain(writer, depth)
    name, other = writer.one_of(*writer.locals), writer.one_of(*writer.locals)
    mixed = writer.fill(writer.one_of("{a} * 0.5", "{a} + {b}", "{b}", "{a}.tanh() + {b}"))
    for line in shape.replace("{name}", name).replace("{other}", other).replace("{mixed}", mixed).split("|"):
        writer.line(line)


SHRINKING = (
    "while {name}.abs().max() > 1:|    {name} = ({name} * 0.5).clamp(-4.0, 4.0)",
    "while {name}.abs().max().item() > 1:|    part = ({name} * 0.5).clamp(-4.0, 4.0)|    {name} = part * 0.75",
    "if {name} is not {other}:|    while not {name}.abs().max() < 1 and not torch.isnan({name}).any():"
    "|        {name} = ({name} * 0.5).clamp(-4.0, 4.0)|        {other} = {other} * 0.5 + {name}",
    "{other} = {mixed}|while {name}.abs().max() > 1:|    {name} = ({name} * 0.5).clamp(-4.0, 4.0)",
    "while True:|    {name} = ({name} * 0.5).clamp(-4.0, 4.0)|    if not {name}.abs().max() > 1:|        break",
    "while True:|    part = ({name} * 0.5).clamp(-4.0, 4.0)|    if not part.abs().max() > 1:|        break"
    "|    {name} = part * 0.5",
    "count = ({name} > 0).sum()|for k in range(count):|    {name} = {name} * 0.5 + k",
    "count = ({other} > 1).sum()|for k in range(count):|    {name} = {name} * 0.5 + {mixed} * 0.25",
)


def summing_loop(writer: Writer, depth: int) -> None:
    """A list of as many tensors as turns count."""
    writer.turn = ""
    name, total = writer.target(), writer.one_of("sum(seen)", "torch.stack(seen).sum(0)")
    writer.line(f"{name} = {writer.value()}")
    writer.known(name)
    writer.line("seen = []")
    writer.line("for _ in range(3):")

    def body() -> None:
        writer.assign_calmly(name)
        writer.line(f"seen.append({writer.one_of(name, f'{name} * 2.0')})")
        writer.line(f"if {writer.test()}:")
        writer.block(lambda: writer.line("break"))

    writer.block(body)
    writer.line(f"{name} = {total}")
