"""The command line. Every command returns its exit code: 0 clean, 1 diagnostics left, 2 usage or internal error."""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from graphmend_lint import __version__
from graphmend_lint.budget import DEBUG
from graphmend_lint.config import Options, Settings, load_settings
from graphmend_lint.keys import FORMATS, ConfigError, suggestion
from graphmend_lint.source import SourceError

LAZY = ("verify", "demo", "trace", "run")  # these bring the verifier, which linting does without


class Commands(click.Group):
    """Commands, of which `check` is the one that is meant if none is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {*self.list_commands(ctx), "--help", "-h", "--version", "-V"}
        if args and args[0] not in known:
            args = ["check", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *LAZY]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in LAZY:
            return super().get_command(ctx, cmd_name)
        from graphmend_lint.verify import command

        found = getattr(command, cmd_name)
        assert isinstance(found, click.Command)
        return found


def codes(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...] | None:
    """Codes given as `--select GM1,GM301` or by repeating the option; None if the option is not there."""
    named = [code.strip() for each in value for code in each.split(",") if code.strip()]
    return tuple("GM" if code == "ALL" else code for code in named) if value else None


def codes_option(name: str, text: str) -> Callable[[Any], Any]:
    return click.option(name, multiple=True, callback=codes, metavar="CODES", help=text)


cache_dir_option = click.option(
    "--cache-dir",
    envvar="GRAPHMEND_LINT_CACHE_DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to keep what a run said. Default: .graphmend_lint_cache, beside the configuration.",
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(__version__, "-V", "--version", prog_name="graphmend-lint", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> int:
    """Find what breaks the graph under torch.compile, fix it in your source, and prove the fix.

    `graphmend-lint PATH...` lints; see `graphmend-lint check --help` for its options.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)
    return 0


