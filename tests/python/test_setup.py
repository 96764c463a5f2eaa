# SPDX-License-Identifier: BSD-3-Clause
"""scripts/setup and scripts/lock in a small tree, with small packages from a folder instead of an index."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = """\
[build-system]
requires = ["little-builder"]
build-backend = "backend"
backend-path = ["."]

[project]
name = "hypermon"
version = "1"
requires-python = ">=3.11"
dependencies = ["little-core>=1"]
optional-dependencies = { dask = ["little-extra"], dev = ["hypermon[dask]"], docs = ["little-docs"] }

[dependency-groups]
source = []
uv = ["little-uv"]
wheel = ["little-repair"]
"""
BACKEND = """\
import zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(f"{folder}/hypermon-1-py3-none-any.whl", "w") as archive:
        about = "hypermon-1.dist-info"
        archive.writestr("_editable_skbc_hypermon.pth", "import os\\n/tree\\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\\nName: hypermon\\nVersion: 1\\n")
        archive.writestr(f"{about}/RECORD", "_editable_skbc_hypermon.pth,,\\n")
    return "hypermon-1-py3-none-any.whl"
"""


@dataclass(frozen=True)
class Tree:
    """A tree with the scripts, a stand-in for Debian's packages, and a folder of wheels."""

    path: Path

    @property
    def wheels(self) -> Path:
        return self.path / "wheels"

    def wheel(self, name: str, version: str = "1", needs: str = "", script: str = "", text: str = "#!/bin/sh\n") -> str:
        """Makes a wheel, optionally with a script, and returns the lines that lock it."""
        module = name.replace("-", "_")
        file = self.wheels / f"{module}-{version}-py3-none-any.whl"
        about = f"{module}-{version}.dist-info"
        files = {f"{module}.py": "", f"{about}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
        files[f"{about}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" + needs
        if script:
            files[f"{module}-{version}.data/scripts/{script}"] = text
        with zipfile.ZipFile(file, "w") as archive:
            files[f"{about}/RECORD"] = "".join(f"{inner},,\n" for inner in files)
            for inner, contents in files.items():
                entry = zipfile.ZipInfo(inner)  # with a fixed time, so that equal wheels have equal hashes
                entry.external_attr = (0o100755 if script in inner.split("/") else 0o100644) << 16
                archive.writestr(entry, contents)
        return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}\n"

    def lock(self, **files: str) -> None:
        for name, text in files.items():
            (self.path / f"requirements/{name}.txt").write_text(text)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull}
        settings["UV_CACHE_DIR"] = str(self.path / "cache")
        environment = {**os.environ, **settings, "PATH": f"{self.path / 'debian'}:{os.environ['PATH']}"}
        return subprocess.run(command, cwd=self.path, env=environment, capture_output=True, text=True, check=False)

    def setup(self) -> subprocess.CompletedProcess[str]:
        return self.run("scripts/setup", "--site")

    def installed(self) -> set[str]:
        """The packages of the tree's environment except pip and setuptools, with their versions."""
        (site,) = (self.path / ".venv/lib").glob("python3*/site-packages")
        found = {path.name.removesuffix(".dist-info").replace("_", "-") for path in site.glob("*.dist-info")}
        return {name for name in found if not name.startswith(("pip-", "setuptools-"))}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A tree after its first scripts/setup, which installs little-uv: a script that calls uv."""
    uv = ROOT / ".venv/bin/uv"
    if not uv.exists():
        pytest.skip("there is no uv in this tree's environment")
    made = Tree(tmp_path_factory.mktemp("setup") / "tree")
    for folder in ("scripts", "requirements", "wheels", "debian"):
        (made.path / folder).mkdir(parents=True)
    for script in ("setup", "python-packages", "lock"):
        shutil.copy(ROOT / "scripts" / script, made.path / "scripts")
    (made.path / "pyproject.toml").write_text(PROJECT)
    (made.path / "backend.py").write_text(BACKEND)
    installed = made.path / "debian/dpkg-query"  # every package is
    installed.write_text("#!/bin/sh\nprintf installed\n")
    installed.chmod(0o755)
    core, docs = made.wheel("little-core"), made.wheel("little-docs", script="sphinx-build")
    made.lock(build=made.wheel("little-builder"), core=core, extras="-r core.txt\n" + made.wheel("little-extra"))
    made.lock(docs="-r extras.txt\n" + docs)
    made.lock(uv=made.wheel("little-uv", script="uv", text=f'#!/bin/sh\nexec {uv} "$@"\n'))
    made.wheel("little-core", "2")  # newer, but not locked
    first = made.setup()
    assert first.returncode == 0, first.stdout + first.stderr
    little = {f"little-{name}-1" for name in ("uv", "builder", "core", "extra", "docs")}
    assert made.installed() == {"hypermon-1", *little}
    return made


def test_a_second_setup_says_nothing_and_fetches_nothing(tree: Tree) -> None:
    wheels = tree.wheels.rename(tree.path / "away")
    again = tree.setup()
    wheels.rename(tree.wheels)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_a_changed_lock_is_installed_and_another_hash_is_one_clear_error(tree: Tree) -> None:
    before = tree.wheel("little-core", "2")
    hash_ = before[-65:-1]
    tree.lock(core="# a comment\n" + before.replace(hash_, 64 * "1"))
    place = "requirements/core.txt, line 2: little-core==2"
    done = tree.setup()
    assert done.returncode == 2, done.stdout + done.stderr
    first, *rest = done.stdout.splitlines()
    assert first == "setup: make .venv with the Python package and its tools"
    assert rest == [
        f"setup: error: {place}: the file to install has sha256:{hash_}, which is not among the hashes locked there: "
        "restore requirements/ from git, or lock the package again (scripts/lock)"
    ]
    assert done.stderr == ""

    tree.lock(core=before)
    assert tree.setup().returncode == 0
    assert {"little-core-2", "little-docs-1"} <= tree.installed()


def test_scripts_lock_writes_what_setup_installs(tree: Tree) -> None:
    tree.lock(core=tree.wheel("little-core"))
    repair = tree.wheel("little-repair", needs="Requires-Dist: little-builder\n")
    locked = tree.run("scripts/lock")
    assert locked.returncode == 0, locked.stdout + locked.stderr
    texts = {path.stem: path.read_text() for path in (tree.path / "requirements").iterdir()}
    assert set(texts) == {"uv", "build", "core", "extras", "dev", "docs", "wheel"}
    head = "# Locked by scripts/lock from pyproject.toml; do not edit. Contents: "
    assert texts["core"] == head + "the dependencies of hypermon.\n" + tree.wheel("little-core")  # not version 2
    assert texts["wheel"] == head + "the tools of scripts/wheel.\n-r build.txt\n" + repair
    assert texts["dev"] == head + "the extra dev.\n-r extras.txt\n"

    tree.wheel("little-extra", "2", needs="Requires-Python: >=3.13\n")  # does not fit all versions of Python
    assert tree.run("scripts/lock", "--upgrade").returncode == 0
    assert (tree.path / "requirements/extras.txt").read_text() == texts["extras"]
    upgraded = head + "the dependencies of hypermon.\n" + tree.wheel("little-core", "2")
    assert (tree.path / "requirements/core.txt").read_text() == upgraded

    (tree.path / "pyproject.toml").write_text(PROJECT.replace("little-core>=1", "little-core>=3"))
    failed = tree.run("scripts/lock")
    assert failed.returncode == 1
    assert failed.stderr.endswith("error: requirements/ is unchanged, because uv found no versions that fit together\n")
    assert (tree.path / "requirements/core.txt").read_text() == upgraded


def test_where_there_is_no_uv_pip_does_the_same(tree: Tree) -> None:
    (tree.path / ".venv/bin/uv").unlink()
    right = tree.wheel("little-added")
    hash_ = right[-65:-1]
    tree.lock(added=right.replace(hash_, 64 * "1"))
    done = tree.run(".venv/bin/python", "scripts/python-packages", "added")
    assert done.returncode == 2
    place = "requirements/added.txt, line 1: little-added==1"
    assert done.stdout.splitlines()[-1].startswith(f"error: {place}: the file to install has sha256:{hash_}, which is")
    assert "little-added-1" not in tree.installed()

    tree.lock(added=right)
    done = tree.run(".venv/bin/python", "scripts/python-packages", "added")
    assert done.returncode == 0, done.stdout
    assert "little-added-1" in tree.installed()
