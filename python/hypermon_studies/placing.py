# SPDX-License-Identifier: BSD-3-Clause
"""Files of a study: a folder of data with the study's name, and a page beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypermon._files import files, results

DATA = ("*.csv", "*.json", "*.svg", "*.png")  # names of what earlier versions left in the folder of data
PICTURES = ("*.svg", "*.png")


@dataclass(frozen=True)
class Place:
    """Place of a study's files. Other studies may be in the same folder.

    Attributes:
        out: The folder.
        name: Name of the study and of its data.
        marker: A file that its data always include.
        force: Also replaces files that are not an earlier result of the study.
        beside: Files beside the page, by name.
    """

    out: Path
    name: str
    marker: str
    force: bool = False
    beside: tuple[str, ...] = ()

    def require(self, lost: Sequence[str] = ()) -> None:
        """Raises a UserError if the results may not be written there. Call this before the simulation.

        Args:
            lost: Patterns of names that earlier data may have and these data lack.
        """
        results.require(self._data, self._kind, force=self.force, lost=lost)
        results.require_generated(self.out / f"{self.name}.md", force=self.force)
        for file in (self.out / name for name in self.beside):
            results.require_generated(file, force=self.force or self._data.is_dir())

    @contextlib.contextmanager
    def data(self, lost: Sequence[str] = ()) -> Iterator[Path]:
        """The folder of data, to write into. `lost`: as of `require`."""
        self.require(lost)
        with results.whole_folder(self._data, self._kind, force=self.force, lost=lost) as folder:
            yield folder

    def page(self, text: str, name: str = "") -> None:
        """Writes the page, or another file beside it."""
        with files.writing(self.out / (name or f"{self.name}.md"), streams=False) as partial:
            partial.write_text(text, encoding="utf-8")

    @property
    def _data(self) -> Path:
        return self.out / self.name

    @property
    def _kind(self) -> results.Kind:
        return results.Kind(f"data of the study {self.name}", self.marker, DATA)