@cli.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--fix", is_flag=True, help="Apply fixes that keep the meaning.")
@click.option("--unsafe-fixes/--no-unsafe-fixes", default=None, help="Count fixes that may change something in.")
@click.option("--fix-only", is_flag=True, help="Apply fixes; do not report what is left.")
@click.option("--diff", is_flag=True, help="Show what --fix would change; write nothing. Exit 1 if there is anything.")
@click.option(
    "--verify", multiple=True, metavar="TARGET", help="Keep only fixes that torch proves with it, unsafe ones too."
)
@codes_option("--select", "Codes, or beginnings of codes, to run instead of those configured.")
@codes_option("--ignore", "Codes, or beginnings of codes, to leave out.")
@codes_option("--extend-select", "Codes to run in addition.")
@click.option("--output-format", type=click.Choice(FORMATS), help="How to show diagnostics. Default: full.")
@click.option("-o", "--output-file", type=click.Path(path_type=Path, dir_okay=False), help="Write the report there.")
@click.option("--statistics", is_flag=True, help="Count diagnostics by rule.")
@click.option("--show-chain", is_flag=True, default=None, help="Show how an entry point reaches each diagnostic.")
@click.option("--show-fixes", is_flag=True, default=None, help="Show what each fix changes.")
@click.option("-e", "--exit-zero", is_flag=True, help="Exit 0 even if there are diagnostics.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit 1 if a file was fixed, even if nothing is left.")
@click.option("--config", type=click.Path(path_type=Path), help="The configuration file to use.")
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.option("--force-exclude", is_flag=True, default=None, help="Exclude files even if they are named.")
@click.option("--extend-exclude", multiple=True, metavar="PATTERN", help="Leave out matching files in addition.")
@click.option("--stdin-filename", type=click.Path(path_type=Path), help="What to call the text that comes in as `-`.")
@click.option("--add-noqa", is_flag=True, help="Write a suppression comment for every diagnostic.")
@click.option("--unused-suppressions", is_flag=True, help="Report comments that silence nothing; --fix removes them.")
@cache_dir_option
@click.option("--no-cache", is_flag=True, help="Neither use what an earlier run said nor keep what this one says.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), help="Processes to use at most. Default: one per core.")
@click.option("-w", "--watch", is_flag=True, help="Lint again whenever a file changes.")
@click.option("--show-settings", is_flag=True, help="Print the settings for these paths, and stop.")
@click.option("--show-files", is_flag=True, help="Print the files that would be linted, and stop.")
@click.option("-q", "--quiet", is_flag=True, help="Print diagnostics, but no closing line.")
def check(paths: tuple[Path, ...], **options: Any) -> int:
    """Lint files and folders (default: this folder); `-` is standard input."""
    paths = paths or (Path(),)
    settings = settings_for(paths, options)
    if options.pop("show_settings"):
        return show_settings(settings)
    if options["verify"] and (not (options["fix"] or options["fix_only"] or options["diff"]) or Path("-") in paths):
        raise click.UsageError("--verify goes with --fix, --fix-only or --diff, and with files.")
    chosen = Options(**{name: options[name] for name in Options._fields})
    plain = not (chosen.fixes or chosen.add_noqa or options["show_files"] or options["watch"] or Path("-") in paths)
    if plain and not options["no_cache"]:
        from graphmend_lint import cache

        return cache.check(paths, settings, chosen)
    from graphmend_lint.check import Run, show_files

    if options["show_files"]:
        return show_files(paths, settings)
    if options["watch"]:
        from graphmend_lint.watch import watch

        watch(paths, settings, lambda: Run(paths, settings, chosen)())
    return Run(paths, settings, chosen)()


def settings_for(paths: Sequence[Path], options: dict[str, Any]) -> Settings:
    """The configured settings, changed by what the command line says."""
    named = [options["stdin_filename"] or Path() if path == Path("-") else path for path in paths]
    settings = load_settings(named, options["config"], options["isolated"])
    if options["cache_dir"] is not None:
        settings = settings._replace(cache_dir=options["cache_dir"].absolute())
    if options["select"] is not None:
        settings = settings._replace(select=options["select"], ignore=())
    for name in ("output_format", "unsafe_fixes", "show_chain", "show_fixes", "force_exclude"):
        if options[name] is not None:
            settings = settings._replace(**{name: options[name]})
    return settings._replace(
        select=(*settings.select, *(options["extend_select"] or ())),
        ignore=(*settings.ignore, *(options["ignore"] or ())),
        exclude=(*settings.exclude, *options["extend_exclude"]),
    )


def show_settings(settings: Settings) -> int:
    from graphmend_lint.options import shown
    from graphmend_lint.rule import load_rules

    rules = load_rules()
    settings.check(rules)
    rows = settings.as_table()
    del rows["rules"]
    rows |= {f"rules.{name}": value for name, value in shown(settings.rules, rules.values())}
    for name, value in rows.items():
        click.echo(f"{name} = {list(value) if isinstance(value, tuple) else str(value)!r}")
    return 0


@cli.command()
@click.argument("name", metavar="CODE", required=False)
@click.option("--all", "every", is_flag=True, help="All rules.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def rule(name: str | None, every: bool, output_format: str) -> int:
    """Print a rule's page: what it finds, why that breaks the graph, and how safe its fix is."""
    from graphmend_lint.comments import unused_rule
    from graphmend_lint.docs import as_json, as_text
    from graphmend_lint.keys import UNUSED
    from graphmend_lint.rule import load_rules

    rules = load_rules() | {UNUSED: unused_rule()}
    if every == (name is not None):
        raise click.UsageError("Name one rule, or give --all.")
    chosen = [each for each in rules.values() if every or name in (each.code, each.name)]
    if not chosen:
        close = suggestion(str(name), [*rules, *(each.name for each in rules.values())])
        raise click.UsageError(f"unknown rule `{name}`{close}")
    click.echo(as_json(chosen, every) if output_format == "json" else as_text(chosen))
    return 0


@cli.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite a file that differs.")
def vendor(folder: Path, force: bool) -> int:
    """Write `_compiled_effects.py` into a package, for fixes under `side-effects = "vendor"`."""
    from graphmend_lint.vendor import NAME, VendorError, write

    try:
        written = write(folder, force=force)
    except VendorError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"wrote {written}" if written else f"{folder / NAME} is up to date")
    return 0


@cli.command()
@cache_dir_option
@click.option("--config", type=click.Path(path_type=Path), help="The configuration file to use.")
def clean(cache_dir: Path | None, config: Path | None) -> int:
    """Remove what earlier runs in this folder have kept."""
    from graphmend_lint.cache import folder, is_elsewhere
    from graphmend_lint.store import Store

    settings = load_settings([Path()], config)
    there = cache_dir or folder(settings)
    if not cache_dir and is_elsewhere(settings):
        raise ConfigError(f"{there}: leads out of the project; --cache-dir takes any other place")
    try:
        removed = Store(there).clean()
    except OSError as error:
        raise ConfigError(f"{there}: cannot be removed: {error.strerror or error}") from None
    except ValueError as error:
        raise ConfigError(str(error)) from None
    click.echo(f"removed {there}" if removed else "nothing to remove")
    return 0


@cli.command()
def server() -> int:
    """Serve an editor: the language server protocol over standard input and output."""
    if importlib.util.find_spec("pygls") is None:
        raise click.ClickException('server needs pygls: pip install "graphmend-lint[lsp]"')
    from graphmend_lint.lsp.answers import main as serve

    gc.enable()  # unlike a run, a server goes on
    serve()
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; whatever goes wrong is one line and exit code 2, never a traceback."""
    gc.disable()  # syntax trees hold no cycles, and looking for some takes a third of the time
    try:
        code = int(cli.main(arguments, prog_name="graphmend-lint", standalone_mode=False) or 0)
        if not sys.stdout.closed:  # the language server closes it
            sys.stdout.flush()
        return code
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (ConfigError, SourceError) as error:
        return _fail(str(error))
    except (KeyboardInterrupt, click.Abort):
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        return _fail(f"internal error: {what} (please report; {DEBUG}=1 shows the traceback)")


def program() -> NoReturn:
    """The program: `main`, then out at once, since freeing the syntax trees one by one takes a fifth of a run."""
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _fail(line: str) -> int:
    print(line, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
