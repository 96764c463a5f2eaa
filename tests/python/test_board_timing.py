# SPDX-License-Identifier: BSD-3-Clause
"""The timing diagram of the board's pins agrees with the RTL and with the script that draws it."""

from __future__ import annotations

import subprocess
import sys

from hypermon._files import places


def test_the_diagram_is_that_of_the_present_rtl() -> None:
    command = [sys.executable, str(places.TREE / "scripts" / "board-timing"), "--digest"]
    digest = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.strip()
    image = (places.TREE / "docs" / "images" / "board-timing.svg").read_text(encoding="utf-8")
    assert f"Inputs: {digest} -->" in image, "run scripts/board-timing"
