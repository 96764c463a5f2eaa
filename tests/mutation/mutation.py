# SPDX-License-Identifier: BSD-3-Clause
"""A rule that is broken once on purpose, in the text of a source."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """`old` occurs exactly once in `file` (below the folder of its group).

    `tests`: those that should notice. Of Python, files or single tests below tests/python (or below tests, if there is a slash); of C++, the name of a test
    program, perhaps with the name of one test after a space. The core has its own, the same for all.
    """

    rule: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...] = ()
    in_ci: bool = False
