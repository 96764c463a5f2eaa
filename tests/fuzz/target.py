# SPDX-License-Identifier: BSD-3-Clause
"""What a target is, and the words of languages that several have."""

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
    """Something that is read."""

    name: str
    suffix: str
    """Of the file."""
    seeds: Callable[[Path], list[bytes]]
    """Files that are as they should be; made in a folder."""
    read: Callable[[Path], str]
    """Reads a file and says what it got of it. A HypermonError is an answer."""
    readers: tuple[str, ...]
    """The modules below python/hypermon whose reading this is."""
    sealed: bool = False
    """The file has a checksum: it is taken with the same result, or refused."""
    refuses_seeds: bool = False
    """Its seeds are as good as the others of that format, but of another program."""
    words: tuple[bytes, ...] = ()
    """Of its language, for nonsense that a parser goes along with for a while."""
    examples: int = 60
    """In CI."""
