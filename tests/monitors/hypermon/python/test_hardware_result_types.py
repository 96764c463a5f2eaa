# SPDX-License-Identifier: BSD-3-Clause
"""Results of hardware that keeps statistics and loses many frames match the generated types."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.python.test_result_types import test_results_are_of_the_types as are_of_the_types


@pytest.mark.worker
def test_statistics_and_losses_are_of_the_types(worker: Path, tmp_path: Path) -> None:
    settings: dict[str, object] = {"drain.reduction": "statistics", "ecb.frame_fifo_frames": 1}
    are_of_the_types(worker, tmp_path, "hypermon", settings)
