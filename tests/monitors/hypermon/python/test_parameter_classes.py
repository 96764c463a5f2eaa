# SPDX-License-Identifier: BSD-3-Clause
"""The classes of `hypermon.parameters`: the values that they set, leave alone and refuse."""

from __future__ import annotations

import dataclasses
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hypermon
from hypermon._model.schema import Schema, flat
from hypermon._reference import parameter_classes
from hypermon.parameters import Ecb, Pbx, Port, Reader
from tests.python.fake_worker import describe

pytestmark = pytest.mark.usefixtures("fake")
SCHEMA = Schema.from_json(describe())


def test_what_is_not_given_stays_as_the_scenario_has_it(scenarios: Path) -> None:
    (scenarios / "own.yaml").write_text(
        "question: Who wins?\nset: {ecb.window_ns: 400, ecb.frame_fifo_frames: 7, pbx.word_ns: 500}\n"
    )
    # 1024 is the default; as it is given here, it overrides the scenario's 7
    result = hypermon.run("own", nodes=2, ecb=Ecb(frame_fifo_frames=1024), pbx=Pbx())
    assert result["spec"]["ecb"] == {"window_ns": 400, "frame_fifo_frames": 1024, "inputs": 16}
    assert result["spec"]["pbx"] == {"word_ns": 500}


def test_classes_go_where_mappings_go() -> None:
    assert flat({"ecb": Ecb(window_ns=400), "ecb[2]": Ecb(window_ns=200), "pbx.word_ns": 500}) == {
        "ecb.window_ns": 400,
        "ecb[2].window_ns": 200,
        "pbx.word_ns": 500,
    }


def test_a_field_holds_the_value_in_its_unit_and_type() -> None:
    given = Ecb(window_ns="0.4 us")  # type: ignore[arg-type]  # notebooks write units; the type says int
    assert given == Ecb(window_ns=400)
    assert repr(given) == "Ecb(window_ns=400)"
    assert dict(given) == {"window_ns": 400}
    assert given.inputs is None
    assert type(Port(nibble_cost_ns=1000).nibble_cost_ns) is float


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ecb(window_ns=810), "ecb.window_ns = 810: must be a multiple of 50 from 50 to 1000000000 ns (hypermon.parameters.Ecb)"),
        (lambda: Reader(kind="idle"), "reader.kind = idle: must be one of ideal, group"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_a_value_that_is_not_allowed_is_refused_at_once(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(hypermon.UserError, match="^" + re.escape(message)):
        make()


def test_a_section_is_frozen_and_a_changed_copy_sets_no_more_than_was_given() -> None:
    first = Ecb(window_ns=400)
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.window_ns = 800  # type: ignore[misc]
    assert dict(dataclasses.replace(first, inputs=8)) == {"window_ns": 400, "inputs": 8}
    assert pickle.loads(pickle.dumps(first)) == first


def test_every_parameter_is_a_documented_field_of_its_section() -> None:
    text = parameter_classes.source(SCHEMA)
    for p in SCHEMA.parameters.values():
        section, _, name = p.path.rpartition(".")
        owner = section.capitalize() or "Parameters"
        body = text.partition(f"class {owner}(")[2].partition("\n\n\n")[0]
        if section:  # documented once, where help() and editors find it
            documented = re.findall(
                rf"^        {name}: (.*?)(?=\n        \w+: |\n    \"\"\")", body, re.MULTILINE | re.DOTALL
            )
            assert re.search(rf"^    {name}: [^\n]* = None$|^    {name}: Literal\[$", body, re.MULTILINE), p.path
        else:
            documented = re.findall(rf'^    {name}: [^\n]*\n    """(.*?)"""', body, re.MULTILINE | re.DOTALL)
        assert len(documented) == 1, p.path
        words = " ".join(documented[0].split())
        assert words.startswith(f"What {p.path} is. {p.allowed[0].upper()}{p.allowed[1:]}; default ")
        assert words.endswith(f"Source: {p.source}.")


def test_choices_are_literals_and_the_text_is_as_ruff_formats_it() -> None:
    text = parameter_classes.source(SCHEMA)
    assert '    kind: Literal["ideal", "group"] | None = None\n' in text
    command = [sys.executable, "-m", "ruff", "format", "--line-length", "120", "--stdin-filename", "p.py", "-"]
    assert subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout == text


def test_a_class_overrides_a_preset_of_the_board() -> None:
    assert hypermon.design("hypermon", {"ecb": Ecb(window_ns=400)}) == hypermon.design(overrides={"ecb.window_ns": 400})
