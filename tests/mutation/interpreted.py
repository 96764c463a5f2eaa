# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of Python: the tests import one module as a mutation changes it; no file is touched."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.mutation.mutation import Mutation

TREE = Path(__file__).resolve().parents[2]
PYTEST = ("-m", "pytest", "-q", "-x", "--no-header", "--tb=no", "-rfE", "-p", "no:cacheprovider")
FAILED = 1  # pytest's exit status if tests failed; other values mean that the run did not take place


def killer(mutation: Mutation, seconds: float, python: str = sys.executable) -> str | None:
    """The first of the mutation's tests that fails with it; None if all pass."""
    module = ".".join(("hypermon", *Path(mutation.file).with_suffix("").parts)).removesuffix(".__init__")
    description = json.dumps({"module": module, "old": mutation.old, "new": mutation.new})
    hook = {"PYTHONPATH": str(Path(__file__).parent / "hook"), "HYPERMON_MUTATION": description}
    return failing_test(mutation.tests, seconds, python, hook)


def failing_test(tests: Sequence[str], seconds: float, python: str, environment: dict[str, str]) -> str | None:
    """The first test that fails or hangs; None if all pass."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as examples:
        own = {"PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_STORAGE_DIRECTORY": examples}
        command = [python, *PYTEST, *(f"tests/{test}" if "/" in test else f"tests/python/{test}" for test in tests)]
        try:
            done = subprocess.run(
                command,
                cwd=TREE,
                env=os.environ | own | environment,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{', '.join(tests)} (not done after {seconds:g} s)"
    if done.returncode == 0:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) tests/\S*?(\w+)\.py::(?:\w+::)?test_([^\s\[]+)", done.stdout, re.MULTILINE)
    if done.returncode != FAILED or not failed:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return f"{failed[1]}: {failed[2].replace('_', ' ')}"
