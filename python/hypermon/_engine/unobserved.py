# SPDX-License-Identifier: BSD-3-Clause
"""A program without a monitor, the baseline of `slowdown`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hypermon._model import monitors, vocabulary
from hypermon._model.schema import Schema, Value, common_path

if TYPE_CHECKING:
    from hypermon._model.spec import Spec

WITHOUT = {"monitor": monitors.NOBODY}


def of_program(settings: Mapping[str, Value], schema: Schema) -> dict[str, Value]:
    """Removes the settings that only a monitor uses, so that many designs share the same baseline run."""
    monitoring = {section for one in vocabulary.every() for section in one.emits}
    return {
        path: value
        for path, value in settings.items()
        if path.partition(".")[0] not in monitoring and not schema.parameters[common_path(path)].behind_ports
    }


def kept_s(spec: Spec) -> float | None:
    """Returns the time of the same run without a monitor, if that run is in its default folder."""
    from hypermon._engine import runner
    from hypermon._model.result import RESULT, Result
    from hypermon.errors import UserError

    try:
        folder = runner.default_folder(spec.changed(WITHOUT))
        found: Any = Result(folder)["elapsed_s"] if (folder / RESULT).is_file() else None
    except (OSError, ValueError, KeyError, UserError):
        return None
    return None if found is None else float(found)
