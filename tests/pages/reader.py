# SPDX-License-Identifier: BSD-3-Clause
"""Follows a page's instructions in a copy of the tree, with no other tools."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.pages.steps import File, NotRun, Output, PageError, Run, Step, steps

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 600  # (chosen) limit for one block; some blocks need ten seconds on an idle machine
COMMAND = {"sh": ["bash", "-eu", "-c"], "python": ["python", "-c"]}


def tree() -> list[str]:
    """The files of a clone, in their present state."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@dataclass(frozen=True)
class Reader:
    """`home` is kept from page to page, like a user's; `clone` is new for each page."""

    home: Path
    clone: Path
    files: tuple[str, ...]

    def read(self, page: Path) -> str:
        """The page with the present output of its blocks. Raises PageError for the first block that fails."""
        before = page.read_text(encoding="utf-8")
        todo = steps(before)
        if not any(isinstance(step, Run) for step in todo):
            return before
        if self.files:
            subprocess.run(["cp", "--parents", "--target-directory", self.clone, *self.files], cwd=ROOT, check=True)
        inside = page.parent.relative_to(ROOT) if page.is_relative_to(ROOT / "examples") else Path()
        lines, out = before.splitlines(keepends=True), ""
        shown: list[tuple[Output, str]] = []
        for step in todo:
            if isinstance(step, Output):
                shown.append((step, self._shown(step, out, self.clone / inside)))
            else:
                out = self._do(step, self.clone / inside) or out
        for output, text in reversed(shown):
            lines[output.first : output.end] = [text]
        return "".join(lines)

    def _do(self, step: Step, folder: Path) -> str | None:
        """Runs the step. Returns its output, if it has one."""
        if isinstance(step, File):
            (folder / step.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.name).write_text(step.text, encoding="utf-8")
        if not isinstance(step, Run):
            return None
        status, out, err = self._execute([*COMMAND[step.language], step.code], folder)
        if status != step.status:
            raise PageError(
                step.line, f"exit status {status}, not {step.status}\n{step.code}\n{out[-2000:]}{err[-4000:]}"
            )
        return out + err * (status != 0)  # on an error, a user also sees standard error

    def _shown(self, output: Output, out: str, folder: Path) -> str:
        if output.through:
            status, out, err = self._execute([*COMMAND["sh"], output.through], folder, out)
            if status:
                raise PageError(output.line, f"exit status {status}\n{output.through}\n{err}")
        text = "".join(f"{line.rstrip()}\n" for line in out.strip("\n").splitlines())
        return f"```console\n$ {output.command}\n{text}```\n" if output.command else f"```text\n{text}```\n"

    def _execute(self, command: list[str], folder: Path, given: str = "") -> tuple[int, str, str]:
        environment = {
            "HOME": str(self.home),
            "PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "OPENBLAS_NUM_THREADS": "1",  # as for scripts/test
        }
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(given, timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            err += f"\nnot finished after {LIMIT_S} s"
        return process.returncode, out, err


def not_run(page: Path) -> list[NotRun]:
    """The instructions on the page that no reader here follows."""
    return [step for step in steps(page.read_text(encoding="utf-8")) if isinstance(step, NotRun)]
