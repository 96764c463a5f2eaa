# SPDX-License-Identifier: BSD-3-Clause
"""The chart of the tree at work: places and widths of the agents, and agents that are drawn as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PatchCollection

from hypermon import pictures
from hypermon._model.result import Result
from hypermon.errors import UserError
from hypermon.monitors.scms.pictures.places import MOST_LEAVES, Mark, place
from hypermon.monitors.scms.pictures.tree import THICKEST, agents_of, tree
from tests.conftest import Hypermon

Agents = Sequence[Mapping[str, Any]]


def made(nodes: int, fanout: int, dead: int | None = None) -> Agents:
    """A tree in which each SMA has `fanout` agents; the root is first. Every CMA sends 100 B/s, and every SMA forwards
    all that it receives.
    """
    levels: list[list[dict[str, Any]]] = [
        [agent(100.0, cpu_share=0.001 * (i + 1) / nodes, dead=i == dead) for i in range(nodes)]
    ]
    while len(levels[0]) > 1:
        above = []
        for begin in range(0, len(levels[0]), fanout):
            below = levels[0][begin : begin + fanout]
            above.append(agent(sum(each["bytes_per_s"] for each in below)))
            for each in below:
                each["parent"] = above[-1]
        levels.insert(0, above)
    agents = [each for level in levels for each in level]
    at = {id(each): i for i, each in enumerate(agents)}
    return [each | {"parent": None if each["parent"] is None else at[id(each["parent"])]} for each in agents]


def agent(bytes_per_s: float, cpu_share: float = 0.02, dead: bool = False) -> dict[str, Any]:
    rates = {"messages_per_s": 1.0, "bytes_per_s": bytes_per_s}
    return {"parent": None, "dead": dead, "cpu_share": cpu_share, **rates}


@pytest.mark.parametrize(("nodes", "fanout"), [(1, 4), (16, 4), (128, 16), (129, 16), (4096, 16), (4096, 4096)])
def test_every_agent_is_in_one_mark_below_its_parents_and_inside_of_it(nodes: int, fanout: int) -> None:
    agents = made(nodes, fanout)
    marks = place(agents)
    drawn = [id(each) for mark in marks for each in mark.agents]
    assert sorted(drawn) == sorted(map(id, agents))
    by_agent: dict[int, Mark] = {id(each): mark for mark in marks for each in mark.agents}
    for each in agents:
        mark = by_agent[id(each)]
        if each["parent"] is None:
            assert (mark.level, mark.begin, mark.end) == (0, 0, nodes)
        else:
            above = by_agent[id(agents[each["parent"]])]
            assert mark.parent is above
            assert mark.level == above.level + 1
            assert above.begin <= mark.begin < mark.end <= above.end


@pytest.mark.parametrize(("nodes", "marks"), [(MOST_LEAVES, MOST_LEAVES), (MOST_LEAVES * 16, MOST_LEAVES)])
def test_many_leaves_are_one_mark_a_partition(nodes: int, marks: int) -> None:
    assert len([mark for mark in place(made(nodes, 16)) if not mark.below]) == marks


def test_lines_are_as_wide_as_what_is_sent_there() -> None:
    figure = tree(made(64, 16))
    (lines,) = (c for c in figure.axes[0].collections if isinstance(c, LineCollection))
    widths = sorted(float(width) for width in np.atleast_1d(lines.get_linewidth()))
    # each of the four SMAs sends as much as 16 CMAs send to it
    assert widths == pytest.approx([THICKEST / 16] * 64 + [THICKEST] * 4)


def test_a_dead_agent_is_crossed_out_also_where_its_partition_is_drawn_as_one() -> None:
    for nodes in (16, 4096):
        living, one_dead = (tree(made(nodes, 16, dead)) for dead in (None, 5))
        labels = [[text.get_text() for text in figure.axes[0].texts] for figure in (living, one_dead)]
        assert [any("1 dead" in text for text in texts) for texts in labels] == [False, True]
        legends = [[text.get_text() for text in figure.legends[0].get_texts()] for figure in (living, one_dead)]
        assert ["dead" in texts for texts in legends] == [False, True]


def test_a_partition_has_the_colour_of_its_busiest() -> None:
    figure = tree(made(4096, 16))
    (strips,) = (c for c in figure.axes[0].collections if isinstance(c, PatchCollection))
    colours = np.asarray(strips.get_facecolor())
    assert len(colours) == 4096 // 16
    assert tuple(colours[0]) != tuple(colours[-1])  # the last CMA is the busiest


def test_the_same_tree_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        pictures.save(tree(made(256, 16), coloured="messages_per_s", wide="messages_per_s"), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize(("asked", "message"), [({"wide": "loss"}, "wide = loss: must be one of messages_per_s"),
                                               ({"coloured": "red"}, "coloured = red: must be one of cpu_share")])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(asked: dict[str, str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        tree(made(4, 4), **asked)


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_the_tree_of_a_run_is_drawn_and_its_dead_are(tmp_path: Path, hypermon: Hypermon) -> None:
    settings = {"idle.duration_s": 3, "scms.fanout": 4, "scms.failures": "1 agent 5 1; 1.5 agent 6 9", "seed": 1}
    asked = [f"--set={path}={value}" for path, value in settings.items()]
    done = hypermon(
        "run", "scms/growth", "--set=nodes=16", "--set=scms.push=hardware.load 1", *asked, "-o", str(tmp_path / "run")
    )
    assert done.returncode == 0, done.stderr
    agents = agents_of(Result(tmp_path / "run"))
    assert [i for i, each in enumerate(agents) if each["dead"]] == [1 + 4 + 6]  # behind the root and four SMAs
    assert [agents[each["parent"]]["parent"] for each in agents[5:]] == [0] * 16
    done = hypermon("plot", "tree", str(tmp_path / "run"), "-o", str(tmp_path / "tree.svg"), "--of", "messages_per_s")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 dead" in (tmp_path / "tree.svg").read_text()


@pytest.mark.worker
@pytest.mark.usefixtures("worker")
def test_a_run_of_another_monitor_has_no_tree(tmp_path: Path, hypermon: Hypermon) -> None:
    assert hypermon("run", "scms/growth", "--set=monitor=none", "-o", str(tmp_path / "run")).returncode == 0
    done = hypermon("plot", "tree", str(tmp_path / "run"), "-o", str(tmp_path / "tree.svg"))
    assert (done.returncode, done.stderr) == (2, "error: idle, 256 nodes: has no tree of agents; its monitor is none\n")
