# SPDX-License-Identifier: BSD-3-Clause
"""Removes parts, one after another, and runs everything else.

PART is a monitor's or workload's folder (sw/monitors/software) or a platform's file (platforms/machines/torus64.yaml).
Without PART, every monitor but `none`, one workload and one platform are removed, which takes an hour on two
processors. The work happens in build/removal; this tree does not change. Exit status 0 means that the rest built and
passed each time.
"""

from __future__ import annotations

import argparse
import os
import time

from tests.removal.parts import ROOT, STAYS, folders, machines
from tests.removal.tree import BUILD, FailedError, Tree

SOME = (
    *(folder for folder in folders() if folder.startswith("sw/monitors/") and folder != STAYS),
    "sw/workloads/wavefront",
    "platforms/machines/torus64.yaml",
)
REQUIRED = ("WORKER", "BROWSER", "OTF2")


def all_passes_without(part: str, tree: Tree, tests: list[str]) -> bool:
    tree.synchronise()
    print(f"without {part}: gone are {', '.join(tree.take_away(part))}", flush=True)
    try:
        tree.build()
        if scenarios := tree.rewrite():
            print(f"its scenarios: {', '.join(scenarios)}", flush=True)
    except FailedError as failure:
        print(failure)
        return False
    jobs = str(min(2, os.cpu_count() or 1))
    passed = bool(tests) or tree.watch("ctest", "--test-dir", BUILD, "-j", jobs, "--output-on-failure", "--progress")
    required = {f"HYPERMON_REQUIRE_{what}": "1" for what in REQUIRED}
    python = tree.watch(
        tree.python,
        "-m",
        "pytest",
        "-q",
        "-n",
        jobs,
        "--dist",
        "loadfile",
        "-p",
        "no:cacheprovider",
        *tests,
        **required,
    )
    return passed and python


def main() -> int:
    parser = argparse.ArgumentParser(
        "tests/removal/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--tests", action="append", default=[], help="of Python, instead of all of both languages")
    options = parser.parse_args()
    known = [*folders(), *machines()]
    if unknown := [part for part in options.parts if part not in known]:
        parser.error(f"{unknown[0]}: no such part; there are {', '.join(known)}")
    tree = Tree(ROOT / "build/removal/tree")
    failed = []
    for part in options.parts or SOME:
        start = time.monotonic()
        if not all_passes_without(part, tree, options.tests):
            failed.append(part)
        print(f"without {part}: {'FAILED' if part in failed else 'ok'}, {time.monotonic() - start:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
