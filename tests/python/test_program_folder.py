# SPDX-License-Identifier: BSD-3-Clause
"""Programs in folders (hypermon._inputs.programs): how they are built, the files that they find, and the errors of
failed builds.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import hypermon
from hypermon._inputs import programs
from hypermon._inputs.programs import compilers
from hypermon._model.result import Result
from hypermon.errors import SimulationError, UserError
from tests.python.test_smpirun import smpirun

HERE = Path(__file__).parent / "programs" / "folder"
PLANETS = Path(__file__).parents[2] / "examples" / "own_folder"
Run = Callable[..., Result]
NODES = {"monitor": "none", "node.clock_drift_ppm": 0}

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("worker")]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def run(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a program on two nodes without monitor, into `out`."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.chdir(tmp_path)

    def ended(
        file: str | Path | list[Path], *arguments: str, settings: dict[str, object] | None = None, **section: object
    ) -> Result:
        words = {"file": file, **section}
        return hypermon.run(
            program=words,
            workload="program",
            arguments=arguments,
            nodes=2,
            settings={**NODES, **(settings or {})},
            out="out",
        )

    return ended


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A folder with the program, its header in a subfolder, and an input."""
    made = tmp_path / "app"
    (made / "include").mkdir(parents=True)
    shutil.copy(HERE / "surroundings.c", made)
    shutil.copy(HERE / "surroundings.h", made / "include")
    (made / "in.txt").write_text("input\n")
    return made


def makefile(app: Path, compiler: str = "CC = mpicc", recipe: str = "$(CC) $(CFLAGS) -o $@ $^") -> None:
    (app / "Makefile").write_text(f"{compiler}\nCFLAGS = -Iinclude -O\napp: surroundings.c\n\t{recipe}\n")


