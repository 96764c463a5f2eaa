# SPDX-License-Identifier: BSD-3-Clause
"""The runs of `hypermon study scms`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from hypermon._inputs import scenario
from hypermon._model.schema import Schema
from hypermon._model.spec import Spec
from hypermon.errors import UserError
from hypermon_studies.planned import Key, Plan

DEFAULT_AGENTS = 16
"""Agents below one SMA, which the paper does not give. docs/design/scms.md, "What is predicted, and the default", has
the reasons; the number was committed before any run with 32 or 64 nodes.
"""
AGENTS = (4, 8, 16, 32, 64)
SMALL, KNOWN, HELD_BACK = (1, 2, 4), (8, 16), (32, 64)
SIZES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)  # numbers of nodes for the claim of O(log n)
TREES = (128, 256, 512, 1024, 2048, 4096)
FANOUTS = (4, 8, 16, 32, 64, 128, 4096)
PERIODS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
PROGRAMS = ("halo", "cg")
AT_WORK = 256  # number of nodes at which techniques are compared

TABLE_1, TABLE_2, PCP = "table1", "table2", "pcp"
CAUSES, GROWTH, TECHNIQUES, AGE, TREE = "causes", "growth", "techniques", "age", "tree"
PIPELINING, BANDS = "pipelining", "bands"
WITHOUT_NAGLE = {"tcp.nagle": "off"}
AS_IT_IS, NO_NAGLE = "as it is", "Nagle off"
METRICS: Mapping[str, str] = {
    "ms": "1000 * monitor.clients[0].mean_s",
    "age_s": "monitor.clients[0].mean_age_s",
    "messages": " + ".join(f"monitor.messages.{kind}" for kind in ("request", "reply", "push", "pull", "control")),
    "bytes": "logged_bytes",
    "root_cpu_s": "monitor.levels[0].cpu_s",
    "elapsed_s": "elapsed_s",
    "pcp_ms": "1000 * monitor.mean_fetch_s",
}

MECHANISMS: Mapping[str, Callable[[int], Mapping[str, Any]]] = {
    "as it is": lambda _: {},
    "no session": lambda _: {"scms_client.session_ms": 0},
    "header and body in one write": lambda _: {"scms.writes": 1},
    "in two writes": lambda _: {"scms.writes": 2},
    "in two writes, no Nagle": lambda _: {"scms.writes": 2, "tcp.nagle": "off"},
    "in two writes, no delayed acknowledgement": lambda _: {"scms.writes": 2, "tcp.delayed_ack_ms": 0},
    "in two writes, 16 quick acknowledgements": lambda _: {"scms.writes": 2, "tcp.quick_acks": 16},
    "one vector for all nodes": lambda _: {"scms_client.ask": "together"},
    "one vector, in two writes": lambda _: {"scms_client.ask": "together", "scms.writes": 2},
    "an SMA between root and nodes": lambda nodes: {"scms.tree": _one_below(nodes)},
    "in two writes, an SMA between": lambda nodes: {"scms.writes": 2, "scms.tree": _one_below(nodes)},
}
"""Possible reasons why few nodes are slow, each switched separately."""
OFF: Mapping[str, Mapping[str, Any]] = {
    "everything on": {},
    "no pipelining": {"scms.pipelining": False},
    "requests not merged": {"scms.merge_requests": False},
    "replies not merged": {"scms.merge_replies": False},
    "not filtered": {"scms.filter_threshold": -1},
    "hierarchical names": {"scms.names": "hierarchical"},
}
"""The techniques of the paper's section 3, one switched off at a time."""
AT_WORK_KEY: Key = (TECHNIQUES, f"{next(iter(OFF))}, {AS_IT_IS}")
AS_ANY_BYTE = "as any byte"
ASKED: Mapping[str, Mapping[str, Any]] = {
    "node after node": {},
    "one vector": {"scms_client.ask": "together"},
}
"""Request modes of Table 1's scheduler; the first is the default."""
HANDLED: Mapping[str, tuple[str, ...]] = {AS_ANY_BYTE: (), "copied": ("scms/copied",)}
"""Possible costs of a byte of a merged answer; the first is the default."""
PCP_MODELS: Mapping[str, tuple[str, ...]] = {
    "each open host costs": (),
    "hosts beyond a threshold cost": ("pcp/threshold",),
}


