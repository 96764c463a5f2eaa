# SPDX-License-Identifier: BSD-3-Clause
"""A rule that is broken on purpose by a change of a source's text."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """`old` occurs exactly once in `file`, which is below the folder of the mutation's group.

    `tests` should notice the mutation. For Python they are files or single tests below tests/python (or below tests, if
    there is a slash). For C++ they are names of test programs, each possibly with the name of one test after a space.
    The core has the same tests for all mutations.
    """

    rule: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ()
    in_ci: bool = False
