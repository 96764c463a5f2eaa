# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the tree, with a build and a Python environment of its own, in which a part can be missing."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.removal.left import Left
from tests.removal.parts import ROOT, belongings, without_rooms

BUILD = "build/release"
KEPT = ("build", ".venv")
"""Kept in the copy from one time to the next, so that only changes are built again."""


class FailedError(Exception):
    """A command failed. The text is the end of its output."""


class Tree:
    """The copy: complete after `synchronise`, without a part after `take_away`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.python = path / ".venv/bin/python"

    def synchronise(self) -> None:
        """Copies all files that git tracks or would add. Unchanged files keep their times."""
        listed = subprocess.run(
            ("git", "ls-files", "-z", "-co", "--exclude-standard"), cwd=ROOT, capture_output=True, text=True, check=True
        )
        names = {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}
        self.path.mkdir(parents=True, exist_ok=True)
        for top in self.path.iterdir():
            if top.name not in KEPT:
                for file in [top] if top.is_file() else [f for f in top.rglob("*") if f.is_file() or f.is_symlink()]:
                    if str(file.relative_to(self.path)) not in names:
                        file.unlink()
        for name in names:
            to = self.path / name
            if not to.is_file() or to.read_bytes() != (ROOT / name).read_bytes():
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, to)

    def take_away(self, part: str) -> tuple[str, ...]:
        """Removes the part with its belongings and its rooms on the map. Returns the removed paths."""
        gone = belongings(part, self.path)
        for name in gone:
            path = self.path / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        page = self.path / "docs/design/rooms.md"
        page.write_text(without_rooms(page.read_text(), gone))
        self.run("git", "init", "--quiet")  # tests ask git for the list of files
        return gone

    def build(self) -> None:
        if not (self.path / BUILD / "build.ninja").is_file():
            self.run("cmake", "--preset", "release", f"-DPython_EXECUTABLE={sys.executable}")
        self.run("ninja", "-C", BUILD, "-j", str(os.cpu_count() or 1))
        for module in (self.path / "python/hypermon").glob("_core*.so"):
            module.unlink()
        for module in (self.path / BUILD / "python").glob("_core*.so"):
            (self.path / "python/hypermon" / module.name).symlink_to(module)
        self._environment()

    def _environment(self) -> None:
        """Links the packages of this environment, except that hypermon comes from the copy."""
        shutil.rmtree(self.path / ".venv", ignore_errors=True)
        self.run(sys.executable, "-m", "venv", "--without-pip", ".venv")
        (site,) = (self.path / ".venv/lib").glob("python*/site-packages")
        (others,) = {Path(path) for path in sys.path if path.endswith("site-packages")}
        for package in others.iterdir():
            if "hypermon" not in package.name and not (site / package.name).exists():
                (site / package.name).symlink_to(package)
        (site / "hypermon.pth").write_text(f"{self.path / 'python'}\n")
        self._write_metadata(site)
        for script in Path(sys.executable).parent.iterdir():
            content = script.read_bytes()
            own = self.path / ".venv/bin" / script.name
            if content.startswith(b"\x7fELF") and not own.exists():
                own.symlink_to(script)
            elif content.startswith(b"#!") and b"python" in content.split(b"\n")[0]:
                own.write_bytes(b"#!%s\n%s" % (os.fsencode(self.python), content.partition(b"\n")[2]))
                own.chmod(0o755)
        (self.path / ".venv/bin/hypermon-sim").symlink_to(self.path / BUILD / "bin/hypermon-sim")

    def _write_metadata(self, site: Path) -> None:
        """Writes metadata of the installed packages."""
        project = tomllib.loads((self.path / "pyproject.toml").read_text())["project"]
        version = runpy.run_path(str(self.path / "python/hypermon/_version.py"))["__version__"]
        about = site / f"hypermon-{version}.dist-info"
        about.mkdir()
        about.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: hypermon\nVersion: {version}\n")
        groups = {"console_scripts": project["scripts"], **project["entry-points"]}
        lines = []
        for group, entries in groups.items():
            lines.append(f"[{group}]")
            for name, target in entries.items():
                if (self.path / "python" / target.partition(":")[0].partition(".")[0]).is_dir():
                    lines.append(f"{name} = {target}")
        about.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n")

    def rewrite(self) -> list[str]:
        """Makes generated files again and removes the scenarios that need the part. Returns these."""
        described = json.loads(self.run(f"{BUILD}/bin/hypermon-sim", "--describe"))
        left = Left({parameter["path"]: parameter.get("choices", ()) for parameter in described["parameters"]})
        for file in (self.path / "platforms/machines").glob("*.yaml"):
            file.write_text(left.of_platform(file.read_text()))
        for file in (self.path / "scenarios").rglob("*.yaml"):
            file.write_text(left.of_scenario(file.read_text()))
        rules = {tuple(line.split("\t")) for line in self.run(self.python, "-c", RULES).splitlines()}
        page = self.path / "docs/design/mutations.md"
        kept, title = [], ""
        for line in page.read_text().splitlines(keepends=True):
            title = line[3:].strip() if line.startswith("## ") else title
            row = re.match(r"\| (?!rule |---)(.*?) \| `", line)
            if not row or (title, row[1]) in rules:
                kept.append(line)
        page.write_text("".join(kept))
        gone = self.run(self.python, "-c", UNRESOLVED).split()
        for name in gone:
            (self.path / f"scenarios/{name}.yaml").unlink()
        self.run(self.python, "-c", "from hypermon.cli import main; main()", "docs")
        for name in self.run(self.python, "-c", OF_WHAT_IS_GONE).split():
            (self.path / name).unlink()
        return gone

    def run(self, *command: str | Path, **environment: str) -> str:
        """Runs a command in the copy. Raises FailedError."""
        done = subprocess.run(
            command, cwd=self.path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            env={**_own_environment(), **environment},
        )  # fmt: skip
        if done.returncode != 0:
            raise FailedError(f"{' '.join(map(str, command))}\n{done.stdout[-20_000:]}")
        return done.stdout

    def watch(self, *command: str | Path, **environment: str) -> bool:
        """Runs a command and shows its output immediately. Returns whether it succeeded."""
        return (
            subprocess.run(command, cwd=self.path, env={**_own_environment(), **environment}, check=False).returncode
            == 0
        )


def _own_environment() -> dict[str, str]:
    """The environment without variables that point at this tree; compilers' results do not depend on the place of the
    copy.
    """
    left_out = {"PYTHONPATH", "HYPERMON_SIM", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


RULES = """
from tests.mutation.groups import GROUPS
from tests.mutation.page import cell
for group in GROUPS.values():
    for mutation in group.mutations:
        print(group.title, cell(mutation.rule), sep="\t")
"""
OF_WHAT_IS_GONE = """
from tests.pages import commands
from tests.pages.reader import ROOT, tree
for name in tree():
    if name.endswith(".md") and name != "CHANGELOG.md" and any(map(commands.lacking, commands.inline_commands(ROOT / name))):
        print(name)
"""
UNRESOLVED = """
from hypermon._inputs import scenario
from hypermon._model import worker
from hypermon.errors import UserError
for name in scenario.names():
    try:
        for found in scenario.find(name):
            for case in found.cases or (None,):
                worker.check(found.resolve(worker.schema(), case=case))
    except UserError:
        print(name)
"""
