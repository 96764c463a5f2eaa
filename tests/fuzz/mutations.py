# SPDX-License-Identifier: BSD-3-Clause
"""Damaged and meaningless inputs, drawn and shrunk by Hypothesis."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import yaml
from hypothesis import strategies as st

from tests.fuzz.target import Target

# Numbers at which sizes, counts and offsets overflow.
NUMBERS = (0, 1, -1, 127, 128, 255, 256, 2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1, 2**63)
GONE = object()
VALUES: tuple[Any, ...] = (
    GONE,
    None,
    True,
    "x",
    "",
    "1 ms",
    -1,
    0,
    0.5,
    2**63,
    1e308,
    [],
    {},
    [1],
    {"a": 1},
    "x" * 3000,
    "\0",
)
TREES: dict[str, tuple[Callable[[bytes], Any], Callable[[Any], str]]] = {
    ".json": (json.loads, json.dumps),
    ".yaml": (yaml.safe_load, yaml.safe_dump),
}
END = 600  # the last bytes of a file: headers, footers and directories are there


def contents(target: Target, seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Inputs for the target: a seed with some changes, or words of its format in any order."""
    # Hypothesis would print the bytes that it samples
    seed = st.integers(0, len(seeds) - 1).map(lambda number: seeds[number])
    changed = st.builds(_changed, seed, st.lists(_edits(target), min_size=1, max_size=6))
    kinds = [changed]
    if target.suffix in TREES:
        edits = st.lists(st.tuples(st.integers(0, 1 << 12), st.sampled_from(VALUES)), min_size=1, max_size=3)
        kinds.append(st.builds(_replaced, st.just(target.suffix), seed, edits))
    if target.words:
        kinds.append(st.lists(st.sampled_from(target.words), max_size=30).map(b"".join))
    return st.one_of(kinds)


def _replaced(suffix: str, seed: bytes, edits: Sequence[tuple[int, Any]]) -> bytes:
    """Replaces or removes values at some places of a JSON or YAML tree."""
    load, dump = TREES[suffix]
    tree = load(seed)
    for number, value in edits:
        places = list(_places(tree))
        if not places:
            break
        inside, key = places[number % len(places)]
        if value is GONE:
            del inside[key]
        else:
            # without the copy, a later edit would change all uses, and could insert the value into itself
            inside[key] = copy.deepcopy(value)
    return dump(tree).encode()


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """The container and the key of every value in the tree. Lists contribute only their first few values."""
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree[:3]) if isinstance(tree, list) else ()
    for key, value in list(inner):
        yield tree, key
        yield from _places(value)


Edit = tuple[str, int, int, bytes]


def _edits(target: Target) -> st.SearchStrategy[Edit]:
    place = st.one_of(st.integers(0, END), st.integers(-END, -1), st.integers(0, 1 << 24))
    length = st.one_of(st.integers(1, 16), st.integers(1, 1 << 16))
    number = st.builds(
        lambda value, size: (value % (1 << 8 * size)).to_bytes(size, "little"),
        st.sampled_from(NUMBERS),
        st.sampled_from((1, 2, 4, 8)),
    )
    put = [st.binary(min_size=1, max_size=8), number]
    if target.words:
        put.append(st.sampled_from(target.words))
    none = st.just(b"")
    return st.one_of(
        st.tuples(st.just("flip"), place, st.integers(0, 7), none),
        st.tuples(st.just("over"), place, st.just(0), st.one_of(put)),
        st.tuples(st.just("insert"), place, st.just(0), st.one_of(put)),
        st.tuples(st.just("delete"), place, length, none),
        st.tuples(st.just("repeat"), place, length, none),
        st.tuples(st.just("end"), place, st.just(0), none),
    )


def _changed(seed: bytes, edits: Sequence[Edit]) -> bytes:
    content = bytearray(seed)
    for kind, place, size, put in edits:
        at = place % (len(content) + 1)
        if kind == "flip" and at < len(content):
            content[at] ^= 1 << size
        elif kind == "over":
            content[at : at + len(put)] = put
        elif kind == "insert":
            content[at:at] = put
        elif kind == "delete":
            del content[at : at + size]
        elif kind == "repeat" and len(content) < 1 << 20:
            content[at:at] = content[at : at + size]
        elif kind == "end":
            del content[at:]
    return bytes(content)
