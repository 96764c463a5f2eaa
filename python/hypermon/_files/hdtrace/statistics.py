# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace statistics groups (.stat).

A file consists of the length of its header in five digits, the header in XML, and big-endian entries of equal length.
An entry has a time and a value for each column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from hypermon._files import files
from hypermon._files.hdtrace import elements, times
from hypermon._files.hdtrace.elements import Element, Parsed
from hypermon.errors import UserError, cut

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGITS = 5
MOST_VALUES = 256  # HDS_MAX_VALUES_PER_GROUP
TYPES = {"INT32": ">i4", "INT64": ">i8", "UINT64": ">u8", "FLOAT": ">f4", "DOUBLE": ">f8"}
FARTHEST_S = 9_000_000  # largest time that fits into 64 bits of ps
MULTIPLIERS = {"ns": 1, "mus": 1000, "us": 1000, "ms": 10**6, "s": 10**9}


@dataclass(frozen=True)
class Value:
    """A column. `kind`: one of TYPES. `grouping`: columns with the same grouping are drawn to the same scale."""

    name: str
    kind: str
    unit: str = ""
    grouping: str = ""


@dataclass(frozen=True)
class Group:
    """A file of statistics.

    Attributes:
        begin_ps: Begin of the first entry's interval. None: the file does not have it.
        times_ps: Shape (n,), int64. End of each entry's interval, or, for exact counts, the begin of its validity.
        values: Values of each column, shape (n,), in the column's type.
    """

    name: str
    columns: tuple[Value, ...]
    begin_ps: int | None
    times_ps: NDArray[np.int64]
    values: dict[str, NDArray[np.generic]] = field(default_factory=dict)


def read_statistics(path: Path, base_s: int = 0, begin_ps: int | None = None, end_ps: int | None = None) -> Group:
    """Reads the entries whose times lie in [begin_ps, end_ps], and one more on either side. None: no limit.

    Times are relative to `base_s`, since times from 1970 on do not fit into 64 bits of ps. Raises a UserError with file
    and byte if the file is not valid, or ends within an entry.
    """
    import numpy as np

    size, header, text = _header(path)
    parsed = Parsed(path)
    group = _group(parsed, text)
    columns = tuple(_column(parsed, one) for one in group.children if one.name in ("Value", "Statistics"))
    if not 0 < len(columns) <= MOST_VALUES:
        elements.refuse(path, group.line, f"<Group> has {len(columns)} values: must be 1 to {MOST_VALUES}")
    if len({one.name for one in columns}) < len(columns):
        elements.refuse(path, group.line, "<Group> has two values of one name")
    stamp, tick_ns = _stamp(parsed, group)
    entry = np.dtype([*stamp, *((f"v{n}", TYPES[one.kind]) for n, one in enumerate(columns))])
    first = np.dtype(stamp)
    begin = None
    if (size - header) % entry.itemsize and size - header >= first.itemsize:
        begin, header = header, header + first.itemsize  # begin of the first entry; missing only in the oldest files
    whole, rest = divmod(size - header, entry.itemsize)
    if rest:
        at = header + whole * entry.itemsize
        raise UserError(f"{path}: byte {at}: the file ends within an entry: {rest} of its {entry.itemsize} B are there")
    rows = np.memmap(path, dtype=entry, mode="r", offset=header, shape=(whole,)) if whole else np.zeros(0, dtype=entry)
    shift = parsed.time_or(group, "timeAdjustment", 0) - base_s * times.PS_PER_SECOND
    stamps = _times(path, rows, tick_ns, shift)
    if (order := np.flatnonzero(np.diff(stamps) < 0)).size:
        at = header + (int(order[0]) + 1) * entry.itemsize
        raise UserError(f"{path}: byte {at}: the entry's time is before that of the one before")
    low = 0 if begin_ps is None else max(int(np.searchsorted(stamps, begin_ps)) - 1, 0)
    high = whole if end_ps is None else min(int(np.searchsorted(stamps, end_ps, side="right")) + 1, whole)
    started = None
    if begin is not None:
        started = int(_times(path, np.fromfile(path, dtype=first, count=1, offset=begin), tick_ns, shift)[0])
    values = {
        one.name: np.array(rows[f"v{n}"][low:high]).astype(entry[f"v{n}"].newbyteorder("="))
        for n, one in enumerate(columns)
    }
    return Group(parsed.get(group, "name"), columns, started, stamps[low:high], values)


def first_second(path: Path) -> int | None:
    """Returns the whole second in which the file begins, including the header's adjustment. None: it has no entry.

    Raises a UserError with file and byte if the file is not valid.
    """
    import numpy as np

    size, header, text = _header(path)
    parsed = Parsed(path)
    group = _group(parsed, text)
    stamp, tick_ns = _stamp(parsed, group)
    if size - header < np.dtype(stamp).itemsize:
        return None
    row = np.fromfile(path, dtype=np.dtype(stamp), count=1, offset=header)[0]
    shift = parsed.time_or(group, "timeAdjustment", 0)
    seconds = int(row["s"]) if "s" in stamp[0] else int(row["ticks"]) * tick_ns // 10**9
    return seconds + shift // times.PS_PER_SECOND