def state(folder: Path) -> dict[str, tuple[float, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_folder_needs_no_more_than_its_readme_says(run: Run, tmp_path: Path) -> None:
    before = state(PLANETS)
    result = run(PLANETS, "2", "1000")
    assert result.output(0).startswith("9 bodies, 2 years; relative error of the energy: ")
    orbits = (result.path / "files" / "orbits.txt").read_text().splitlines()
    for line, distance in zip(orbits, (0.387, 0.723, 1, 1.524, 5.204, 9.583, 19.19, 30.07), strict=True):
        _, turns, *_, kepler = line.replace(",", " ").split()
        assert float(kepler) == pytest.approx(2 / distance**1.5, abs=1e-4)
        assert float(turns) == pytest.approx(float(kepler), rel=0.01)
    assert [path.name for path in (result.path / "files").iterdir()] == ["orbits.txt"]  # only the file that it wrote
    assert state(PLANETS) == before
    program = Path(json.loads((result.path / "spec.json").read_text())["program"]["file"].partition("@")[0])
    shutil.copy(PLANETS / "planets.txt", tmp_path)
    assert smpirun(program, 2, [], ["2", "1000"]) == result.output(0).splitlines()  # the same object
    assert (tmp_path / "orbits.txt").read_text().splitlines() == orbits


def test_a_folder_is_built_once_until_a_file_of_it_changes(run: Run, app: Path) -> None:
    makefile(app)
    first = run(app).path.joinpath("spec.json").read_text()
    built = Path(json.loads(first)["program"]["file"].partition("@")[0])
    born = built.stat().st_mtime_ns
    assert run(app).path.joinpath("spec.json").read_text() == first
    assert built.stat().st_mtime_ns == born
    header = app / "include" / "surroundings.h"
    header.write_text(header.read_text() + '#define SAID "changed"\n')
    assert run(app).output(0) == "said changed\n"


def test_a_folder_gives_the_same_object_and_files_wherever_it_is_built(
    run: Run, app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makefile(app, recipe="$(CC) -g $(CFLAGS) -o $@ $^ && date -d @$$SOURCE_DATE_EPOCH > made.txt")
    found = set()
    for cache in ("one", "another one"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / cache))
        section = json.loads((run(app).path / "spec.json").read_text())["program"]
        found.add(tuple(section[name].rpartition("@")[2] for name in ("file", "folder")))
    assert len(found) == 1


@pytest.mark.parametrize(
    ("compiler", "recipe"),
    [
        ('CC = gcc -DSAID=\\"$(HOME)x\\" -std=gnu99', "$(CC) $(CFLAGS) -o $@ $^"),
        ("CC ?= mpicc", "$(CC) $(CFLAGS) -o $@ $^"),
        ("", "$(CC) $(CFLAGS) -o $@ $^"),
        ("LD = mpicc\nCC = mpicc -c", "$(CC) $(CFLAGS) $^ && ar r libapp.a surroundings.o && $(LD) -o app libapp.a"),
        ("MPICXX = mpig++ -fpermissive", "$(MPICXX) $(CFLAGS) -o $@ $^"),
    ],
)
def test_a_makefile_finds_simgrids_compilers(run: Run, app: Path, compiler: str, recipe: str) -> None:
    makefile(app, compiler, recipe)
    place, *marks = run(app, "place").output(0).splitlines()
    assert place == f"{app}/surroundings.c Jan  1 1970"  # no path of the build, and no date of the host
    assert bool(marks) == ("SAID" in compiler)  # gcc is smpicc with the options that it had


def test_make_gets_targets_and_variables_and_no_object_of_another_build(run: Run, app: Path) -> None:
    (app / "Makefile").write_text(
        "all:\n\tfalse\napp: surroundings.o\n\tmpicc -o $@ $^\n"
        "surroundings.o: surroundings.c\n\tmpicc -Iinclude '-DSAID=\"$(WORD)\"' -c $<\n"
    )
    subprocess.run(["gcc", "-x", "c", "-c", "-", "-o", app / "surroundings.o"], input=b"", check=True)  # newer: in vain
    assert run(app, make="app WORD='two words'").output(0) == "said two words\n"


def test_cmake_builds_a_folder_with_find_package_mpi_and_its_data_lie_beside_the_program(run: Run, app: Path) -> None:
    (app / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(app C)\nfind_package(MPI REQUIRED COMPONENTS C)\n"
        "add_subdirectory(source)\n"
    )
    (app / "source").mkdir()
    (app / "source" / "CMakeLists.txt").write_text(
        "add_library(parts STATIC ../surroundings.c)\ntarget_include_directories(parts PRIVATE ../include)\n"
        "target_link_libraries(parts PUBLIC MPI::MPI_C)\n"
        'target_compile_definitions(parts PRIVATE SAID="${WORD}")\n'
        "add_executable(app empty.c)\ntarget_link_libraries(app PRIVATE parts)\n"
        "file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/in.txt made)\n"
    )
    (app / "source" / "empty.c").write_text("extern int nothing;\n")
    result = run(app, "copy", make="-DWORD=cmake")
    assert result.output(0) == "said cmake\n"
    assert (result.path / "files" / "out.txt").read_text() == "made"  # over the folder's own in.txt


def test_configure_tests_ordinary_programs_and_builds_simgrids(run: Run, app: Path) -> None:
    (app / "configure").write_text(
        '#!/bin/sh\nset -e\necho "int main(void) { return 0; }" > conftest.c\n$CC -o conftest conftest.c\n./conftest\n'
        'sed "s/@WORD@/$1/" Makefile.in > Makefile\n'
    )
    (app / "Makefile.in").write_text('app: surroundings.c\n\tmpicc -Iinclude -DSAID=\\"@WORD@\\" -o $@ $^\n')
    assert run(app, make="--ok app").output(0) == "said --ok\n"


def test_of_several_programs_one_is_named(run: Run, app: Path) -> None:
    (app / "Makefile").write_text(
        "all:\n\tmkdir bin\n\tmpicc -Iinclude surroundings.c -o bin/one\n"
        '\tmpicc -Iinclude -DSAID=\\"two\\" surroundings.c -o bin/two\n'
        "\techo 'int f(void) { return 0; }' > f.c\n\tmpicc f.c -o libf.so\n"
    )
    with pytest.raises(UserError, match=r"2 programs were built: bin/one, bin/two; say which with program.executable"):
        run(app)
    with pytest.raises(
        UserError, match=r"program.executable = three: must be one of bin/one, bin/two, which .*app has"
    ):
        run(app, executable="three")
    assert run(app, executable="two").output(0) == "said two\n"
    assert run(app, executable="bin/one").output(0) == ""


def test_the_command_that_repeats_a_run_of_a_folder_does(run: Run, app: Path) -> None:
    makefile(app, recipe="$(CC) $(CFLAGS) -DSAID='\"$(WORD)\"' -o $@ $^")
    first = run(app, make="WORD=there", executable="app", environment="A=1")
    spec = json.loads((first.path / "spec.json").read_text())
    again = hypermon.run(program=spec["program"], workload="program", nodes=2, settings=NODES, out="again")
    assert again.output(0) == "said there\n"
    assert (again.path / "result.json").read_bytes() == (first.path / "result.json").read_bytes()


def test_programs_that_call_no_mpi_are_not_meant(run: Run, app: Path) -> None:
    (app / "Makefile").write_text(
        "all:\n\tmpicc -Iinclude surroundings.c -o app\n\techo 'int main(void) { return 0; }' > t.c\n\tmpicc t.c -o t\n"
    )
    assert run(app).output(0) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, r"program.file = .*app: has none of Makefile, CMakeLists.txt, configure: give its sources"),
        ("all:\n", r"program.file = .*app: its build made no program"),
        ("all:\n\tmpicc -c -Iinclude surroundings.c\n", r"its build made no program"),
        ("all:\n\techo 'int f;' | mpicc -x c - -o libf.so\n", r"what was built has no main\(\)"),
        ("all:\n\techo 'int main(void) {}' | /usr/bin/gcc -x c - -o f\n", r"was not linked by smpicc: f; its compiler"),
        (
            "all:\n\techo 'int MPI_Init(void*, void*) {}' | /usr/bin/gcc -w -x c - -shared -fPIC -o libmpi.so.40"
            " -Wl,-soname,libmpi.so.40\n\techo 'int MPI_Init(void*, void*); int main(void) { MPI_Init(0, 0); }' |"
            " /usr/bin/gcc -x c - -o f -x none ./libmpi.so.40\n",
            r"was built with another MPI: f \(libmpi.so.40\); its compiler must be mpicc or \$\(CC\), not a path",
        ),
        (
            "all:\n\tseq 30\n\tmpicc surroundings.c -o app\n",  # no -Iinclude
            r"make ended with status 2; its whole output is in .*\.log, of which these are the last 25 lines:\n"
            r"(.|\n)*/app/surroundings.c:3:10: fatal error: surroundings.h: No such file",
        ),
    ],
)
def test_a_folder_that_makes_no_program_is_refused_with_the_reason(
    run: Run, app: Path, cache: Path, text: str | None, message: str
) -> None:
    if text is not None:
        (app / "Makefile").write_text(text)
    with pytest.raises(UserError, match=message) as refused:
        run(app)
    assert ".build/" not in str(refused.value)  # the user's folder, not the private copy
    assert not list(cache.rglob(".*.build"))
    assert not Path("out").exists()


