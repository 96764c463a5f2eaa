"""What the commands about recordings share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hypermon.cli import complete

RecordingArgument = Annotated[
    Path,
    typer.Argument(
        help="A run directory made by `hypermon record`, or its recording.", autocompletion=complete.recording
    ),
]
