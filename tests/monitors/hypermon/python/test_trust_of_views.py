# SPDX-License-Identifier: BSD-3-Clause
"""Nothing that somebody sent starts a program: views of waves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hypermon.errors import UserError
from hypermon.monitors.hypermon.waves import views


def test_a_view_cannot_tell_gtkwave_to_start_a_program(tmp_path: Path) -> None:
    view = {"about": "?", "windows": {"before": 1, "after": 1}}
    group = {"title": "x\n^>1 /tmp/evil", "colour": "red", "signals": ["board.*"]}
    (tmp_path / "view.yaml").write_text(json.dumps({**view, "groups": [group]}))
    with pytest.raises(UserError, match=r"title = .*: must be one line"):
        views.load(str(tmp_path / "view.yaml"))
