# SPDX-License-Identifier: BSD-3-Clause
"""The wheels of scripts/wheel, installed without a source tree, a compiler or SimGrid on a path.

`scripts/test wheel` runs these tests; they are separate from the Python tests, which need no wheel.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests import elf_paths

ROOT = Path(__file__).resolve().parents[2]
WHEELS = sorted((ROOT / "build/wheels").glob("*.whl"))
NONE: list[Path | None] = [] if WHEELS else [None]  # then the fixture reports it
MOST_BYTES = 15_000_000  # largest wheel
# Libraries that manylinux's policies take from the system.
SYSTEM = re.compile(r"(^|/)(ld-linux[\w.-]*|linux-vdso|lib(c|m|gcc_s|stdc\+\+))\.so[.\d]*$")
HEAT = ROOT / "examples/own_program/heat.c"
FORTRAN = """program hello
  use mpi
  integer :: rank, ierr
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  print '(a,i0)', 'rank ', rank
  call mpi_finalize(ierr)
end program
"""


@dataclass(frozen=True)
class Installed:
    """A wheel in its own environment, and a working folder."""

    wheel: Path
    environment: Path
    work: Path

    @property
    def package(self) -> Path:
        (found,) = self.environment.glob("lib/python*/site-packages/hypermon")
        return found

    def run(self, *words: str | Path, path: Sequence[str] = (), status: int = 0) -> str:
        """Output and messages of a command of the environment. PATH has only the environment's commands and those in
        `path`.
        """
        bin_folder = self.environment / "bin"
        environment = {"PATH": ":".join([str(bin_folder), *path]), "HOME": str(self.work), "LC_ALL": "C.UTF-8"}
        command: list[str | Path] = [bin_folder / words[0], *words[1:]]
        done = subprocess.run(command, cwd=self.work, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr


def python_of(wheel: Path) -> str:
    """The interpreter that a wheel is for: this environment's, or the one given to scripts/wheel."""
    tag = wheel.name.split("-")[2]
    if tag == f"cp{sys.version_info.major}{sys.version_info.minor}":
        return sys.executable
    return str(wheel.parent / f"python3.{tag.removeprefix('cp3')}" / "bin" / "python")


@pytest.fixture(scope="module", params=[*WHEELS, *NONE], ids=lambda path: path.name.split("-")[2] if path else "none")
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    assert request.param is not None, "there is no wheel: scripts/wheel"
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([python_of(request.param), "-m", "venv", str(folder / "environment")], check=True)
    (folder / "work").mkdir()
    made = Installed(request.param, folder / "environment", folder / "work")
    # Only the modules that run here are compiled, at first use: this halves the time.
    pip = [f"{made.environment}/bin/pip", "install", "--no-compile", "-q", "--disable-pip-version-check"]
    # As in the container: the locked dependencies must suffice for the wheel.
    subprocess.run([*pip, "--require-hashes", "-r", ROOT / "requirements/core.txt"], cwd=made.work, check=True)
    subprocess.run([*pip, "--no-index", str(made.wheel)], cwd=made.work, check=True)
    return made


def test_what_is_loaded_is_the_wheels_or_of_every_linux(installed: Installed) -> None:
    site = installed.package.parent
    files = [installed.package / "bin/hypermon-sim", *site.glob("hypermon/**/*.so*"), *site.glob("hypermon.libs/*")]
    files = [file for file in files if file.read_bytes()[:4] == b"\x7fELF"]
    assert len(files) >= 30
    # Programs find SimGrid loaded by hypermon-sim, which knows its place.
    loaded = {"LD_LIBRARY_PATH": str(installed.package / "simgrid/lib")}
    for file in files:
        environment = loaded if file.parent.name == "workloads" else {}
        done = subprocess.run(["/usr/bin/ldd", file], env=environment, capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            path = re.sub(r"\s*\(0x[0-9a-f]+\)$", "", line).rpartition("=> ")[2].strip()
            nothing = path == "statically linked"  # needs none
            assert nothing or SYSTEM.search(path) or Path(path).resolve().is_relative_to(site), f"{file}: {line}"


def test_nothing_is_loaded_from_the_folder_in_which_the_user_works(installed: Installed) -> None:
    files = elf_paths.binaries(installed.package.parent / "hypermon")
    assert {"hypermon-sim"} <= {file.name for file in files}
    assert elf_paths.of_current_folder(files) == {}
    for file in files:
        assert all(elf_paths.ORIGIN.match(element) for element in elf_paths.elements(file)), file


def test_it_is_small_and_has_the_licences_of_all_that_it_brings(installed: Installed) -> None:
    assert installed.wheel.stat().st_size < MOST_BYTES
    with zipfile.ZipFile(installed.wheel) as archive:
        names = archive.namelist()
        (listed,) = (archive.read(name).decode() for name in names if name.endswith("licenses/bundled/README"))
    licences = {Path(name).name for name in names if "licenses/bundled/" in name}
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)
    packages = dict(line.split(": ", 1) for line in listed.splitlines()[2:])
    for source in packages.values():
        assert source.split()[0] in licences | {"from"}
    # Named like Debian's package of the library: libsimgrid.so.3.32 is of libsimgrid3.32.
    brought = [Path(name).name for name in names if name.startswith("hypermon.libs/") and ".so" in name]
    brought += [Path(name).name for name in names if "simgrid/lib/libsimgrid.so." in name]
    stands_in = [library for library in brought if library.startswith("libwithout_ns3-")]  # hypermon's own
    for library in set(brought) - set(stands_in):
        stem = re.split(r"[-.]so|-\d|-[0-9a-f]{8}|\.so", library)[0].replace("_", "-")
        stem = stem.replace("libboost-stacktrace-backtrace", "libboost-stacktrace")
        assert any(package.startswith(stem) for package in packages), library
    # Their licences may be incompatible (docs/design/wheel.md).
    assert not [package for package in packages if package.startswith(("libns3", "libgsl"))]


