# SPDX-License-Identifier: BSD-3-Clause
"""The class of fuzz targets, and words that several formats share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SCENARIO_WORDS = (
    b"question: ", b"base: ", b"set:\n", b"  ", b"\n", b"- ", b"cases:\n", b"expect:\n", b"of: ", b"is: ", b"{", b"}",
    b"[", b"]", b"&a ", b"*a", b"<<: ", b"? ", b"!!python/object:os.system ", b"!!binary ", b"0x7", b"1e999", b".nan",
    b"ecb.window_ns: ", b"nodes: ", b"variants:\n", b"when: ", b"presets: ", b"platform: ", b"sweep:\n", b"vary:\n",
    b"1:1000000000:1", b"1:9:log2", b"null", b"\x00", b"\xff", b"'", b'"', b"|\n", b": ", b"../", b"\t",
)  # fmt: skip
TABLE_WORDS = (b",", b"\n", b'"', b"-1", b"1e30", b"0x", b"nan", b"9223372036854775808", b"\x00", b"\xff", b";", b"\r")


@dataclass(frozen=True)
class Target:
    """A format that hypermon reads."""

    name: str
    suffix: str
    """Suffix of the file."""
    seeds: Callable[[Path], list[bytes]]
    """Makes valid files in a folder."""
    read: Callable[[Path], str]
    """Reads a file and returns its content as text. A HypermonError counts as an answer."""
    readers: tuple[str, ...]
    """The modules below python/hypermon that this target tests."""
    sealed: bool = False
    """True if the file has a checksum: it must be read with the same result, or refused."""
    refuses_seeds: bool = False
    """True if some seeds of the shared format are of another program and must be refused."""
    words: tuple[bytes, ...] = ()
    """Words of the format's language, for nonsense that a parser accepts for a while."""
    examples: int = 60
    """In CI."""
