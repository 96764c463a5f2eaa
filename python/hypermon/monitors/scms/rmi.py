# SPDX-License-Identifier: BSD-3-Clause
"""RMI from Python: a client of SCMS/RMS that drives simulated time.

with hypermon.rmi(platform="beowulf", nodes=8) as rmi:
    rmi.sleep(2)
    print(rmi.now, rmi.get(None, "hardware.load", mode="synchronous").values_of("hardware.load"))
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, Unpack

from hypermon._engine import runner
from hypermon._files import files, places, results
from hypermon._inputs import platforms, programs
from hypermon._inputs import scenario as scenarios
from hypermon._inputs.programs import workspace
from hypermon._model import argument_checks, samples, worker
from hypermon._model.result import RECORDING, Result
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon.monitors.scms import calls

if TYPE_CHECKING:
    from hypermon.parameters import Parameters

Mode = Literal["asynchronous", "synchronous"]
_MODES = ("asynchronous", "synchronous")


class Answer(NamedTuple):
    """Result of one request.

    Attributes:
        asked_s: Time of the request, in simulated seconds since the run's begin.
        answered_s: Time at which the answer arrived.
        nodes: The nodes, in ascending order.
        resources: Names of the resources.
        values: A row for each node, with a number for each resource. None for a value that did not arrive.
        taken_s: Time at which each value was read, in the same rows.
        states: State of each value: ok; missing (its node is dead, or did not answer in time); outside (not below the
            SMA); unprovided (no plug-in that is loaded there provides it); uncached (it is not pushed, or none has
            arrived yet); error (its plug-in crashed or cannot be loaded).
    """

    asked_s: float
    answered_s: float
    nodes: list[int]
    resources: list[str]
    values: list[list[int | None]]
    taken_s: list[list[float | None]]
    states: list[list[str]]

    def values_of(self, resource: str) -> dict[int, int]:
        """Values of the resource by node, for those that arrived."""
        place = self._place(resource)
        rows = zip(self.nodes, self.values, strict=True)
        return {node: value for node, row in rows if (value := row[place]) is not None}

    def ages_s(self, resource: str) -> dict[int, float]:
        """Latency of each node's value when the answer arrived, in seconds."""
        place = self._place(resource)
        rows = zip(self.nodes, self.taken_s, strict=True)
        return {node: self.answered_s - taken for node, row in rows if (taken := row[place]) is not None}

    def _place(self, resource: str) -> int:
        if resource not in self.resources:
            raise UserError(f"{resource}: was not requested; requested were {', '.join(self.resources)}")
        return self.resources.index(resource)


class Rmi:
    """A session of `hypermon.rmi`. Calls return when the simulated answer has arrived; between calls, time stands
    still.
    """

    def __init__(self, spec: Spec, out: str | os.PathLike[str], sma: int, force: bool) -> None:
        self._spec, self._out, self._sma, self._force = spec, Path(out), sma, force
        self._open = contextlib.ExitStack()
        self._worker: calls.Worker | None = None
        self._partial = self._out
        self._now_ps = 0

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as opened:
            files.keep(self._out, *files.named_by(self._spec.values))
            lost = (RECORDING, runner.WAVES)
            self._partial = opened.enter_context(
                results.whole_folder(self._out, runner.RUN, force=self._force, lost=lost)
            )
            spec_file = self._partial / runner.SPEC
            with files.naming(self._out / runner.SPEC):
                spec_file.write_text(self._spec.to_json(), encoding="utf-8")
            opened.enter_context(workspace.prepared_folder(self._spec.values, self._partial))
            platform = opened.enter_context(platforms.written(self._spec.values, self._partial))
            self._worker = opened.enter_context(calls.started(spec_file, self._partial, platform))
            self._worker.send("attach", sma=self._sma)
            self._call("now")
            self._open = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._worker is None:
            return  # finished
        self._worker = None
        with contextlib.suppress(_Given):
            self._open.__exit__(_Given, _Given(), None)  # there was no run: its folder is abandoned

    @property
    def now(self) -> float:
        """Simulated seconds since the run's begin."""
        return self._now_ps / 1e12

    def live_nodes(self) -> list[int]:
        """The nodes that are live according to the SMA, in ascending order."""
        return [int(node) for node in self._call("live_nodes")["nodes"]]

    def resources(self) -> list[str]:
        """Names of the resources that the plug-ins provide. Takes no simulated time."""
        return [str(name) for name in self._call("resources")["resources"]]

    def get(
        self, nodes: Iterable[int] | int | None, resources: str | Sequence[str], mode: Mode = "asynchronous"
    ) -> Answer:
        """Requests values of resources.

        Args:
            nodes: The nodes. None: all nodes.
            resources: Names (`hardware.load`) or numbers (`1:1`), separated by blanks or in a list.
            mode: asynchronous: from caches; synchronous: from the nodes themselves.

        Raises:
            UserError: No plug-in provides a resource, or a node does not exist.
            SimulationError: The run ended before the answer arrived.
        """
        if mode not in _MODES:
            raise UserError(f"mode = {mode}: must be {' or '.join(_MODES)}")
        wanted = resources if isinstance(resources, str) else " ".join(resources)
        return _answer(self._call("get", nodes=_numbers(nodes), resources=wanted, mode=mode))

    def load(self, plugin: str, nodes: Iterable[int] | int | None = None) -> dict[int, str]:
        """Loads a plug-in on these nodes, or on all. Returns by node ok, error (it cannot be loaded) or missing."""
        return self._manage("load", plugin, nodes)

    def unload(self, plugin: str, nodes: Iterable[int] | int | None = None) -> dict[int, str]:
        """Unloads a plug-in on these nodes, or on all. Returns by node ok, error (it was not loaded) or missing."""
        return self._manage("unload", plugin, nodes)

    def sleep(self, seconds: float) -> None:
        """Lets simulated time pass. Raises SimulationError if the run ends before that."""
        if not (math.isfinite(seconds) and 0 <= seconds <= 1e6):
            raise UserError(f"seconds = {seconds}: must be from 0 to 1e6")
        self._call("sleep", seconds=float(seconds))

    def finish(self) -> Result:
        """Lets the run continue to its end, and closes the session. Returns the run's result, which is in its
        folder.
        """
        one = self._of_session()
        one.send("finish")
        self._worker = None
        with self._open:
            one.wait()
            samples.assemble(self._partial)
            runner.seal(self._partial)
        return Result(self._out)

    def _manage(self, verb: str, plugin: str, nodes: Iterable[int] | int | None) -> dict[int, str]:
        answer = _answer(self._call(verb, plugin=plugin, nodes=_numbers(nodes)))
        return {node: row[0] for node, row in zip(answer.nodes, answer.states, strict=True)}

    def _call(self, verb: str, **arguments: object) -> dict[str, Any]:
        answer = self._of_session().call(verb, **arguments)
        self._now_ps = int(answer["now_ps"])
        return answer

    def _of_session(self) -> calls.Worker:
        if self._worker is None:
            raise UserError("the session is closed: calls must be inside `with hypermon.rmi(...) as rmi:`")
        return self._worker


