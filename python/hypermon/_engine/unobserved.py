# SPDX-License-Identifier: BSD-3-Clause
"""The same program without a monitor, which `slowdown` compares with."""

from __future__ import annotations

from collections.abc import Mapping

from hypermon._model import monitors, vocabulary
from hypermon._model.schema import Schema, Value, common_path

WITHOUT = {"monitor": monitors.NOBODY}


def of_program(settings: Mapping[str, Value], schema: Schema) -> dict[str, Value]:
    """The settings without those that only a monitor has: so that few runs serve many designs."""
    monitoring = {section for one in vocabulary.every() for section in one.emits}
    return {
        path: value
        for path, value in settings.items()
        if path.partition(".")[0] not in monitoring and not schema.parameters[common_path(path)].behind_ports
    }
