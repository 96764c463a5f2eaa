# SPDX-License-Identifier: BSD-3-Clause
"""Specification of a program without a monitor, the baseline of `slowdown`."""

from __future__ import annotations

from collections.abc import Mapping

from hypermon._model import monitors, vocabulary
from hypermon._model.schema import Schema, Value, common_path

WITHOUT = {"monitor": monitors.NOBODY}


def of_program(settings: Mapping[str, Value], schema: Schema) -> dict[str, Value]:
    """Removes the settings that only a monitor uses, so that many designs share the same baseline run."""
    monitoring = {section for one in vocabulary.every() for section in one.emits}
    return {
        path: value
        for path, value in settings.items()
        if path.partition(".")[0] not in monitoring and not schema.parameters[common_path(path)].behind_ports
    }
