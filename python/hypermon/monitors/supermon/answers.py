# SPDX-License-Identifier: BSD-3-Clause
"""The answers that Supermon's clients got and logged (supermon_client.log)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hypermon._files import sexpr
from hypermon._files.sexpr import Sexpr
from hypermon.errors import UserError

_NUMBER = re.compile("-?[0-9]{1,20}")


class Answer(NamedTuple):
    """An answer to a client.

    Attributes:
        arrived_s: Simulated time at which the client had parsed it, s.
        query: The number of the client's query.
        samples: For each node the data of its mon: by part (`kernel`, `monhole`) its elements.
        missing: Nodes that could not be reached: numbers and ranges, as they are in the answer.
    """

    arrived_s: float
    query: int
    samples: dict[int, dict[str, list[Sexpr]]]
    missing: list[str]


def read(folder: Path, client: int = 0) -> Iterator[Answer]:
    """Yields the answers to a client of the run in that folder, in the order of arrival.

    Raises:
        UserError: The log does not exist, or has another format.
    """
    path = folder / "answers" / f"client{client}.sexp"
    for number, line in enumerate(sexpr.read(path), 1):
        try:
            yield _answer(line)
        except (ValueError, TypeError, IndexError):
            raise UserError(f"{path}, line {number}: must be like (at 1000000 (answer 1 (sample 0 1 2)))") from None


def _answer(line: Sexpr) -> Answer:
    if isinstance(line, str):
        raise TypeError
    word, date, answer = line
    if word != "at" or isinstance(answer, str) or answer[0] != "answer":
        raise ValueError
    samples: dict[int, dict[str, list[Sexpr]]] = {}
    missing: list[str] = []
    for part in answer[2:]:
        if isinstance(part, str):
            raise TypeError
        if part[0] == "missing":
            missing = [run for run in part[1:] if isinstance(run, str)]
        elif part[0] == "sample":
            samples[_number(part[1])] = {_word(data[0]): list(data[1:]) for data in part[4:]}
    return Answer(_number(date) * 1e-12, _number(answer[1]), samples, missing)


def _number(expression: Sexpr) -> int:
    if not isinstance(expression, str) or not _NUMBER.fullmatch(expression):
        raise TypeError
    return int(expression)


def _word(expression: Sexpr) -> str:
    if not isinstance(expression, str):
        raise TypeError
    return expression
