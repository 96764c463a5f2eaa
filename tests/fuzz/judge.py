# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a target copes with a file. A separate process, which is watched, reads the file."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz import made
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).with_name("corpus")
TIMEOUT_S = 30.0


class Reader:
    """The process that reads files. It is replaced after a fault."""

    def __init__(self, folder: Path) -> None:
        """`folder` is for temporary files and for the runs from which seeds are made."""
        (folder / "tmp").mkdir()
        os.environ[made.FOLDER] = str(folder)
        self._environment = {**os.environ, "TMPDIR": str(folder / "tmp")}
        self._process: subprocess.Popen[str] | None = None

    def ask(self, target: str, file: Path) -> dict[str, str]:
        """The answer of child.py, or how the process ended."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([target, str(file)]) + "\n")
            process.stdin.flush()
            if not select.select([process.stdout], [], [], TIMEOUT_S)[0]:
                self.close()
                return {"what": "broken", "text": f"not done after {TIMEOUT_S:.0f} s"}
            answer = process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            status = process.wait()
            self.close()
            return {"what": "broken", "text": f"the process ended with {_ending(status)}"}
        found: dict[str, str] = json.loads(answer)
        return found

    def close(self) -> None:
        """Ends the process and its children."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.fuzz.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                cwd=ROOT,
                start_new_session=True,
                env=self._environment,
            )
        return self._process


class Judge:
    """Checks whether one target copes with its inputs."""

    def __init__(self, target: Target, reader: Reader, folder: Path) -> None:
        """`folder` is for seeds and for the files to be read. Fails if the target refuses a seed."""
        self.target = target
        self._reader = reader
        self._file = folder / f"input{target.suffix}"
        self.seeds = target.seeds(folder)
        self._results = set()
        for seed in self.seeds:
            answer = self._asked(seed)
            assert answer["what"] == "taken" or target.refuses_seeds, (target.name, seed[:500], answer)
            self._results.add(answer["text"])
        self.taken = self.refused = 0

    def fault(self, content: bytes) -> str:
        """The fault that this content shows; empty if there is none."""
        answer = self._asked(content)
        if answer["what"] == "broken":
            return answer["text"]
        if answer["what"] == "refused":
            self.refused += 1
            return ""
        self.taken += 1
        if self.target.sealed and answer["text"] not in self._results:
            return "taken in spite of its checksum, with another result"
        return ""

    def keep(self, content: bytes) -> Path:
        """Adds the content to the corpus, with which later runs begin."""
        file = CORPUS / self.target.name / f"{hashlib.sha256(content).hexdigest()[:16]}{self.target.suffix}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return file

    def corpus(self) -> list[bytes]:
        """The contents of the target's corpus."""
        return [file.read_bytes() for file in sorted((CORPUS / self.target.name).glob("*"))]

    def _asked(self, content: bytes) -> dict[str, str]:
        self._file.write_bytes(content)
        return self._reader.ask(self.target.name, self._file)


def _ending(status: int) -> str:
    return f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"


@contextlib.contextmanager
def judges(names: list[str]) -> Iterator[list[Judge]]:
    """Judges for the named targets, or for all targets if `names` is empty."""
    with tempfile.TemporaryDirectory(prefix="hypermon-fuzz-") as scratch:
        reader = Reader(Path(scratch))
        try:
            yield [_judge(TARGETS[name], reader, Path(scratch)) for name in names or TARGETS]
        finally:
            reader.close()


def _judge(target: Target, reader: Reader, folder: Path) -> Judge:
    own = folder / f"of-{target.name}"
    own.mkdir()
    return Judge(target, reader, own)
