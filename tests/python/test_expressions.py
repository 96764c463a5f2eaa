"""Expressions over a result compute, and can do nothing else."""

from __future__ import annotations

import pytest

from hypermon.expressions import ExpressionError, evaluate, parse

RESULT = {
    "elapsed_s": 4.0,
    "ranks": [{"monitor_s": 0.5}, {"monitor_s": 1.5}],
    "ledger": {"lost": [{"stage": "x", "cause": "c", "events": 3}, {"stage": "x", "cause": "d", "events": 4}]},
    "monitor": {"overrun": True},
    "spec": {"nodes": 8},
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("elapsed_s", 4.0),
        ("ranks[1].monitor_s", 1.5),
        ("1e9 / (2 + 3 * 6) - 1", 1e9 / 20 - 1),
        ("-elapsed_s // 3", -2.0),
        ("total(ledger.lost)", 7),
        ("max(ranks[0].monitor_s, ranks[1].monitor_s)", 1.5),
        ("busiest(ranks, 'monitor_s')", 1.5),
        ("lost(ledger, 'x', 'd').events", 4),
        ("log2(spec.nodes)", 3.0),
        ("len(ranks)", 2),
        ("monitor.overrun", True),
        ("elapsed_s > 3", True),
        ("false", False),
    ],
)
def test_an_expression_is_evaluated(text: str, value: object) -> None:
    assert evaluate(text, RESULT) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "(1).__class__",
        "[x for x in ranks]",
        "ranks[len(ranks)]",
        "lambda: 1",
        "elapsed_s ** 99",
        "open('x')",
        "a = 1",
        "1 +",
    ],
)
def test_what_is_no_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, RESULT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lost(ledger, 'y', 'd')", "the ledger has no loss y d; it has x c, x d"),
        ("lost(ranks, 'y', 'd')", "list indices"),
        ("busiest(ranks, 'monitored_s')", "monitored_s"),
        ("elapsed", "the result has no elapsed; it has elapsed_s, ranks"),
        ("ranks[2].monitor_s", "the result has no ranks[2]"),
        ("monitor.frames.built", "the result has no monitor.frames; it has overrun"),
        ("elapsed_s / 0", "division by zero"),
        ("log(2)", "no function log; there are abs"),
    ],
)
def test_what_the_result_lacks_is_named(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, RESULT)
    assert message in str(caught.value)


def test_parsing_needs_no_result() -> None:
    parse("ledger.lost_total.events / 7")