class _Given(Exception):  # noqa: N818 (no error)
    """Raised so that whole_folder removes its folder."""


def rmi(
    scenario: str | os.PathLike[str] | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    presets: Sequence[str] = (),
    platform: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    sma: int = 0,
    force: bool = False,
    **parameters: Unpack[Parameters],
) -> Rmi:
    """Opens a client of SCMS/RMS in a run under monitor `scms`. Use it as `with hypermon.rmi(...) as rmi:`.

    Args:
        scenario: As in `hypermon.run`. Without one, parameters have their defaults and the observed nodes are idle.
        settings: Parameters by dotted path, as in `hypermon.run`.
        presets: Named groups of parameters. Later ones override earlier ones.
        platform: The machine: a name (`hypermon platforms`) or a file; by default that of the scenario.
        out: The run directory that `finish` writes, by default runs/rmi-<hash>.
        sma: Number of the SMA to which the client is attached: 0 is the root.
        force: As in `hypermon.run`.
        parameters: By name (`nodes=4`) or section, as in `hypermon.run`.

    Returns:
        The session.

    Raises:
        UserError: A parameter or file is not allowed.

    Example:
        >>> with hypermon.rmi(platform="beowulf", nodes=4) as rmi:
        ...     rmi.sleep(0.5)
        ...     answer = rmi.get([0, 1], "hardware.load", mode="synchronous")
        ...     print(answer.values_of("hardware.load"), rmi.now > 0.5)
        {0: 0, 1: 0} True
    """
    given: dict[str, Any] = dict(parameters)
    chosen = {"monitor": "scms", **argument_checks.settings(settings, programs.settings(given), rmi)}
    if scenario is None and "workload" not in chosen:
        chosen["workload"] = "idle"
    base = (
        scenarios.find_one(scenario)
        if scenario is not None
        else scenarios.Scenario("rmi", places.scenarios(), "", (), ())
    )
    spec = base.on(platform).resolve(worker.schema(), chosen, presets, where="hypermon.rmi")
    if spec.values["monitor"] != "scms":
        raise UserError(f"monitor = {spec.values['monitor']}: has no RMI, must be scms")
    return Rmi(spec, Path(out) if out is not None else runner.RUNS / f"rmi-{spec.hash}", sma, force)


def _numbers(nodes: Iterable[int] | int | None) -> list[int] | None:
    if nodes is None:
        return None
    several = nodes if isinstance(nodes, Iterable) else [nodes]
    return sorted({argument_checks.integer("nodes", node, 0) for node in several})


def _answer(raw: Mapping[str, Any]) -> Answer:
    width = len(raw["resources"])

    def rows(name: str) -> list[Any]:
        return [raw[name][at : at + width] for at in range(0, len(raw[name]), width)]

    taken = [[None if ps is None else ps / 1e12 for ps in row] for row in rows("taken_ps")]
    return Answer(
        raw["asked_ps"] / 1e12, raw["now_ps"] / 1e12, raw["nodes"], raw["resources"], rows("values"), taken,
        rows("states"),
    )  # fmt: skip
