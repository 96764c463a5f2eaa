# SPDX-License-Identifier: BSD-3-Clause
"""Saves tables in memory to files, because a specification can only name files.

The file is named by its content. Therefore equal tables give equal specifications, and a run can be repeated.
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

from hypermon._files import files
from hypermon.errors import UserError

FOLDER = Path("runs") / "events"


def is_table(value: object) -> bool:
    """Is the value an array with named or numbered columns, or a table of pandas, Polars, Arrow or the like?"""
    return hasattr(value, "__arrow_c_stream__") or (hasattr(value, "dtype") and getattr(value, "ndim", 0) > 0)


def kept(value: Any) -> Path:
    """Returns the file that holds the table. It is written unless it exists."""
    buffer = io.BytesIO()
    if hasattr(value, "__arrow_c_stream__"):
        import pyarrow as pa
        from pyarrow import parquet

        try:
            table = pa.Table.from_pandas(value, preserve_index=False) if hasattr(value, "iloc") else pa.table(value)
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise UserError(f"a table of events: {' '.join(str(error).split())[:200]}") from None
        parquet.write_table(table.replace_schema_metadata(None), buffer)
        suffix = ".parquet"
    else:
        import numpy as np

        try:
            np.save(buffer, np.asarray(value), allow_pickle=False)
        except ValueError as error:
            raise UserError(f"an array of events: {error}") from None
        suffix = ".npy"
    content = buffer.getvalue()
    path = FOLDER / f"events-{hashlib.sha256(content).hexdigest()[:10]}{suffix}"
    if not (path.is_file() and path.read_bytes() == content):
        with files.naming(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        with files.writing(path, streams=False) as part:
            part.write_bytes(content)
    return path
