# SPDX-License-Identifier: BSD-3-Clause
"""The scenarios and platforms that remain after a part is removed.

A scenario whose own settings belong to the part asks about the part: it stays unchanged, cannot be resolved, and is
removed. A scenario that only names the monitor, or has cases of it, asks about a program or a machine: it remains
without them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

CHOSEN = ("monitor", "workload")
"""Parameters whose values are parts."""


class Left:
    """Rewrites files for the existing parameters and their choices."""

    def __init__(self, choices: Mapping[str, Sequence[str]]) -> None:
        self._choices = choices
        self._sections = {path.partition(".")[0] for path in choices}

    def of_platform(self, text: str) -> str:
        """The text without lines that set missing parameters."""
        head, between, settings = text.partition("\nset:\n")
        lines = settings.splitlines()
        kept = [line for line in lines if not (m := re.match(r"  (\w+)", line)) or m[1] in self._sections]
        return head + between + "\n".join(kept) + "\n" if between else text

    def of_scenario(self, text: str) -> str:
        """The text without the missing monitor and its cases; unchanged if it has none."""
        found = yaml.safe_load(text)
        if not isinstance(found, dict) or not (isinstance(found.get("set"), dict) or "cases" in found):
            return text
        settings = found.get("set", {})
        cases = [case for case in found.get("cases", []) if self._is_there(case.get("set", {}))]
        if self._names(settings) and cases == found.get("cases", []):
            return text
        found["set"] = {
            path: value for path, value in settings.items() if path != "monitor" or self._may_be(path, value)
        }
        answered = _answers(found.get("cases", []))
        gone = {case.get("name") for case in found.get("cases", [])} - {case.get("name") for case in cases}
        for case in cases:
            case["expect"] = [one for one in case.get("expect", []) if not _mentions(one, gone - {None})]
        if found.get("cases") and (not cases or (answered and not _answers(cases))):
            return text  # it asks about nothing else
        if "cases" in found:
            found["cases"] = cases
        return str(yaml.safe_dump(found, sort_keys=False, width=1000))

    def _names(self, settings: Mapping[str, Any]) -> bool:
        return all(self._may_be(path, value) for path, value in settings.items() if path in CHOSEN)

    def _is_there(self, settings: Mapping[str, Any]) -> bool:
        sections = {re.split(r"[.\[]", path)[0] for path in settings}
        return sections <= self._sections and self._names(settings)

    def _may_be(self, path: str, value: object) -> bool:
        return value in self._choices[path]


def _answers(cases: Sequence[Mapping[str, Any]]) -> bool:
    """True if one of the cases' expectations answers the question."""
    return any(one.get("answers") for case in cases for one in case.get("expect", []))


def _mentions(expectation: Mapping[str, Any], cases: set[str]) -> bool:
    return any(f"cases.{name}." in str(value) for value in expectation.values() for name in cases)
