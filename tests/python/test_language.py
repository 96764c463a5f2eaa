# SPDX-License-Identifier: BSD-3-Clause
"""Descriptions stand alone: each is read in a table, a tooltip or an error, without its neighbours.

A program can check only this: the first words of a description, words that stand for a missing noun, the length of its
sentences, and whether it adds anything to the path.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

import hypermon
from hypermon import _core
from hypermon._model import activity, catalogues, samples, worker
from hypermon.cli.app import app

ROOT = Path(hypermon.__file__).parents[2]
WORDS_IN_A_SENTENCE = 30

FRAGMENTS = re.compile(
    r"(?:about|after|although|among|and|as|at|before|behind|besides?|between|but|by|during|else|except|for|from|how"
    r"|if|into?|like|not|of|on|or|over|per|since|so|than|that|then|through|till|to|towards|under|unless|until|upon|what"
    r"|when|where|whether|which|while|who|whom|whose|why|with|within|without)(?![\w-])",
    re.IGNORECASE,
)
"""First words of descriptions that continue their neighbour's, or that are a clause instead of a noun."""
PRONOUNS = re.compile(r"(?:he|her|his|its?|such|their|them|these|they|this|those)\b", re.IGNORECASE)
"""Words that stand for a noun of the description before."""
VAGUE = re.compile(
    r"\b(?:so (?:many|much|long|often)|whoever|alike|likewise|anew|as ever"
    r"|(?<!user )(?<!users )(?<!person )(?<!people )(?<!analyst )who)\b",
    re.IGNORECASE,
)
"""Everyday words instead of a number, a noun or a verb; `who` for anything but a person."""
FILLERS = re.compile(
    r"\b(?:an?|and|at|each|every|for|from|in|its|no|number|of|on|one|or|per|that|the|this|to|which|with)\b"
)

EXCEPTIONS: dict[str, str] = {}
"""Descriptions that break a rule, and why they may."""

PLAIN_CHOICES = {
    "stream.time_unit": "units of time",
    "workload": "programs that come with hypermon; each has a section of its name",
}
"""Parameters whose choices need no explanation in the description, and the reason."""


def faults(text: str, path: str = "") -> list[str]:
    """Faults of a description that must be understood without its neighbours."""
    if not text.strip():
        return ["is empty"]
    found = []
    if (first := FRAGMENTS.match(text) or PRONOUNS.match(text)) and not _is_question(text):
        found.append(f'begins with "{first[0]}"')
    found += [f'has "{match[0]}"' for match in VAGUE.finditer(text)]
    for sentence in sentences(text):
        if (length := len(sentence.split())) > WORDS_IN_A_SENTENCE:
            found.append(f'has a sentence of {length} words: "{sentence}"')
    if any(text.count(opened) != text.count(closed) for opened, closed in ("()", "[]")):
        found.append("has a bracket without its other half")
    if path and not _content(text) - _content(path):
        found.append("repeats its path")
    return found


def sentences(text: str) -> list[str]:
    """The sentences of a text. The meaning of each choice is a sentence ("drop: ... stall: ...")."""
    return re.split(r"(?<=[.?!])\s+", text)


def _is_question(text: str) -> bool:
    return sentences(text)[0].endswith("?")