PIPELINED, PART = "scms/pipelined", {"scms.part_bytes": 8192}
IN_PIPELINE = {"scms_client.ask": "pipelined"}
CALIBRATED_STEP = "pipelined and calibrated"
STEPS: Mapping[str, Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]]] = {
    TABLE_1: {
        AS_IT_IS: ((), {}),
        "requests pipelined": ((), {**IN_PIPELINE, **WITHOUT_NAGLE}),
        CALIBRATED_STEP: ((PIPELINED,), IN_PIPELINE),
    },
    TABLE_2: {
        AS_IT_IS: ((), {}),
        "merged bytes copied": (("scms/copied",), {}),
        "answers in parts": ((), PART),
        "answers in parts, merged bytes copied": (("scms/copied",), PART),
        CALIBRATED_STEP: ((PIPELINED,), {}),
    },
}
"""Steps from the default to pipelined requests and answers (docs/design/scms.md), with presets and settings."""
SHARES = (1, 4)  # receiving takes as long as sending, or four times as long (chosen: 2)
READINGS = ((32.5, 44.5), (32.5, 45.5), (33.5, 44.5), (33.5, 45.5))  # ms on 8 and 16 nodes: Table 1 has whole ms
BLOCKS = (10_500, 11_776)  # B: "about 11 Kbytes" is 10.5 to 11.5 K of 1000 or 1024
PARTS_OF = (1, 32_768)  # B
COPIED_NS = 10.0
PROBES = (40.0, 100.0)  # ns a byte, between which the calibrated constant is interpolated


def _one_below(nodes: int) -> str:
    """A tree with all nodes in one partition, whose SMA is the only one below the root."""
    return f"[[{'0' if nodes == 1 else f'0-{nodes - 1}'}]]"


def nodes_of(nodes: int) -> str:
    return f"{nodes} node{'s' * (nodes > 1)}"


def tree_label(nodes: int, agents: int) -> str:
    return f"{nodes_of(nodes)}, {agents} agents an SMA"


def pushed(program: str, period_s: float | None) -> str:
    return f"{program}, no monitor" if period_s is None else f"{program}, pushed every {period_s:g} s"


def plan(schema: Schema, predict: bool, parts: Sequence[str] = ()) -> Plan:
    """Returns the runs of some of PARTS, or of all if none is named. Those of 32 and 64 nodes are included only to
    predict.
    """
    for part in parts:
        if part not in PARTS:
            raise UserError(f"--part = {part}: must be one of {', '.join(PARTS)}")
    chosen = tuple(part for part in PARTS if not parts or part in parts)
    return Plan({key: spec for part in chosen for key, spec in PARTS[part](schema, predict)}, chosen)


def _tables(schema: Schema, predict: bool) -> Iterator[tuple[Key, Spec]]:
    table1, table2, pcp = (scenario.built_in(name) for name in ("scms/table1", "scms/table2", "pcp/table2"))
    default = {"scms.fanout": DEFAULT_AGENTS}
    for nodes in (*SMALL, *KNOWN):
        yield (TABLE_1, nodes_of(nodes)), table1.resolve(schema, {"nodes": nodes, **default})
    for nodes in KNOWN:
        for how, presets in HANDLED.items():
            yield (TABLE_2, f"{nodes_of(nodes)}, {how}"), table2.resolve(schema, {"nodes": nodes, **default}, presets)
    for nodes in HELD_BACK if predict else ():
        for agents in AGENTS:
            settings = {"nodes": nodes, "scms.fanout": agents}
            for how, asked in ASKED.items():
                yield (TABLE_1, f"{tree_label(nodes, agents)}, {how}"), table1.resolve(schema, {**settings, **asked})
            for how, presets in HANDLED.items():
                yield (TABLE_2, f"{tree_label(nodes, agents)}, {how}"), table2.resolve(schema, settings, presets)
    for model, presets in PCP_MODELS.items():
        for nodes in (*KNOWN, *(HELD_BACK if predict else ())):
            yield (PCP, f"{nodes_of(nodes)}, {model}"), pcp.resolve(schema, {"nodes": nodes}, presets)


