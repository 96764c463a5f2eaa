# SPDX-License-Identifier: BSD-3-Clause
"""Costs of designs, and the allowed values of parameters."""

from __future__ import annotations

import pytest

from hypermon._model import allowed, cost
from hypermon._model.schema import Parameter, Schema, Value
from hypermon.errors import UserError
from hypermon.monitors.hypermon import costs
from tests.python.fake_worker import describe

SCHEMA = Schema.from_json(describe())
PROTOTYPE: dict[str, Value] = {
    "nodes": 16,
    "port.width_bits": 4,
    "ecb.inputs": 16,
    "ecb.node_fifo_entries": 64,
    "ecb.vector_fifo_entries": 64,
    "ecb.frame_fifo_frames": 1024,
    "ecb.accumulate_bits": 0,
    "ecb.timestamp_bits": 32,
    "pbx.word_ns": 800,
}
FRAME_BITS = 128  # a frame has four words
NODE_FIFO_BITS = 16 * 64 * 4
VECTOR_BITS = 64 * (16 + 32)


def number(**limits: object) -> Parameter:
    data = {"path": "p.q", "type": "int", "unit": "", "default": 1, "description": "", "source": ""}
    return Parameter.from_json(data | limits)


@pytest.mark.parametrize(
    ("changed", "bits"),
    [
        ({}, 1024 * FRAME_BITS + NODE_FIFO_BITS + VECTOR_BITS),
        ({"ecb.frame_fifo_frames": 1025}, 1025 * FRAME_BITS + NODE_FIFO_BITS + VECTOR_BITS),
        # 17 nodes need a second board
        ({"nodes": 32}, 2 * (1024 * FRAME_BITS + NODE_FIFO_BITS + VECTOR_BITS)),
        ({"nodes": 32, "ecb[1].frame_fifo_frames": 1}, 1025 * FRAME_BITS + 2 * (NODE_FIFO_BITS + VECTOR_BITS)),
        # 16 inputs of 8 bits: four data words, one vector word, one timestamp word
        ({"port.width_bits": 8}, 1024 * 6 * 32 + 2 * NODE_FIFO_BITS + VECTOR_BITS),
        ({"ecb.accumulate_bits": 32}, 1024 * 18 * 32 + 8 * NODE_FIFO_BITS + VECTOR_BITS),
        ({"ecb.timestamp_bits": 33}, 1024 * 5 * 32 + NODE_FIFO_BITS + VECTOR_BITS + 64),
    ],
)
def test_memory_is_the_bits_of_all_fifos_of_all_boards(changed: dict[str, Value], bits: int) -> None:
    assert costs.memory_bits(PROTOTYPE | changed) == bits
    assert cost.evaluate("cost.memory_bits", PROTOTYPE | changed) == bits


def test_bandwidth_is_a_word_per_word_time_and_board() -> None:
    assert costs.bandwidth_bytes_per_s(PROTOTYPE) == pytest.approx(4 / 800e-9)  # the paper's 5 MB/s
    assert costs.bandwidth_bytes_per_s(PROTOTYPE | {"nodes": 64, "pbx.word_ns": 400}) == pytest.approx(4 * 4 / 400e-9)


def test_a_cost_may_weigh_costs_and_parameters_or_be_a_function() -> None:
    mixed = "cost.memory_bits / 8192 + 2 * cost.bandwidth_bytes_per_s / 1e6 + ecb.inputs"
    assert cost.evaluate(mixed, PROTOTYPE) == pytest.approx(costs.memory_bits(PROTOTYPE) / 8192 + 2 * 5 + 16)
    assert cost.evaluate(lambda values: len(values), PROTOTYPE) == len(PROTOTYPE)


@pytest.mark.parametrize("wrong", ["cost.memory_bit", "ecb.framefifo", "1 +", "nodes > 3", "cost"])
def test_what_is_no_cost_is_answered_with_those_there_are(wrong: str) -> None:
    with pytest.raises(UserError, match=r"^cost") as caught:
        cost.evaluate(wrong, PROTOTYPE)
    assert "number" in str(caught.value) or "cost.bandwidth_bytes_per_s" in str(caught.value)


@pytest.mark.parametrize(
    ("parameter", "wanted", "value"),
    [
        (number(min=50, max=1000, multiple_of=50), 74.9, 50),
        (number(min=50, max=1000, multiple_of=50), 75.1, 100),
        (number(min=50, max=1000, multiple_of=50), 75, 50),  # both values are equally near; the lower one is chosen
        (number(min=50, max=1000, multiple_of=50), 7, 50),
        (number(min=50, max=1010, multiple_of=50), 9e9, 1000),
        (number(min=1, max=128, power_of_two=True), 90, 64),
        (number(min=1, max=128, power_of_two=True), 97, 128),
        (number(type="float", min=0, max=1), 1.5, 1.0),
    ],
)
def test_a_number_is_snapped_to_the_nearest_that_is_allowed(parameter: Parameter, wanted: float, value: Value) -> None:
    snapped = allowed.snap(parameter, wanted)
    assert (snapped, type(snapped)) == (value, type(value))
    assert parameter.parse(snapped, "here") == snapped


def test_all_allowed_integers_are_those_that_parse() -> None:
    for parameter in (
        number(min=7, max=33, multiple_of=5),
        number(min=3, max=40, power_of_two=True),
        number(min=0, max=3),
    ):
        listed = list(allowed.integers(parameter))
        for candidate in range(50):
            if candidate in listed:
                assert parameter.parse(candidate, "") == candidate
            else:
                with pytest.raises(UserError):
                    parameter.parse(candidate, "")


def test_a_parameter_without_whole_numbers_needs_a_list() -> None:
    with pytest.raises(UserError, match=r"node.tick_ms: is a number from .*: name the values"):
        allowed.integers(SCHEMA.parameters["node.tick_ms"])