def test_it_says_what_it_is(installed: Installed) -> None:
    output = installed.run("hypermon", "--version")
    version = installed.wheel.name.split("-")[1]
    python = installed.run("python", "-c", "import platform; print(platform.python_version())").strip()
    assert re.fullmatch(
        rf"hypermon {version}\nbuilt with SimGrid \d+\.\d+, SystemC [\w.-]+, GCC [\d.]+\nPython {python}\n", output
    )


RUN = ("table2/matmul", "--set", "nodes=4", "--set", "monitor=hypermon")


def test_a_scenario_gives_the_source_trees_result(installed: Installed, tmp_path: Path) -> None:
    installed.run("hypermon", "run", *RUN, "--out", "run")
    subprocess.run([ROOT / ".venv/bin/hypermon", "run", *RUN, "--out", tmp_path / "run"], check=True)
    assert (installed.work / "run/result.json").read_bytes() == (tmp_path / "run/result.json").read_bytes()


def test_a_replay_a_sweep_and_a_report(installed: Installed) -> None:
    recorded = installed.run("hypermon", "record", *RUN, "--out", "recorded")
    replayed = installed.run("hypermon", "replay", "recorded", "--set", "pbx.word_ns=1200")
    generated = re.compile(r"^events +(\d+) generated", re.MULTILINE)
    assert generated.findall(replayed) == generated.findall(recorded) != []
    installed.run("hypermon", "sweep", *RUN, "--vary", "pbx.word_ns=222,500,800", "--out", "swept")
    assert json.loads((installed.work / "swept/manifest.json").read_text())["points"] == 3
    installed.run("hypermon", "report", "recorded", "--out", "page.html")
    assert "</html>" in (installed.work / "page.html").read_text()


def test_what_comes_with_it_is_found(installed: Installed) -> None:
    assert "table2/matmul" in installed.run("hypermon", "scenarios")
    assert "beowulf" in installed.run("hypermon", "platforms")
    places = "(p.scenarios, p.machines, p.headers, p.views, p.rtl)"
    code = f"from hypermon._files import places as p; print(*(x() for x in {places}))"
    for folder in installed.run("python", "-c", code).split():
        assert Path(folder).is_relative_to(installed.package)
        assert any(Path(folder).iterdir())


def test_only_own_programs_need_a_compiler_and_the_message_names_its_package(installed: Installed) -> None:
    output = installed.run(
        "hypermon", "run", "--program", HEAT, "--np", "2", path=(tools(installed, "cc", "c++"),), status=2
    )
    assert output.endswith("smpicc runs a compiler that is not installed (Debian: g++)\n")
    fortran = installed.work / "hello.f90"
    fortran.write_text(FORTRAN)
    output = installed.run(
        "hypermon", "run", "--program", fortran, "--np", "2", path=(tools(installed, "gfortran"),), status=2
    )
    assert output.endswith("gfortran is not installed: smpif90 compiles Fortran by it (Debian: gfortran)\n")


def test_own_programs_are_built_by_the_compilers_it_brings(installed: Installed) -> None:
    path = (tools(installed, "smpicc", "smpicxx", "smpif90", "smpiff"),)
    installed.run("hypermon", "run", "--program", HEAT, "--np", "2", "--out", "heat", path=path)
    (installed.work / "hello.cpp").write_text(
        "#include <mpi.h>\n#include <smpi/smpi.h>\n#include <iostream>\nint main(int c, char** v) "
        '{ MPI_Init(&c, &v); std::cout << "hello" << std::endl; return MPI_Finalize(); }\n'
    )
    installed.run("hypermon", "run", "--program", "hello.cpp", "--np", "2", "--out", "hello", path=path)
    if shutil.which("make"):
        shutil.copytree(ROOT / "examples/own_folder", installed.work / "folder", dirs_exist_ok=True)
        installed.run("hypermon", "run", "--program", "folder", "--np", "2", "--out", "gravity", path=path)
    output = installed.run(installed.package / "simgrid/bin/smpicc", "-show", "x.c", path=path)
    assert f"-I{installed.package}/simgrid/include" in output
    assert "/usr/include" not in output
    if shutil.which("gfortran"):
        (installed.work / "hello.f90").write_text(FORTRAN)
        installed.run("hypermon", "run", "--program", "hello.f90", "--np", "2", "--out", "fortran", path=path)


def tools(installed: Installed, *without: str) -> str:
    """A folder of the system's commands except for these."""
    folder = installed.work / f"without-{'-'.join(without)}"
    if not folder.exists():
        folder.mkdir()
        for command in Path("/usr/bin").iterdir():
            if command.name not in without:
                (folder / command.name).symlink_to(os.path.realpath(command))
    return str(folder)
