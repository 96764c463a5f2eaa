# SPDX-License-Identifier: BSD-3-Clause
"""The paths of a JSON text's keys, as the reference pages write them."""

from __future__ import annotations

import re
from typing import Any

NAMED = {"settings": "<parameter>", "per_seed": "<seed>", "numbers": "<target>"}


def paths(tree: Any, prefix: str = "") -> set[str]:
    """The path of every key. All members of a mapping by name have one path."""
    if isinstance(tree, list):
        return {f"{prefix}[]"}.union(*(paths(one, f"{prefix}[]") for one in tree))
    if not isinstance(tree, dict):
        return {prefix}
    name = re.sub(r"\[\]$", "", prefix).rpartition(".")[2]
    found = {prefix} - {""}
    for key, inner in tree.items():
        below = f"{prefix}.{NAMED.get(name, key)}" if prefix else key
        found |= paths(inner, below)
    return found
