# SPDX-License-Identifier: BSD-3-Clause
"""The page of the documentation: a section for each group, a row for each mutation."""

from collections.abc import Mapping
from pathlib import Path

from tests.mutation.groups import GROUPS, Group, Outcome

INTRODUCTION = """# Mutations

`tests/mutation/run` breaks one rule of the source at a time and runs the tests. Each row has the rule, the change that
breaks it, and the first test that fails. "none" means that no test of that kind fails. Written by
`tests/mutation/run --page docs/design/mutations.md`, which replaces the sections of the groups it runs; do not edit.
"""


def heading(group: Group) -> str:
    kinds = "".join(f" {kind} |" for kind in group.kinds)
    return f"| rule | mutation |{kinds}\n| --- | --- |{' --- |' * len(group.kinds)}"


def row(outcome: Outcome) -> str:
    mutation, killers = outcome
    change = f"`{mutation.file}`: `{cell(mutation.old)}` becomes `{cell(mutation.new)}`"
    return f"| {mutation.rule} | {change} | {' | '.join(cell(killer or 'none') for killer in killers)} |"


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def write(page: Path, tables: Mapping[str, str]) -> None:
    """`tables` has the groups that were run, by name; the sections of other groups stay unchanged."""
    sections = page.read_text().split("\n## ")[1:] if page.exists() else []
    there = {title: body for title, _, body in (section.partition("\n") for section in sections)}
    text = INTRODUCTION
    for name, group in GROUPS.items():
        body = f"\n{tables[name]}\n" if name in tables else there.get(group.title)
        if body is not None:
            text += f"\n## {group.title}\n{body.rstrip()}\n"
    page.write_text(text)
