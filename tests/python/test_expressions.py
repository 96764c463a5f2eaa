# SPDX-License-Identifier: BSD-3-Clause
"""Expressions over a result can compute, and nothing else."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon._model.expressions import MOST_NESTED, ExpressionError, evaluate, parse
from hypermon.errors import UserError

RESULT = {
    "elapsed_s": 4.0,
    "ranks": [{"monitor_s": 0.5}, {"monitor_s": 1.5}],
    "ledger": {"lost": [{"stage": "x", "cause": "c", "events": 3}, {"stage": "x", "cause": "d", "events": 4}]},
    "monitor": {"overrun": True},
    "spec": {"nodes": 8},
    "rates": {"frames": [1, 3, 2, 1, 3, 2, 1, 3, 2, 1, 3, 2]},
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
        ("part(rates.frames, 1, 3)", [3, 2]),
        ("total(part(rates.frames, 9, 12))", 6),
        ("variation(part(rates.frames, 1, 3))", 0.2),
        ("autocorrelation(rates.frames, 3)", 0.75),
        ("rhythm(rates.frames)", 0.75),
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
        ("part(rates.frames, 3, 13)", "part needs a list and 0 <= begin < end <= its length, not 3 and 13"),
        ("autocorrelation(rates.frames, 12)", "a lag of 12 in 12 values: must be from 0 to 11"),
        ("autocorrelation(part(rates.frames, 0, 1), 0)", "does not vary"),
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"a" * 9999999999999', "* needs numbers, not `a`"),
        ("ranks * 99999999999", "* needs numbers, not a list"),
        ('"%999999999999d" % 1', "% needs numbers, not `%999999999999d`"),
        ("-ledger", "- needs numbers, not an object"),
        ("-" * 100_000 + "1", "is longer than 10000 characters"),
        ("-" * 9_999 + "1", "is nested more than 100 deep"),
        ("(" * 4_000 + "1" + ")" * 4_000, "is not an expression (too many nested parentheses)"),
        ("max(" * 150 + "1" + ")" * 150, "is nested more than 100 deep"),
        ("x" + ".a" * 3_000, "is nested more than 100 deep"),
        ("+".join(["1"] * 4_000), "is nested more than 100 deep"),
        ("lambda:" * 90 + "1", "is not allowed in an expression"),
        ("9" * 9_000, "is not an expression"),
        ("9" * 301, "a number is beyond 1e300"),
        ("*".join(["1" + "0" * 299] * 2), "a number is beyond 1e300"),
        ("1e200 * 1e200", "a number is beyond 1e300"),
        ("1e999", "a number is beyond 1e300"),
    ],
    ids=range(16),
)
def test_what_would_exhaust_memory_or_the_stack_is_refused_at_once(text: str, message: str) -> None:
    start = time.perf_counter()
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, RESULT)
    assert time.perf_counter() - start < 1
    assert message in str(caught.value)
    assert len(str(caught.value)) < 600


def test_what_is_nested_as_deep_as_allowed_is_evaluated() -> None:
    for text in ("-" * MOST_NESTED + "elapsed_s", "abs(" * (MOST_NESTED - 1) + "elapsed_s" + ")" * (MOST_NESTED - 1)):
        assert evaluate(text, RESULT) == 4.0


WORDS = [
    *("elapsed_s", "ranks", "ledger", "spec", "monitor.overrun", "ranks[0]", "nothing", "true", "null", "lost", "max"),
    *("1", "0", "-7", "2.5", "1e300", "1e999", "9" * 400, "'a'", '"events"', "f'{1}'", "b''", "...", "1j"),
    *("+", "-", "*", "/", "//", "%", "**", "<", "==", "(", ")", "[", "]", "{", "}", ".", ",", ":", ":=", "if", "for"),
    *("total(", "len(", "abs(", "ceil(", "lost(ledger,", "busiest(ranks,", "lambda:", "not", "x", "\0", "\ud800", "\n"),
]


def test_any_text_has_a_bounded_value_or_is_refused() -> None:
    rng = random.Random(12)
    values, refused = [], []
    for _ in range(3000):
        text = "".join(rng.choice(WORDS) * rng.choice((1, 1, 1, 2, 30)) for _ in range(rng.randint(1, 12)))
        try:
            values.append(evaluate(text, RESULT))
        except ExpressionError as error:
            refused.append(str(error))
    assert len(values) > 50  # some of these values are expressions
    assert max(abs(value) for value in values if isinstance(value, int | float)) <= 1e300
    assert max(map(len, refused)) < 2000


@pytest.mark.usefixtures("scenarios")
def test_a_scenario_says_where_such_an_expression_stands(scenarios: Path) -> None:
    (scenarios / "deep.yaml").write_text(f"question: q\nexpect:\n  - {{of: {'-' * 50000}1, is: 1, kind: golden}}\n")
    with pytest.raises(
        UserError, match=r"of: `-+\.\.\.-+1 \(50001 characters\)` is longer than 10000 characters"
    ) as caught:
        scenario.find_one("deep").resolve(worker.schema())
    assert str(caught.value).endswith("(scenarios/deep.yaml, line 3)")