def _causes(schema: Schema, _predict: bool) -> Iterator[tuple[Key, Spec]]:
    table1 = scenario.built_in("scms/table1")
    for mechanism, switched in MECHANISMS.items():
        for nodes in (*SMALL, *KNOWN):
            settings = {"nodes": nodes, "scms.fanout": DEFAULT_AGENTS, **switched(nodes)}
            yield (CAUSES, f"{nodes_of(nodes)}, {mechanism}"), table1.resolve(schema, settings)


def _growth(schema: Schema, predict: bool) -> Iterator[tuple[Key, Spec]]:
    growth = scenario.built_in("scms/growth")
    for nodes in SIZES:
        if predict or nodes not in HELD_BACK:
            yield (GROWTH, nodes_of(nodes)), growth.resolve(schema, {"nodes": nodes, "scms.fanout": DEFAULT_AGENTS})


def _techniques(schema: Schema, _predict: bool) -> Iterator[tuple[Key, Spec]]:
    techniques = scenario.built_in("scms/techniques")
    for technique, switched in OFF.items():
        for how, nagle in ((AS_IT_IS, {}), (NO_NAGLE, WITHOUT_NAGLE)):
            settings = {"nodes": AT_WORK, **switched, **nagle}
            yield (TECHNIQUES, f"{technique}, {how}"), techniques.resolve(schema, settings)


def _ages(schema: Schema, _predict: bool) -> Iterator[tuple[Key, Spec]]:
    for program in PROGRAMS:
        of = scenario.built_in(f"scms/age_{program}")
        yield (AGE, pushed(program, None)), of.resolve(schema, {"monitor": "none"})
        for period_s in PERIODS:
            yield (AGE, pushed(program, period_s)), of.resolve(schema, {"scms.push": f"hardware.load {period_s:g}"})


def _trees(schema: Schema, _predict: bool) -> Iterator[tuple[Key, Spec]]:
    growth = scenario.built_in("scms/growth")
    for nodes in TREES:
        for agents in FANOUTS:
            if agents < nodes or agents == FANOUTS[-1]:
                for how, nagle in ((AS_IT_IS, {}), (NO_NAGLE, WITHOUT_NAGLE)):
                    settings = {"nodes": nodes, "scms.fanout": agents, **nagle}
                    yield (TREE, f"{tree_label(nodes, agents)}, {how}"), growth.resolve(schema, settings)


def _pipelining(schema: Schema, predict: bool) -> Iterator[tuple[Key, Spec]]:
    beyond = HELD_BACK if predict else ()
    for question, sizes in ((TABLE_1, (*SMALL, *KNOWN, *beyond)), (TABLE_2, (*KNOWN, *beyond))):
        asked = scenario.built_in(f"scms/{question}")
        for step_name, (presets, settings) in STEPS[question].items():
            for nodes in sizes:
                yield (
                    (PIPELINING, step(question, step_name, nodes)),
                    asked.resolve(schema, {"nodes": nodes, **settings}, presets),
                )


def step(question: str, step_name: str, nodes: int) -> str:
    return f"{question}, {step_name}, {nodes_of(nodes)}"


def split(sum_us: float, share: float) -> Mapping[str, Any]:
    """Costs of sending and receiving a message that have this sum."""
    return {"scms.send_us": sum_us / (1 + share), "scms.receive_us": sum_us * share / (1 + share)}


