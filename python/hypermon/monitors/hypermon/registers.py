# SPDX-License-Identifier: BSD-3-Clause
"""The capture board's registers on the PBX, as a drain program, a probe or a user's bus master accesses them.

>>> from hypermon import registers
>>> registers.find("status").decode(0b1001)
{'frame_overrun': 1, 'node_overrun': 0, 'vector_overrun': 0, 'frame_available': 1}
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from hypermon._model.native import _core
from hypermon.errors import UserError


@dataclass(frozen=True)
class Field:
    """Bits of a register with a meaning of their own."""

    name: str
    mask: int
    description: str


@dataclass(frozen=True)
class Register:
    """A register of the board, accessed as a word of four bytes.

    Attributes:
        offset: Offset from the board's first register. Unit: B.
        address: Address in the I/O node's PBX space. Unit: B.
        bits: Width of the register. Higher bits are 0 when read, and ignored when written.
        access: ro, wo or rw.
        reset: Value that is read after a reset.
        side_effects: Whether reading it changes the board; a debug access does not.
    """

    name: str
    offset: int
    address: int
    bits: int
    access: str
    reset: int
    side_effects: bool
    description: str
    fields: tuple[Field, ...]

    def decode(self, value: int) -> dict[str, int]:
        """Returns the fields of a word that was read.

        Args:
            value: The word.

        Returns:
            The value of each field, by its name; empty for a register without fields.

        Raises:
            UserError: The value does not fit the register.
        """
        if not 0 <= value < 1 << self.bits:
            raise UserError(f"{self.name} = {value}: must be 0 to {(1 << self.bits) - 1}, {self.bits} bits")
        return {f.name: (value & f.mask) >> ((f.mask & -f.mask).bit_length() - 1) for f in self.fields}


def table() -> tuple[Register, ...]:
    """Returns all registers by their offsets. The hardware models use the same table."""
    return _declared()


@cache
def _declared() -> tuple[Register, ...]:
    rows = json.loads(_core.describe_registers())
    return tuple(Register(**{**row, "fields": tuple(Field(**field) for field in row["fields"])}) for row in rows)


def find(name: str) -> Register:
    """Returns the register with that name.

    Raises:
        UserError: There is no such register.
    """
    for register in table():
        if register.name == name:
            return register
    raise UserError(f"no register {name}; must be one of {', '.join(r.name for r in table())}")