def _stamp(parsed: Parsed, group: Element) -> tuple[list[tuple[str, str]], int]:
    """Returns the fields of an entry's time, and the length of a tick in ns."""
    kind = group.attributes.get("timestampDatatype", "EPOCH")
    if kind not in ("EPOCH", "INT32"):
        parsed.wrong(group, "timestampDatatype", "EPOCH or INT32")
    unit = group.attributes.get("timeResulution", "ns")  # sic, in the format
    if unit not in MULTIPLIERS:
        parsed.wrong(group, "timeResulution", ", ".join(MULTIPLIERS))
    return [("s", ">i4"), ("ns", ">i4")] if kind == "EPOCH" else [("ticks", ">i4")], MULTIPLIERS[unit]


def _times(path: Path, rows: NDArray[np.void], tick_ns: int, shift: int) -> NDArray[np.int64]:
    import numpy as np

    shift_s, shift_ps = divmod(shift, times.PS_PER_SECOND)
    if rows.dtype.names is not None and "ticks" in rows.dtype.names:
        ns = rows["ticks"].astype(np.int64) * tick_ns
        seconds, ns = ns // 10**9, ns % 10**9
    else:
        seconds, ns = rows["s"].astype(np.int64), rows["ns"].astype(np.int64)
    if seconds.size and int(np.abs(seconds + shift_s).max()) > FARTHEST_S:
        raise UserError(f"{path}: its times are more than {FARTHEST_S} s away from those of the project's other files")
    return (seconds + shift_s) * times.PS_PER_SECOND + ns * times.PS_PER_NS + shift_ps


def _header(path: Path) -> tuple[int, int, bytes]:
    """Returns the file's size, the offset of its entries, and the header's text."""
    try:
        size = files.regular(path).stat().st_size
        with path.open("rb") as file:
            digits = file.readline(DIGITS + 2)
            if not digits.endswith(b"\n") or not digits[:-1].isdigit():
                raise UserError(
                    f"{path}: byte 0: begins with {cut(digits)}: must be the length of the header, like b'00362\\n'"
                )
            length = int(digits)
            text = file.read(length)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    if len(text) < length:
        raise UserError(f"{path}: byte {size}: the file ends within its header of {length} B")
    return size, len(digits) + length, text


def _group(parsed: Parsed, text: bytes) -> Element:
    """Returns the group's element, which is in <Statistics> or, in the oldest files, the outermost element."""
    root = "Group" if text.lstrip().startswith(b"<Group") else "Statistics"
    parser = elements.Elements(parsed.path, 0, root)
    found = [*parser.feed(text), *parser.feed(b"", last=True)]
    group = found[0] if root == "Group" else found[0].first("Group")
    if group is None:
        elements.refuse(parsed.path, found[0].line, "<Statistics> has no <Group>")
    return group


def _column(parsed: Parsed, element: Element) -> Value:
    kind = parsed.get(element, "type").upper()
    if kind not in TYPES:
        parsed.wrong(element, "type", ", ".join(TYPES))
    rest = element.attributes
    return Value(parsed.get(element, "name"), kind, rest.get("unit", ""), rest.get("grouping", ""))


def write_statistics(path: Path, node: Sequence[str], group: Group, adjustment_ps: int = 0) -> None:
    """Writes a file atomically. `node`: the node's names from the host down. Times are in us, as gettimeofday's."""
    import numpy as np

    header = header_text(node, group.name, group.columns, adjustment_ps).encode()
    entry = np.dtype([("s", ">i4"), ("ns", ">i4"), *((one.name, TYPES[one.kind]) for one in group.columns)])
    rows = np.zeros(len(group.times_ps), dtype=entry)
    us = (group.times_ps - adjustment_ps) // times.PS_PER_US
    rows["s"], rows["ns"] = us // 10**6, us % 10**6 * 1000
    for one in group.columns:
        rows[one.name] = group.values[one.name]
    first = np.zeros(1, dtype=np.dtype([("s", ">i4"), ("ns", ">i4")]))
    begin = group.begin_ps
    if begin is None:
        begin = int(group.times_ps[0]) if len(rows) else adjustment_ps
    since_us = (begin - adjustment_ps) // times.PS_PER_US
    first["s"], first["ns"] = since_us // 10**6, since_us % 10**6 * 1000
    with files.writing(path) as partial, partial.open("wb") as file:
        file.write(f"{len(header):0{DIGITS}d}\n".encode())
        file.write(header)
        file.write(first.tobytes())
        file.write(rows.tobytes())


def header_text(node: Sequence[str], name: str, columns: Sequence[Value], adjustment_ps: int) -> str:
    """Returns the header, without its length."""
    lines = ["<Statistics>", "<TopologyNode>"]
    for depth, label in enumerate(node, 1):
        lines.append("  " * depth + f"<Label value={quoteattr(label)}" + (" />" if depth == len(node) else ">"))
    lines += ["  " * depth + "</Label>" for depth in range(len(node) - 1, 0, -1)]
    lines.append("</TopologyNode>")
    ns = abs(adjustment_ps) // times.PS_PER_NS
    sign = "-" if adjustment_ps < 0 else ""
    adjustment = f"{sign}{ns // 10**9:010d}.{ns % 10**9:09d}"
    lines.append(f'<Group name={quoteattr(name)} timestampDatatype="EPOCH" timeAdjustment="{adjustment}">')
    for one in columns:
        unit = f" unit={quoteattr(one.unit)}" if one.unit else ""
        grouping = f" grouping={quoteattr(one.grouping)}" if one.grouping else ""
        lines.append(f'  <Value name={quoteattr(one.name)} type="{one.kind}"{unit}{grouping} />')
    lines += ["</Group>", "</Statistics>"]
    return "\n".join(lines) + "\n"
