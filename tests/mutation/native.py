# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of C++: built in a copy of the tree, and tested by its test programs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
CONFIGURATION = ("-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1")


class Copy:
    """A copy of the tree, configured and built in a folder that its owner removes."""

    def __init__(self, below: Path) -> None:
        self.tree = below / "tree"
        skipped = shutil.ignore_patterns("build", ".git", ".venv", "runs", "__pycache__", ".*_cache")
        shutil.copytree(TREE, self.tree, symlinks=True, ignore=skipped)
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        if error := self._quietly("cmake", "-B", "build", *CONFIGURATION, *launcher):
            sys.exit(error)

    def build(self, *programs: str) -> str | None:
        """The compiler's message; None if the build succeeds."""
        return self._quietly("ninja", "-C", "build", *programs)

    def mutate(self, file: str, old: str, new: str) -> None:
        source = self.tree / file
        text = source.read_text()
        if (found := text.count(old)) != 1:
            sys.exit(f"{file} has {found} times: {old}")
        source.write_text(text.replace(old, new))

    def restore(self, file: str) -> None:
        shutil.copyfile(TREE / file, self.tree / file)

    def failing_test(self, program: str, tests: str, seconds: float, **environment: str) -> str | None:
        """The first test of a Catch2 program that fails, crashes or hangs; None if all pass."""
        built = next((self.tree / "build").glob(f"**/{program}"))
        command = [str(built), *([tests] if tests else []), "--abort", "--reporter", "xml"]
        how = ""
        try:
            done = subprocess.run(
                command, env=os.environ | environment, capture_output=True, timeout=seconds, check=False
            )
            if done.returncode == 0:
                return None
            if done.returncode < 0:
                how = f" (signal {-done.returncode})"
            output = done.stdout
        except subprocess.TimeoutExpired as expired:
            how = f" (not done after {seconds:g} s)"
            output = expired.stdout or b""
        started = re.findall(rb'<TestCase name="([^"]*)"', output)
        return (started[-1].decode() if started else "at the start") + how

    def _quietly(self, *command: str) -> str | None:
        done = subprocess.run(
            command, cwd=self.tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        return None if done.returncode == 0 else done.stdout
