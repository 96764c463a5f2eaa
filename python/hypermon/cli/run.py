# SPDX-License-Identifier: BSD-3-Clause
"""`hypermon run`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hypermon._printing import say
from hypermon.cli.common import (
    AllOption,
    ForceOption,
    QuietOption,
    ResultJsonOption,
    command,
    output_folder,
    output_plain_file,
    with_options,
)
from hypermon.cli.program import ProgramCommand, ProgramOptions, output_of_ranks, warn_of_input, warn_without_effect

if TYPE_CHECKING:
    from hypermon._engine.extras import Extras, Wanted
    from hypermon._engine.runner import Leaves
    from hypermon._model.result import Result
    from hypermon._model.spec import Spec


@dataclass(frozen=True)
class FileOptions:
    """The options that name files of a run."""

    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Run a program script (see `hypermon import`) instead of the scenario's program.",
            show_default=False,
        ),
    ] = None
    script_out: Annotated[
        Path | None,
        output_plain_file(
            metavar="FILE", help="Also write the program's calls as a program script.", show_default=False
        ),
    ] = None
    out: Annotated[
        Path | None,
        output_folder("--out", "-o", help="Run directory [default: runs/<scenario>-<hash>].", show_default=False),
    ] = None
    force: ForceOption = False
    with_activity: Annotated[
        bool,
        typer.Option("--activity", help="Also record when the ranks truly computed, as `hypermon judge` needs."),
    ] = False


@dataclass(frozen=True)
class TerminalOptions:
    """The options that choose what the terminal shows."""

    as_json: ResultJsonOption = False
    every: AllOption = False
    quiet: QuietOption = False
    show_output: Annotated[
        str | None,
        typer.Option(
            metavar="[RANK]",
            help="Print the standard output of all ranks, or of one rank, after the run. Without this"
            " option, the output of your own program is printed while it runs.",
        ),
    ] = None
    watch: Annotated[
        bool, typer.Option("--watch", help="Show samples of counters as they arrive: a table, or lines for a pipe.")
    ] = False

    def check(self) -> None:
        """Raises a UserError for options that exclude each other."""
        if self.show_output is None:
            return
        from hypermon._model import units
        from hypermon.errors import UserError, cut

        if self.show_output != "all" and units.whole(self.show_output) is None:
            raise UserError(f"--show-output {cut(self.show_output)}: must be a rank, or nothing for all")
        if self.as_json:
            raise UserError("--json and --show-output: only one of them")

    def output(self, spec: Spec) -> Callable[[str, bytes], None] | None:
        """A function that prints what the ranks write while they run."""
        return output_of_ranks(spec, self.quiet or self.watch or self.show_output is not None, self.as_json)


@command
def run(chosen: ProgramOptions, files: FileOptions, terminal: TerminalOptions, **of_monitors: Any) -> None:
    """Run one scenario or your own MPI program; print a summary and leave a run directory."""
    from hypermon._engine import runner
    from hypermon._files.files import keep
    from hypermon._model import activity
    from hypermon.cli import summary

    asked = _asked(of_monitors)
    terminal.check()
    _check_alone(asked, files, terminal)
    spec, question = _specified(chosen, files.trace)
    folder = files.out or runner.default_folder(spec)
    for target in filter(None, (folder, files.script_out)):
        keep(target, *chosen.named())
    pieces = activity.PIECES if files.with_activity else 0
    leaves = runner.Leaves(script=files.script_out, output=terminal.output(spec), activity=pieces)
    say_more = None
    if asked is not None:
        result, say_more = _with_extra(spec, folder, asked, files.force)
    else:
        result = _simulated(spec, folder, leaves, files.force, terminal.watch)
    if terminal.as_json:
        say(result.text, end="")
    else:
        command = chosen.words("run") if files.trace is None else []
        summary.print_run(result, question=question, spec=spec, command=command, every=terminal.every)
        _show_more(result, spec, terminal, files.script_out)
        if say_more is not None:
            say_more()


def _check_alone(asked: tuple[Extras, Wanted] | None, files: FileOptions, terminal: TerminalOptions) -> None:
    """Raises a UserError if a monitor's own options are combined with options that they exclude."""
    from hypermon.errors import UserError

    what = asked[0].WHAT if asked is not None else "--json"
    if files.script_out is not None and asked:
        raise UserError(f"--script-out and {what}: only one of them")
    if files.with_activity and asked:
        raise UserError(f"--activity and {what}: only one of them")
    if terminal.watch and (terminal.as_json or asked):
        raise UserError(f"--watch and {what}: only one of them")


def _specified(chosen: ProgramOptions, trace: Path | None) -> tuple[Spec, str]:
    """Returns the run's specification and its scenario's question. Warns of settings without effect."""
    from hypermon._model import worker
    from hypermon.errors import UserError

    scenario, given = chosen.scenario_or_none()
    if trace is not None:
        from hypermon.importing import replay

        if chosen.program:
            raise UserError("--program and --trace: only one of them")
        spec = replay.specify(trace, scenario, given, chosen.presets, platform=chosen.platform)
    elif scenario is not None:
        spec = scenario.on(chosen.platform).resolve(worker.schema(), given, chosen.presets)
    else:
        raise UserError("nothing to run: name a SCENARIO (see `hypermon scenarios`), or give a --program or a --trace")
    warn_of_input(spec.values)
    warn_without_effect(spec, given)
    return spec, scenario.question if scenario is not None else ""


def _with_extra(
    spec: Spec, folder: Path, asked: tuple[Extras, Wanted], force: bool
) -> tuple[Result, Callable[[], None]]:
    """Runs with the extra output that a monitor's own options request."""
    from hypermon._engine import progress

    extra, wanted = asked
    with progress.simulated_time(spec.scenario) as report:
        return extra.run(spec, folder, report, wanted, force)


def _simulated(spec: Spec, folder: Path, leaves: Leaves, force: bool, watch: bool) -> Result:
    """Simulates the run, with its progress or its samples on the terminal."""
    import dataclasses

    from hypermon._engine import progress, runner

    if watch:
        from hypermon.cli import watch as watching

        with watching.samples(spec.scenario) as show:
            return runner.simulate(spec, folder, leaves=dataclasses.replace(leaves, watch=show), force=force)
    with progress.simulated_time(spec.scenario) as report:
        return runner.simulate(spec, folder, report, leaves=leaves, force=force)


def _show_more(result: Result, spec: Spec, terminal: TerminalOptions, script: Path | None) -> None:
    """Prints further requested output."""
    if terminal.show_output is not None:
        say(result.output(None if terminal.show_output == "all" else int(terminal.show_output)), end="")
    if spec.values.get("workload") == "trace":
        from hypermon.cli.importing import show_lost_of

        show_lost_of(spec)
    if script is not None:
        from hypermon.cli.importing import show_script
        from hypermon.importing.script import Script

        show_script(Script.open(script))


def _asked(options: dict[str, Any]) -> tuple[Extras, Wanted] | None:
    """Returns the request that the monitors' own options make, and the module that handles it."""
    from hypermon._engine import extras

    for extra in extras.every():
        wanted = extra.wanted(**{name: options[name] for name in extra.OPTIONS})
        if wanted is not None:
            return extra, wanted
    return None


def add(app: typer.Typer) -> None:
    from hypermon._engine import extras

    own = {name: of for extra in extras.every() for name, of in extra.OPTIONS.items()}
    app.command(cls=ProgramCommand)(with_options(run, own))
