# SPDX-License-Identifier: BSD-3-Clause
"""Views of waves that somebody else made never start a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hypermon._engine import wave_files
from hypermon.errors import UserError
from hypermon.monitors.hypermon.waves import views, window


def test_a_view_cannot_tell_gtkwave_to_start_a_program(tmp_path: Path) -> None:
    view = {"about": "?", "windows": {"before": 1, "after": 1}}
    group = {"title": "x\n^>1 /tmp/evil", "colour": "red", "signals": ["board.*"]}
    (tmp_path / "view.yaml").write_text(json.dumps({**view, "groups": [group]}))
    with pytest.raises(UserError, match=r"title = .*: must be one line"):
        views.load(str(tmp_path / "view.yaml"))


@pytest.mark.parametrize("name", ["x\n^>1 evil.vcd", "x\r.vcd", "\x1b.vcd", "new\nfolder/x.vcd"])
def test_a_name_with_line_breaks_gets_into_no_view(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new\nfolder").mkdir()
    with pytest.raises(UserError, match=r"must have no control characters: a view for GTKWave has to name it"):
        wave_files.check(tmp_path / name, force=False, instead="")
    path = tmp_path / name.replace("folder/", "")
    with (
        pytest.raises(UserError, match="must have no control characters"),
        views.writing(path, {}, window.Window(0, 1), 1, views.load("overview"), {}),
    ):
        pass
    assert not list(tmp_path.glob("**/*.gtkw"))
