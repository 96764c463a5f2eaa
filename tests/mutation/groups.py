# SPDX-License-Identifier: BSD-3-Clause
"""The groups of mutations, and how each group finds the tests that notice its mutations."""

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutation import interpreted, python, simulation
from tests.mutation.mutation import Mutation
from tests.mutation.native import TREE, Copy
from tests.registered import all_of

Outcome = tuple[Mutation, tuple[str | None, ...]]
"""A mutation and, for each kind of test of its group, the first test that fails, or None."""
RANDOM_TESTS = "the board agrees with the contract*"


@dataclass(frozen=True)
class Chosen:
    """The mutations to be run, and limits of their tests."""

    mutations: Sequence[Mutation]
    seconds: float
    strobes: int


@dataclass(frozen=True)
class Group:
    """`folder` contains the mutated files; `kinds` are the columns of tests."""

    title: str
    folder: str
    mutations: tuple[Mutation, ...]
    kinds: tuple[str, ...]
    outcomes: Callable[[Chosen], Iterator[Outcome]]


def _of_core(chosen: Chosen) -> Iterator[Outcome]:
    suites = (f"~{RANDOM_TESTS}", RANDOM_TESTS)

    def killers(copy: Copy, _: Mutation) -> tuple[str | None, ...]:
        strobes = {"HYPERMON_TEST_STROBES": str(chosen.strobes)}
        return tuple(copy.failing_test("test_core", suite, chosen.seconds, **strobes) for suite in suites)

    yield from _compiled(chosen, "hw", lambda _: "test_core", killers)


def _of_simulation(chosen: Chosen) -> Iterator[Outcome]:
    def killers(copy: Copy, mutation: Mutation) -> tuple[str | None, ...]:
        (test,) = mutation.tests
        return (copy.failing_test(test, "", chosen.seconds),)

    yield from _compiled(chosen, ".", lambda mutation: mutation.tests[0], killers)


def _compiled(
    chosen: Chosen,
    folder: str,
    program: Callable[[Mutation], str],
    killers: Callable[[Copy, Mutation], tuple[str | None, ...]],
) -> Iterator[Outcome]:
    with tempfile.TemporaryDirectory(prefix="mutation-") as below:
        copy = Copy(Path(below))
        whole = {program(mutation): mutation for mutation in chosen.mutations}
        if error := copy.build(*whole):
            sys.exit(error)
        for mutation in whole.values():
            _refuse_failure(*killers(copy, mutation))
        for mutation in chosen.mutations:
            file = f"{folder}/{mutation.file}"
            copy.mutate(file, mutation.old, mutation.new)
            if error := copy.build(program(mutation)):
                sys.exit(f"the mutation of '{mutation.rule}' does not compile:\n{error}")
            yield mutation, killers(copy, mutation)
            copy.restore(file)


def _of_python(chosen: Chosen) -> Iterator[Outcome]:
    own = TREE / ".venv/bin/python"
    interpreter = str(own) if own.exists() else shutil.which("python3") or sys.executable
    tests = sorted({test for mutation in chosen.mutations for test in mutation.tests})
    _refuse_failure(interpreted.failing_test(tests, 10 * chosen.seconds, interpreter, {}))
    for mutation in chosen.mutations:
        yield mutation, (interpreted.killer(mutation, chosen.seconds, interpreter),)


def _refuse_failure(*failed: str | None) -> None:
    for test in failed:
        if test:
            sys.exit(f"without a mutation, this fails: {test}")


GROUPS = {
    "core": Group(
        "The board (hw)",
        "hw",
        tuple(all_of("mutations", "CORE")),
        ("single-rule test that fails", "random comparison that fails"),
        _of_core,
    ),
    "simulation": Group(
        "Decoding, monitors, machine (sw, platforms)",
        ".",
        (*simulation.MUTATIONS, *all_of("mutations", "SIMULATION")),
        ("test that fails",),
        _of_simulation,
    ),
    "python": Group(
        "The Python package (python/hypermon)",
        "python/hypermon",
        (*python.MUTATIONS, *all_of("mutations", "PYTHON")),
        ("test that fails",),
        _of_python,
    ),
}


def matching(group: Group, pattern: str) -> list[Mutation]:
    return [mutation for mutation in group.mutations if re.search(pattern, mutation.rule)]
