# SPDX-License-Identifier: BSD-3-Clause
"""The long fuzz run, which `tests/fuzz/run` starts."""

from __future__ import annotations

import argparse
import sys
import time

from hypothesis import HealthCheck, Phase, given, settings

from tests.fuzz.judge import Judge, judges
from tests.fuzz.mutations import contents
from tests.fuzz.targets import TARGETS

ROUND = 50  # number of examples for one target before the next target is tested


class FaultError(AssertionError):
    """A fault, and the content that showed it."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests/fuzz/run", description="Feeds damaged files to everything that reads.")
    parser.add_argument("target", nargs="*", help="default: all")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--list", action="store_true", help="only name the targets")
    asked = parser.parse_args()
    if asked.list:
        print("\n".join(TARGETS))
        return 0
    for name in asked.target:
        if name not in TARGETS:
            parser.error(f"{name}: no such target; there are {', '.join(TARGETS)}")
    faults: dict[str, str] = {}
    with judges(asked.target) as chosen:
        _all(chosen, time.monotonic() + 60 * asked.minutes, faults)
    for judge in chosen:
        print(f"{judge.target.name:20} {judge.taken:8} taken {judge.refused:8} refused")
    for file, fault in faults.items():
        print(f"\n{file}\n{fault}")
    return int(bool(faults))


def _all(chosen: list[Judge], until: float, faults: dict[str, str]) -> None:
    for judge in chosen:
        for content in judge.corpus():
            if fault := judge.fault(content):
                faults[str(judge.keep(content))] = fault
    while True:
        for judge in chosen:
            if time.monotonic() > until:
                return
            _round(judge, faults)


def _round(judge: Judge, faults: dict[str, str]) -> None:
    """Tests some examples. A fault is reduced to its smallest example before it is kept."""
    smallest: dict[str, tuple[bytes, str]] = {}

    @settings(
        max_examples=ROUND,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
    )
    @given(contents(judge.target, judge.seeds))
    def bear(content: bytes) -> None:
        if fault := judge.fault(content):
            smallest[judge.target.name] = (content, fault)
            raise FaultError(fault)

    try:
        bear()
    except FaultError:
        content, fault = smallest[judge.target.name]
        file = judge.keep(content)
        if str(file) not in faults:
            print(f"{file}: {fault.splitlines()[-1]}", file=sys.stderr, flush=True)
        faults[str(file)] = fault


if __name__ == "__main__":
    sys.exit(main())