def test_the_command_line_builds_and_refuses_with_status_2(
    run: Run,  # noqa: ARG001 (its folder)
    app: Path,
    hypermon: Callable[..., object],
) -> None:
    makefile(app, recipe='$(CC) $(CFLAGS) -DSAID=\\"$(WORD)\\" -o $@ $^')
    words = ["run", "--program", "app", "--np", "2", "--set", "monitor=none", "--out", "out"]
    done = hypermon(*words, "--make", "WORD=there", "--show-output", "1", "--", "copy")
    assert "\nranks' files     out/files\n" in done.stdout  # type: ignore[attr-defined]
    assert done.returncode == 0, done.stderr  # type: ignore[attr-defined]
    assert done.stdout.startswith("app: program on 2 nodes")  # type: ignore[attr-defined]
    assert done.stdout.endswith("said there\n")  # type: ignore[attr-defined]
    assert done.stderr == ""  # type: ignore[attr-defined]
    for words, message in (
        (["--program", "nowhere", "--np", "2"], "program.file = nowhere: cannot be read: No such file or directory"),
        (["--program", "app/surroundings.c", "--make", "x"], "program.make = x: is only for a folder that is built"),
        (["--program", "app", "--make", "'"], "program.make = ': No closing quotation"),
    ):
        done = hypermon("run", *words)
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr  # type: ignore[attr-defined]
        assert "Traceback" not in done.stderr  # type: ignore[attr-defined]


def test_a_scenario_names_a_folder_beside_it_and_a_sweep_varies_its_environment(run: Run, app: Path) -> None:
    makefile(app)
    run(app)  # the program is in another folder than the scenario
    Path("s.yaml").write_text(
        "question: q\nset:\n  workload: program\n  nodes: 2\n  monitor: none\n"
        "  program: {file: app, arguments: environment, environment: {WORD: one, NUMBER: 4}}\n"
        "sweep: {vary: {program.environment.WORD: [a, b c]}, metrics: [elapsed_s]}\n"
    )
    printed = hypermon.run("s.yaml", settings={"program.environment.MORE": "x"}, out="alone").output(0)
    assert printed.split("\n")[1:5] == ["MORE=x", "NUMBER=4", "TZ=UTC0", "WORD=one"]
    swept = hypermon.sweep("s.yaml", out="swept").to_pandas()
    assert list(swept["program.environment.WORD"]) == ["a", "b c"]


