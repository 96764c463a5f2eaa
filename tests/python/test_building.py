# SPDX-License-Identifier: BSD-3-Clause
"""Messages of builds that fail."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_building_says_in_one_error_all_that_is_missing(tmp_path: Path) -> None:
    cmake, ninja = shutil.which("cmake"), shutil.which("ninja")
    assert cmake
    assert ninja
    # As pip builds it, without the headers and without a compiler on PATH.
    words = [f"-DCMAKE_MAKE_PROGRAM={ninja}", "-DCMAKE_IGNORE_PATH=/usr/include", "-DSKBUILD=2"]
    done = subprocess.run(
        [cmake, "-G", "Ninja", "-S", ROOT, "-B", tmp_path / "build", *words, f"-DPython_INCLUDE_DIR={tmp_path}"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.count("CMake Error") == 1, done.stderr
    missing = "g++ libsimgrid-dev libsystemc-dev nlohmann-json3-dev python3-dev"
    assert f"apt-get install {missing}" in " ".join(done.stderr.split())