def corners_1() -> Iterator[tuple[str, Mapping[str, Any], tuple[float, float]]]:
    """Assumptions about Table 1, with the readings of 8 and 16 nodes on which its constants are calibrated."""
    for share, (few, many) in product(SHARES, READINGS):
        settings = {**IN_PIPELINE, **split(1000 * (many - few) / 16, share), "scms_client.session_ms": 0}
        yield f"{TABLE_1}, receiving {share} times sending, {few} and {many} ms", settings, (few, many)


def corners_2() -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Assumptions about Table 2; true if an SMA copies the bytes of a merged answer."""
    for share, block, part, is_copied in product(SHARES, BLOCKS, PARTS_OF, (True, False)):
        settings = {**split(750, share), "scms_plugins.table_bytes": block, "scms.part_bytes": part}
        how = "copied" if is_copied else AS_ANY_BYTE
        yield f"{TABLE_2}, receiving {share} times sending, {block} B, parts of {part} B, {how}", settings, is_copied


DEFAULT_SUM_US = 321.0  # scms.send_us + scms.receive_us, from Table 1's 1.5 ms for each further node
LEFT_OUT_STEPS: Mapping[str, tuple[str, ...]] = {AS_IT_IS: (), CALIBRATED_STEP: (PIPELINED,)}
"""The models whose constant of a byte is calibrated on Table 2's two numbers, with their presets."""


def left_out_corners(model: str) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """The model as it is, then under other assumptions; true if an SMA copies the bytes of a merged answer.

    The paper's times exclude stalls of Nagle's algorithm, which some sizes of the information cause.
    """
    is_pipelined = model == CALIBRATED_STEP
    yield f"{TABLE_2}, {model}", {}, is_pipelined
    if is_pipelined:
        yield from corners_2()
        return
    for share, block, is_copied in product(SHARES, BLOCKS, (True, False)):
        settings = {**split(DEFAULT_SUM_US, share), "scms_plugins.table_bytes": block, **WITHOUT_NAGLE}
        how = "copied" if is_copied else AS_ANY_BYTE
        yield f"{TABLE_2}, {model}, receiving {share} times sending, {block} B, {how}", settings, is_copied


def _byte(ns: float, is_copied: bool) -> Mapping[str, Any]:
    return {"scms.byte_ns": ns, "scms.merged_byte_ns": COPIED_NS if is_copied else ns}


def _left_out(schema: Schema) -> Iterator[tuple[Key, Spec]]:
    table2 = scenario.built_in("scms/table2")
    for model, presets in LEFT_OUT_STEPS.items():
        for (corner, settings, is_copied), ns, nodes in product(left_out_corners(model), PROBES, KNOWN):
            asked = {"nodes": nodes, "scms.fanout": DEFAULT_AGENTS, **settings, **_byte(ns, is_copied)}
            yield (BANDS, f"{corner}, {ns:g} ns, {nodes_of(nodes)}"), table2.resolve(schema, asked, presets)


def _bands(schema: Schema, predict: bool) -> Iterator[tuple[Key, Spec]]:
    yield from _left_out(schema)
    table1, table2 = scenario.built_in("scms/table1"), scenario.built_in("scms/table2")
    for nodes in (*KNOWN, *HELD_BACK) if predict else ():
        for corner, settings, _ in corners_1():
            yield (
                (BANDS, f"{corner}, {nodes_of(nodes)}"),
                table1.resolve(schema, {"nodes": nodes, **settings}, (PIPELINED,)),
            )
        for (corner, settings, is_copied), ns in product(corners_2(), PROBES):
            spec = table2.resolve(schema, {"nodes": nodes, **settings, **_byte(ns, is_copied)}, (PIPELINED,))
            yield (BANDS, f"{corner}, {ns:g} ns, {nodes_of(nodes)}"), spec


PARTS: Mapping[str, Callable[[Schema, bool], Iterator[tuple[Key, Spec]]]] = {
    "tables": _tables,
    CAUSES: _causes,
    GROWTH: _growth,
    TECHNIQUES: _techniques,
    AGE: _ages,
    TREE: _trees,
    PIPELINING: _pipelining,
    BANDS: _bands,
}
