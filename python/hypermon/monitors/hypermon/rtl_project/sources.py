# SPDX-License-Identifier: BSD-3-Clause
"""Designs: a scenario, the answer of a sizing, or a run, each with further settings."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypermon._engine import recording as recordings
from hypermon._engine.recording import Recording
from hypermon._files import files
from hypermon._inputs import platforms, scenario
from hypermon._model import worker
from hypermon._model.result import RESULT, Result
from hypermon._model.schema import Value, flat
from hypermon._model.spec import Spec
from hypermon.errors import UserError

if TYPE_CHECKING:
    from hypermon._engine.sizing import Size

WHERE = "--set"
SUFFIX = ".json"


@dataclass(frozen=True)
class Opened:
    """A design, and the recording of its run if there is one."""

    spec: Spec
    recording: Recording | None = None


def opened(
    source: str | os.PathLike[str] | Size | Recording,
    settings: Mapping[str, Any],
    presets: Sequence[str],
    platform: str | os.PathLike[str] | None,
) -> Opened:
    """Opens a design. Raises a UserError if there is none."""
    base = _base(source)
    if base is None:
        found = scenario.find_one(source, platform)  # type: ignore[arg-type]
        return Opened(found.resolve(worker.schema(), settings, presets, where=WHERE, build=False))
    platforms.refuse_on_recording(platform)
    changed = scenario.override(base.spec, worker.schema(), settings, presets, WHERE)
    return Opened(changed, base.recording)


def require_board(spec: Spec, board: int) -> None:
    """Raises a UserError if the machine does not have this board."""
    if spec.values["monitor"] != "hypermon":
        return  # structure.require_covered says so
    boards = -(-int(spec.values["nodes"]) // int(spec.values["ecb.inputs"]))
    if board >= boards:
        raise UserError(f"board {board}: must be less than {boards}, the number of boards")


def _base(source: object) -> Opened | None:
    """Returns the design of a run, a recording or a sizing. None: the source is a scenario."""
    if isinstance(source, Recording):
        return Opened(source.spec, source)
    if not isinstance(source, str | os.PathLike):
        size: Any = source
        return Opened(_of_size(size.to_dict(), "size"))
    path = Path(source)
    if recordings.is_recording(path):
        found = Recording(path)
        return Opened(found.spec, found)
    if (path / RESULT).is_file():
        result = Result(path)
        return Opened(Spec(str(result["scenario"]), flat(result["spec"])))
    if path.suffix == SUFFIX and path.is_file():
        return Opened(_of_size(_read(path), str(path)))
    return None


def _read(path: Path) -> Any:
    try:
        return json.loads(files.regular(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: is not the answer of hypermon size --json: {error}") from None


def _of_size(answer: object, where: str) -> Spec:
    """Returns the design of an answer of `hypermon size --json`."""
    if not isinstance(answer, Mapping) or not {"scenario", "value", "design"} <= set(answer):
        raise UserError(f"{where}: is not the answer of hypermon size --json")
    values: Mapping[str, Value] | None = answer["design"]
    if values is None:
        raise UserError(f"{where}: has no design, since no value of {answer.get('parameter')} meets the targets")
    known = worker.schema().parameters
    if not isinstance(values, Mapping) or not set(known) <= set(values):
        raise UserError(f"{where}: design: must have all parameters, as hypermon size --json writes them")
    return Spec(str(answer["scenario"]), dict(values))
