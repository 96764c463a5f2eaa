# SPDX-License-Identifier: BSD-3-Clause
"""Words that belong to the HYPERMON monitor only."""

from __future__ import annotations

from tests.python.test_own_words import Described, described, own_words

__all__ = ["described"]


def test_what_a_words_is_follows_from_what_is_registered(described: Described) -> None:
    words = own_words(described, "hypermon")
    assert {"ecb", "port", "nibbles", "frames", "word_ns", "frame_fifo", "ambiguous_silences"} <= words
    assert not {"nodes", "events", "elapsed_s", "tick_ms", "monitor", "bursts", "reader"} & words
