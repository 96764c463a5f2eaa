# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial's notebook is about HYPERMON."""

from tests.python.test_notebooks import NOTEBOOKS


def test_there_is_a_notebook_to_run() -> None:
    assert "docs/tutorial/is-1k-frames-enough.ipynb" in NOTEBOOKS
