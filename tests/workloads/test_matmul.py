# SPDX-License-Identifier: BSD-3-Clause
"""MatMul against NumPy's product. The last rank is the host."""

from __future__ import annotations

import numpy as np
import pytest

from tests.workloads.conftest import Run
from tests.workloads.splitmix import SplitMix64, stream_seed


def operand(size: int, seed: int, which: int) -> np.ndarray:
    random = SplitMix64(stream_seed(seed, which))
    return np.array([2 * random.uniform() - 1 for _ in range(size * size)]).reshape(size, size)


@pytest.mark.parametrize("nodes", [1, 2, 3, 8])
def test_the_product_is_right_on_any_number_of_nodes(answer: Run, nodes: int) -> None:
    size, seed = 50, 7  # 50 rows are no multiple of 3 or 8 nodes, and neither are those of 6 result blocks
    product = np.load(answer("matmul", nodes + 1, size=size, seed=seed))
    np.testing.assert_allclose(product, operand(size, seed, 0) @ operand(size, seed, 1), atol=1e-12)


def test_more_result_blocks_than_rows_are_as_many_as_rows(answer: Run) -> None:
    product = np.load(answer("matmul", 3, size=5, seed=1, result_blocks=100))
    np.testing.assert_allclose(product, operand(5, 1, 0) @ operand(5, 1, 1), atol=1e-14)