def test_a_program_has_the_environment_that_is_stated_and_none_of_the_hosts(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOSTS_OWN", "leaks")
    program = [HERE / "surroundings.c"]
    printed = run(program, "environment").output(1)
    assert printed == "GFORTRAN_UNBUFFERED_PRECONNECTED=y\nTZ=UTC0\n"
    given = run(program, "environment", environment={"TZ": "CET-1", "WORDS": "two words"})
    assert given.output(1).splitlines()[1:] == ["TZ=CET-1", "WORDS=two words"]
    with pytest.raises(UserError, match=r"program.environment = A: A must be NAME=value"):
        run(program, environment="A")


def test_a_rank_runs_on_its_node_and_not_on_the_host(run: Run) -> None:
    for options in ("", "-D_FORTIFY_SOURCE=2"):
        assert run([HERE / "surroundings.c"], "host", cflags=options).output(1) == "node1 node1 node1 -1\n"


def test_a_rank_has_the_stack_that_is_asked_for(run: Run) -> None:
    with pytest.raises(SimulationError, match=r"SIGSEGV \(stack overflow\)"):
        run([HERE / "surroundings.c"], "deep")  # 24 MB of frames in 8 MB
    assert run([HERE / "surroundings.c"], "deep", stack_bytes="32 MiB").output(1) == "deep 0\n"


def test_ranks_work_in_a_copy_of_the_files_that_are_given_and_leave_what_they_wrote(run: Run, tmp_path: Path) -> None:
    program, given = [HERE / "surroundings.c"], tmp_path / "given"
    (given / "below").mkdir(parents=True)
    (given / "below" / "x").write_text("x")
    assert run(program, "copy").output(0) == "no in.txt\n"  # the folder in which hypermon was called is not visible
    (given / "in.txt").write_text("one")
    first = run(program, "copy", folder=given)
    assert state(first.path / "files").keys() == {"out.txt"}
    assert not (first.path / "files" / "below").exists()
    assert state(given).keys() == {"in.txt", "below/x"}
    hashes = {json.loads((first.path / "spec.json").read_text())["program"]["folder"]}
    (given / "in.txt").write_text("two")
    second = run(program, "copy", folder=given)
    assert (second.path / "files" / "out.txt").read_text() == "two"
    hashes.add(json.loads((second.path / "spec.json").read_text())["program"]["folder"])
    assert len(hashes) == 2  # so that no sweep uses one for the other


def test_an_argument_that_is_a_file_only_where_hypermon_was_called_is_warned_of(
    run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "in.txt").write_text("here")
    run([HERE / "surroundings.c"], "copy", "in.txt")
    assert "program.arguments = in.txt: is a file here, and none where the program works" in caplog.text
    caplog.clear()
    run([HERE / "surroundings.c"], "copy", "in.txt", folder=".")
    run([HERE / "surroundings.c"], "copy", str(tmp_path / "in.txt"))
    assert not caplog.text


def test_what_a_failed_program_wrote_is_kept(run: Run, app: Path) -> None:
    makefile(app)
    with pytest.raises(SimulationError, match=r"what the ranks wrote: out-failed/files"):
        run(app, "fail")
    assert state(Path("out-failed/files")).keys() == {"out.txt"}


def test_files_that_change_after_they_were_specified_are_refused(run: Run, tmp_path: Path) -> None:
    from hypermon._engine import runner
    from hypermon._inputs import scenario
    from hypermon._model import worker

    given = tmp_path / "given"
    given.mkdir()
    (given / "in.txt").write_text("one")
    run([HERE / "surroundings.c"])
    chosen = {"workload": "program", "program.file": str(HERE / "surroundings.c"), "program.folder": str(given)}
    spec = scenario.of_program(chosen["program.file"]).resolve(
        worker.schema(), {**chosen, "nodes": 2, "monitor": "none"}
    )
    (given / "in.txt").write_text("two")
    with pytest.raises(UserError, match=r"program.folder = .*given: its content has changed since"):
        runner.simulate(spec, tmp_path / "late")
    assert not (tmp_path / "late").exists()


def needs_fortran() -> None:
    if shutil.which("gfortran") is None or shutil.which("smpif90") is None:
        pytest.skip("gfortran is not installed")


def test_fortran_runs_from_sources_as_under_smpirun(run: Run) -> None:
    needs_fortran()
    before = state(HERE).keys()
    sources = [HERE / "hello.f90", HERE / "answered.f"]
    result = run(sources, "word")
    for rank in (0, 1):
        assert result.output(rank) == f"rank {rank} of 2:  1.0, 1 word\nanswered 42\n"
    program = programs.compiled(sources)
    assert sorted(f"{result.output(0)}{result.output(1)}".splitlines()) == smpirun(program, 2, [], ["word"])
    assert state(HERE).keys() == before


def test_every_rank_has_fortran_units_of_its_own(run: Run) -> None:
    needs_fortran()
    result = run([HERE / "units.f90"])
    for rank in (0, 1):
        assert (result.path / "files" / f"out{rank}.txt").read_text() == f"rank {rank} 1\nrank {rank} 2\n"


@pytest.mark.parametrize(
    ("how", "cflags", "patterns"),
    [
        ("null", "", [r"rank 1 crashed: SIGSEGV \(invalid memory access\) at crash.f90:16", r"begin +1"]),
        ("bounds", "-fcheck=bounds", [r"rank 1 called exit\(2\)", r"At line 14 of file .*crash.f90",
                                      r"Fortran runtime error: Index '5' of dimension 1 of array 'few' above upper"]),
    ],
)  # fmt: skip
def test_a_crash_in_fortran_is_told_as_in_c(run: Run, how: str, cflags: str, patterns: list[str]) -> None:
    needs_fortran()
    with pytest.raises(SimulationError) as error:
        run([HERE / "crash.f90"], how, cflags=cflags)
    assert [text for text in patterns if not re.search(text, str(error.value))] == [], error.value


def test_fortran_runs_from_a_folder_with_a_makefile(run: Run, app: Path) -> None:
    needs_fortran()
    for name in ("hello.f90", "answered.f"):
        shutil.copy(HERE / name, app)
    (app / "Makefile").write_text(
        "FC = mpif90\nhello: hello.o answered.o\n\t$(FC) -o $@ $^\n"
        "%.o: %.f90\n\t$(FC) -O2 -c $<\n%.o: %.f\n\tmpif77 -c $<\n"
    )
    assert run(app, "word").output(1) == "rank 1 of 2:  1.0, 1 word\nanswered 42\n"


def test_missing_compilers_are_named_with_their_packages(
    run: Run, app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makefile(app)
    run([HERE / "surroundings.c"])  # the worker's description and the compilers' versions are known
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("smpicc", "smpicxx", "smpif90"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    monkeypatch.setenv("HYPERMON_SIM", str(shutil.which("hypermon-sim", path=str(Path(".venv/bin"))) or hypermon_sim()))
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setattr(compilers, "fortran", lambda: (["/nowhere/gfortran"], []))
    with pytest.raises(
        UserError, match=r"gfortran is not installed: smpif90 compiles Fortran by it \(Debian: gfortran\)"
    ):
        run([HERE / "hello.f90"])
    with pytest.raises(UserError, match=r"make is not installed, and .*app is built by it \(Debian: make\)"):
        run(app, make="again")
    (tools / "smpif90").unlink()
    with pytest.raises(UserError, match="smpif90 is not installed: this SimGrid was built without Fortran"):
        run([HERE / "hello.f90"])


def hypermon_sim() -> Path:
    from hypermon._model import worker

    return worker.find()


MODULE = "module work\n  integer, parameter :: n = {}\nend module\n"
USES = "program main\n  use work\n  use mpi\n  integer :: e\n  call MPI_Init(e)\n  print *, 'n is', n\n  call MPI_Finalize(e)\nend program\n"  # fmt: skip


def leave_module(folder: Path, n: int) -> None:
    """Leaves a module file whose source is gone."""
    (folder / "old.f90").write_text(MODULE.format(n))
    subprocess.run(["gfortran", "-c", "old.f90"], cwd=folder, check=True)
    (folder / "old.f90").unlink()
    (folder / "old.o").unlink()


def test_a_module_of_an_older_build_beside_a_source_is_not_used(run: Run, tmp_path: Path) -> None:
    needs_fortran()
    leave_module(tmp_path, 10)
    (tmp_path / "main.f90").write_text(MODULE.format(20) + USES)
    assert run(tmp_path / "main.f90").output(0).split() == ["n", "is", "20"]
    assert run(tmp_path / "main.f90", cflags="-I.").output(0).split() == ["n", "is", "20"]


def test_modules_objects_and_archives_that_options_name_are_part_of_what_is_kept(run: Run, tmp_path: Path) -> None:
    needs_fortran()
    (tmp_path / "main.f90").write_text(USES)
    for n in (10, 30):
        leave_module(tmp_path, n)
        assert run(tmp_path / "main.f90", cflags="-I.").output(0).split() == ["n", "is", str(n)]
    (tmp_path / "main.c").write_text(
        "#include <mpi.h>\n#include <stdio.h>\nint n(void);\n"
        'int main(int c, char** v) { MPI_Init(&c, &v); printf("%d\\n", n()); MPI_Finalize(); return 0; }\n'
    )
    for n, cflags in ((1, "n.o"), (2, "n.o"), (3, "-L. -ln"), (4, "-L . -ln")):
        (tmp_path / "n.c").write_text(f"int n(void) {{ return {n}; }}\n")
        subprocess.run("cc -fPIC -c n.c && ar rcs libn.a n.o", shell=True, cwd=tmp_path, check=True)
        assert run(tmp_path / "main.c", cflags=cflags).output(0) == f"{n}\n"


def test_a_precompiled_header_of_an_older_build_is_not_used(run: Run, tmp_path: Path) -> None:
    (tmp_path / "n.h").write_text("enum { n = 1 };\n")
    subprocess.run(
        ["smpicc", "-fPIC", "-O2", "-g1", "-x", "c-header", "n.h", "-o", "n.h.gch"], cwd=tmp_path, check=True
    )
    (tmp_path / "n.h").write_text("enum { n = 2 };\n")
    (tmp_path / "main.c").write_text(
        '#include "n.h"\n#include <mpi.h>\n#include <stdio.h>\n'
        'int main(int c, char** v) { MPI_Init(&c, &v); printf("%d\\n", n); MPI_Finalize(); return 0; }\n'
    )
    assert run(tmp_path / "main.c").output(0) == "2\n"


@pytest.fixture
def siblings(tmp_path: Path) -> Path:
    """A program whose makefile includes rules from a folder beside its own, and whose source includes a header from
    there.
    """
    made = tmp_path / "shared"
    (made / "app").mkdir(parents=True)
    (made / "rules").mkdir()
    shutil.copy(HERE / "surroundings.c", made / "app")
    shutil.copy(HERE / "surroundings.h", made / "rules")
    (made / "app" / "in.txt").write_text("input\n")
    (made / "app" / "Makefile").write_text("include ../rules/common.mk\n")
    (made / "rules" / "common.mk").write_text("app: surroundings.c\n\t$(CC) -I../rules -o $@ surroundings.c\n")
    return made


def test_a_build_finds_what_its_makefile_includes_from_above_its_folder(run: Run, siblings: Path) -> None:
    """Built directly, by make's -C, and with the copied folder named: the ranks find the same files."""
    before = state(siblings)
    for file, section in (
        (siblings / "app", {}),
        (siblings, {"make": "-C app"}),
        (siblings / "app", {"root": siblings}),
    ):
        result = run(file, "copy", **section)
        assert (result.path / "files" / "out.txt").read_text() == "input\n"
        assert {path.name for path in (result.path / "files").iterdir()} == {"out.txt"}
    assert state(siblings) == before
    (siblings / "rules" / "common.mk").write_text("app:\n\tfalse\n")
    with pytest.raises(UserError, match=r"app: make ended with status 2"):
        run(siblings / "app")  # the rules are part of the program's digest


def test_what_leads_out_of_the_folder_that_is_copied_is_refused_with_the_remedy(run: Run, siblings: Path) -> None:
    (siblings / "app" / "Makefile").write_text(
        "app: surroundings.c\n\t$(CC) -o $@ -include ../rules/surroundings.h $<\n"
    )
    with pytest.raises(
        UserError, match=rf"a copy of {siblings / 'app'} and nothing above it; program.root names a folder"
    ):
        run(siblings / "app")
    run(siblings / "app", root=siblings, cflags="-I../rules")
    with pytest.raises(UserError, match=r"program.make = -C ../app: leads out of .*; program.root names"):
        run(siblings / "rules", make="-C ../app")
    with pytest.raises(
        UserError, match=rf"program.root = {siblings / 'rules'}: must be a folder in which program.file = "
    ):
        run(siblings / "app", root=siblings / "rules")