def _content(text: str) -> set[str]:
    """The words of a text without articles and the like, and without a plural's s."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]+", FILLERS.sub("", text.lower()))}


def descriptions() -> Iterator[tuple[str, str]]:
    """All descriptions, each with its place."""
    schema = worker.schema()
    for parameter in schema.parameters.values():
        yield parameter.path, parameter.description
    for key in schema.results:
        yield f"result {key['path']}", key["description"]
    for counter in schema.counters:
        yield f"counter {counter['name']}", counter["description"]
    for point in catalogues.points()["points"]:
        yield f"event {point['point']}", point["emitted"]
    for metric in activity.METRICS:
        yield metric["path"], metric["description"]
    for table in (activity.COLUMNS, activity.EVENT_COLUMNS, samples.COLUMNS):
        for column, (_, text) in table.items():
            yield f"column {column}", text
    for file in (*ROOT.glob("scenarios/presets/*/*.yaml"), *ROOT.glob("platforms/machines/*.yaml")):
        yield str(file.relative_to(ROOT)), yaml.safe_load(file.read_text())["description"]
    for file in ROOT.glob("waves/views/*.yaml"):
        yield str(file.relative_to(ROOT)), yaml.safe_load(file.read_text())["about"]
    for register in json.loads(_core.describe_registers()):
        yield f"register {register['name']}", register["description"]
        for field in register["fields"]:
            yield f"register {register['name']}.{field['name']}", field["description"]
    yield from helps(get_command(app), "hypermon")


def helps(command: Any, name: str) -> Iterator[tuple[str, str]]:
    """Help texts of a command, of its options and of its subcommands."""
    for text in (command.help or "").split("\n\n"):
        yield name, " ".join(text.split())
    for option in command.params:
        if text := getattr(option, "help", None):
            yield f"{name} {max(option.opts, key=len)}", text
    for below, one in getattr(command, "commands", {}).items():
        yield from helps(one, f"{name} {below}")


def test_every_description_stands_alone() -> None:
    faulty = {place: found for place, text in descriptions() if (found := faults(text, place))}
    assert {place: found for place, found in faulty.items() if place not in EXCEPTIONS} == {}
    assert {place for place in EXCEPTIONS if place not in faulty} == set(), "no exceptions any more"


def test_every_choice_is_explained() -> None:
    """A description must explain each choice, or at least name it where its word suffices."""
    unexplained = {
        parameter.path: missing
        for parameter in worker.schema().parameters.values()
        if (missing := [word for word in parameter.choices if not re.search(rf"\b{word}\b", parameter.description)])
    }
    assert unexplained.keys() == PLAIN_CHOICES.keys()


def test_descriptions_of_every_kind_are_read() -> None:
    """Ensures that the test above does not pass because it finds nothing."""
    kinds = {
        "ecb.window_ns",
        "result ledger.unit",
        "counter cpu.user",
        "event nx2.tick",
        "picture.error_percent",
        "column true_ps",
    }
    kinds |= {
        "scenarios/presets/nfs/disk.yaml",
        "platforms/machines/ipsc2.yaml",
        "waves/views/bus.yaml",
        "register status.frame_available",
    }
    kinds |= {"hypermon run", "hypermon run --out", "hypermon tau pprof --sort", "hypermon study table2"}
    assert kinds - {place for place, _ in descriptions()} == set()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("And of each of its bytes.", 'begins with "And"'),
        ("For REMOVE, alike.", 'has "alike"'),
        ("Of each of these.", 'begins with "Of"'),
        ("What the monitor stores.", 'begins with "What"'),
        ("Its seek time.", 'begins with "Its"'),
        ("Messages of at most so many bytes go at once.", 'has "so many"'),
        ("A client, and whoever reads files.", 'has "whoever"'),
        ("Time after which a process who waits is ended.", 'has "who"'),
        (" ".join(["word"] * 31) + ".", "has a sentence of 31 words"),
        ("Bytes of the buffer.", "repeats its path"),
        ("Number of samples [default: ", "has a bracket"),
        ("", "is empty"),
    ],
)
def test_a_fragment_is_found(text: str, fault: str) -> None:
    assert any(found.startswith(fault) for found in faults(text, "software.buffer_bytes"))


@pytest.mark.parametrize(
    "text",
    [
        "Capacity of each I/O server's disk.",
        "Server time of one NFS REMOVE request.",
        "CPU time that dumping a profile costs the process for each byte written.",
        "How far are the timestamps from the truth?",
        "Number of users who wait.",
        " ".join(["word"] * 30) + ". " + " ".join(["word"] * 30) + ".",
    ],
)
def test_a_sentence_that_stands_alone_is_none(text: str) -> None:
    assert faults(text, "disk.capacity_mb") == []
