# SPDX-License-Identifier: BSD-3-Clause
"""MPI-IO: programs have the same output and leave the same files as under MPICH, whatever carries their messages."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import hypermon
from hypermon._inputs import mpi_functions
from hypermon._model import worker
from hypermon.errors import SimulationError

pytestmark = pytest.mark.worker
PROGRAMS = Path(__file__).parent / "mpiio_programs"
MPICC, MPIF90, MPIRUN = "mpicc.mpich", "mpif90.mpich", "mpirun.mpich"
# option of gfortran for programs that pass buffers of several types to one function
MISMATCH = "-fallow-argument-mismatch"
RANKS = 4
SEEDS = os.environ.get("HYPERMON_TEST_MPIIO_SEEDS", "4")
IDEAL = {"mpiio.file_system": "ideal", "mpiio.keep": True}
MACHINES: dict[str, tuple[str, dict[str, object]]] = {
    "NX/2's messages": ("ipsc2", {"mpiio.agreement": "messages"}),
    "SMPI's messages": ("ethernet", {"mpiio.noncontiguous": "pieces"}),
    "sieving, with locks": ("ethernet", {"mpiio.noncontiguous": "sieving", "mpiio.locks": True}),
    "packets": ("piosim", {"mpiio.file_system": "pvfs", "machine.messages": "packets"}),
    "a parallel file system": ("piosim", {"mpiio.file_system": "pvfs", "pfs.servers": 3, "pfs.stripe_bytes": 4096}),
}


@dataclass(frozen=True)
class Ended:
    """Output of a program, and its files."""

    text: str
    files: dict[str, bytes]


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def under_mpich(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ended]:
    """Runs each program once."""
    if shutil.which(MPICC) is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            f"{MPICC} is not installed (Debian's packages mpich, libmpich-dev)"
        )
    folder = tmp_path_factory.mktemp("mpich")
    yields = folder / "yields.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", str(PROGRAMS / "yields.c"), "-o", str(yields)], check=True)
    ended = {}
    for name, arguments in PROGRAM_ARGUMENTS.items():
        source = _source(name)
        compiler = [MPIF90, MISMATCH, f"-J{folder}"] if source.suffix == ".f90" else [MPICC]
        subprocess.run([*compiler, "-O1", str(source), "-o", str(folder / name)], check=True)
        files = folder / f"{name}.files"
        files.mkdir()
        command = [MPIRUN, "-genv", "LD_PRELOAD", str(yields), "-n", str(RANKS), str(folder / name), *arguments]
        done = subprocess.run(command, cwd=files, capture_output=True, text=True, timeout=120, check=True)
        ended[name] = Ended(done.stdout, _files(files))
    return ended


PROGRAM_ARGUMENTS: dict[str, Sequence[str]] = {
    "views": (),
    "pointers": (),
    "requests": (),
    "errors": (),
    "sequential": (),
    "addresses": (),
    "posix": (),
    "fortran": (),
    "random": ("1", SEEDS),
}


def _source(name: str) -> Path:
    found = PROGRAMS / f"{name}.f90"
    return found if found.exists() else PROGRAMS / f"{name}.c"


def run(out: Path, program: Path, platform: str = "ethernet", arguments: Sequence[str] = (), **settings: object) -> Any:
    values = {"nodes": RANKS, "monitor": "none", **IDEAL, **{k.replace("__", "."): v for k, v in settings.items()}}
    return hypermon.run(program=program, arguments=list(arguments), settings=values, platform=platform, out=out)


def simulated(
    out: Path, name: str, platform: str, parameters: dict[str, object], arguments: Sequence[str] = ()
) -> Ended:
    source = _source(name)
    if source.suffix == ".f90":
        parameters = {**parameters, "program.cflags": MISMATCH}
    result = run(out, source, platform, arguments, **parameters)
    return Ended((result.path / "stdout" / "rank0.txt").read_text(encoding="utf-8"), _files(result.path / "files"))


def written(folder: Path, body: str) -> Path:
    """A program that opens the file `f` on all ranks. Errors end the run."""
    path = folder / "program.c"
    path.write_text(
        f"""#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {{
  int rank, n = 0;
  MPI_File f;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
{body}
  MPI_Finalize();
  return n;
}}
""",
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", PROGRAM_ARGUMENTS)
def test_a_program_says_and_writes_what_it_does_under_mpich(
    tmp_path: Path, under_mpich: dict[str, Ended], name: str, machine: str
) -> None:
    platform, parameters = MACHINES[machine]
    ended = simulated(tmp_path / "run", name, platform, parameters, PROGRAM_ARGUMENTS[name])
    assert ended.text == under_mpich[name].text
    assert ended.files == under_mpich[name].files


def test_the_worker_has_every_function_of_files_that_fortran_may_call() -> None:
    symbols = subprocess.run(["nm", "-D", "--defined-only", worker.find()], capture_output=True, text=True, check=True)
    defined = {line.split()[-1] for line in symbols.stdout.splitlines()}
    assert len(mpi_functions.fortran_files()) == 59
    assert set(mpi_functions.fortran_files()) <= defined


def test_a_folder_of_fortran_77_uses_files_that_a_handler_knows_by_the_same_number(tmp_path: Path) -> None:
    """A file of one rank, opened in fixed-form Fortran with mpif.h and built by a makefile; C code uses its number."""
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "Makefile").write_text(
        "old: old.f by_number.c\n\tmpicc -c by_number.c\n\tmpif77 -o $@ old.f by_number.o\n"
    )
    (folder / "by_number.c").write_text(
        "#include <mpi.h>\n"
        "void write_by_number_(const MPI_Fint* number, int* again) {\n"
        "  MPI_File f = MPI_File_f2c(*number);\n"
        '  MPI_File_write(f, "C", 1, MPI_CHAR, MPI_STATUS_IGNORE);\n'
        "  *again = MPI_File_c2f(f);\n"
        "}\n"
    )
    (folder / "old.f").write_text(
        """      program old
      include 'mpif.h'
      external handler
      integer e, f, r, h, again, file, code, status(MPI_STATUS_SIZE)
      common /seen/ file, code
      call MPI_INIT(e)
      call MPI_FILE_OPEN(MPI_COMM_SELF, 'mine', MPI_MODE_CREATE
     &  + MPI_MODE_WRONLY, MPI_INFO_NULL, f, e)
      call MPI_FILE_IWRITE(f, 'old', 3, MPI_CHARACTER, r, e)
      call MPI_WAIT(r, status, e)
      call write_by_number(f, again)
      print *, 'same number', again .eq. f
      call MPI_FILE_CREATE_ERRHANDLER(handler, h, e)
      call MPI_FILE_SET_ERRHANDLER(f, h, e)
      call MPI_FILE_READ(f, again, 1, MPI_INTEGER, status, e)
      print *, 'told of it', file .eq. f, code .ne. MPI_SUCCESS, e
      call MPI_FILE_CLOSE(f, e)
      call MPI_FINALIZE(e)
      end
      subroutine handler(f, c)
      include 'mpif.h'
      integer f, c, file, code
      common /seen/ file, code
      file = f
      code = c
      c = MPI_SUCCESS
      end
"""
    )
    result = run(tmp_path / "run", folder, nodes=1, **{"program.cflags": MISMATCH})
    assert result.output(0).split("\n")[:2] == [" same number T", " told of it T T           0"]
    assert (result.path / "files" / "mine").read_bytes() == b"oldC"


@pytest.mark.parametrize("machine", MACHINES)
def test_accesses_complete_among_messages_in_every_function_that_waits_or_tests(tmp_path: Path, machine: str) -> None:
    platform, parameters = MACHINES[machine]
    ended = simulated(tmp_path / "run", "completion", platform, parameters)
    expected = [
        f"{rank}: turn {turn}: from {(rank - 1) % RANKS}, {90 + turn} bytes, 1"
        for turn in range(4)
        for rank in range(RANKS)
    ]
    assert ended.text.splitlines() == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("MPI_File_close(&f); MPI_File_write(f, &n, 1, MPI_INT, &status);", "MPI_File_write: MPI_ERR_FILE"),
        (
            'MPI_File_open(MPI_COMM_WORLD, "none", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);',
            "MPI_File_open: MPI_ERR_NO_SUCH_FILE",
        ),
        (
            "MPI_Datatype t; MPI_Type_contiguous(3, MPI_BYTE, &t); MPI_Type_commit(&t);"
            ' MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL);',
            "MPI_File_set_view: MPI_ERR_TYPE",
        ),
        (
            "for (int i = 0; i < 11; ++i) MPI_File_write(f, &f, 1, MPI_DOUBLE, &status);",
            "MPI_File_write: MPI_ERR_NO_SPACE",
        ),
    ],
)
def test_a_fatal_error_of_a_file_ends_the_run_with_rank_call_class_and_place(
    tmp_path: Path, body: str, message: str
) -> None:
    with pytest.raises(SimulationError, match=rf"rank \d failed in {message}.*, called from main\+.* at program.c:12"):
        run(tmp_path / "run", written(tmp_path, body), mpiio__capacity_bytes=80)


def test_ranks_that_do_not_all_call_a_collective_function_wait_for_ever(tmp_path: Path) -> None:
    body = "if (rank != 2) MPI_File_write_all(f, &n, 1, MPI_INT, &status); else MPI_Barrier(MPI_COMM_WORLD);"
    with pytest.raises(SimulationError, match=r"deadlocked(.|\n)*rank 1 waits for MPI_File_write_all"):
        run(tmp_path / "run", written(tmp_path, body))


def test_hints_that_are_not_taken_are_listed_and_warned_of(tmp_path: Path) -> None:
    body = """
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_buffer_size", "many");
  MPI_Info_set(info, "cb_nodes", "99");
  MPI_Info_set(info, "romio_ds_write", "enable");
  MPI_Info_set(info, "romio_cb_write", "enable");
  MPI_Info_set(info, "colour", "red");
  MPI_File_set_info(f, info);
  MPI_File_write_at_all(f, 4 * rank, &rank, 1, MPI_INT, &status);
  MPI_File_close(&f);"""
    result = run(tmp_path / "run", written(tmp_path, body))
    ignored = [
        "cb_buffer_size = many: must be a whole number from 1 to 2147483647",
        "cb_nodes = 99: the file has fewer processes",
        "romio_ds_write = enable: the file system has no locks (mpiio.locks)",
        "colour = red: not known",
    ]
    assert sorted(result["mpiio"]["ignored_hints"]) == sorted(ignored)
    warnings = {text for text in result["warnings"] if "hint" in text}
    assert warnings == {f"a hint of MPI-IO was ignored: {text}" for text in ignored}
    assert result["mpiio"]["two_phase"]["calls"] == 1


def test_files_that_exist_before_are_found_and_those_of_sizes_alone_are_zeros(tmp_path: Path) -> None:
    given = tmp_path / "given"
    (given / "in").mkdir(parents=True)
    (given / "in" / "some").write_bytes(b"twelve bytes")
    body = """
  char text[13] = "";
  MPI_Offset size;
  MPI_File_open(MPI_COMM_WORLD, "in/some", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
  MPI_File_read(f, text, 12, MPI_CHAR, &status);
  MPI_File_open(MPI_COMM_WORLD, "zeros", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
  MPI_File_get_size(f, &size);
  n = 7;
  MPI_File_read(f, &n, 1, MPI_INT, &status);
  printf("%s %d %d\\n", text, (int)size, n);"""
    out = tmp_path / "run"
    run(out, written(tmp_path, body), mpiio__files=str(given), mpiio__sizes="zeros=100000")
    assert (out / "stdout" / "rank0.txt").read_text(encoding="utf-8") == "twelve bytes 100000 0\n"
    assert (out / "files" / "in" / "some").read_bytes() == b"twelve bytes"


@pytest.mark.parametrize("keep", [True, False])
def test_given_files_are_found_by_all_and_stay_only_if_they_are_kept_or_changed(tmp_path: Path, keep: bool) -> None:
    given = tmp_path / "given"
    given.mkdir()
    (given / "read").write_text("read only")
    (given / "changed").write_text("changed")
    body = """
  char text[13] = "";
  FILE* read = fopen("read", "r");
  if (rank == 0 && fgets(text, 10, read) != NULL) printf("%s\\n", text);
  MPI_File_open(MPI_COMM_WORLD, "changed", MPI_MODE_WRONLY, MPI_INFO_NULL, &f);
  MPI_File_write_at(f, 7, "!", 1, MPI_CHAR, &status);
  MPI_File_close(&f);"""
    result = run(tmp_path / "run", written(tmp_path, body), mpiio__files=str(given), mpiio__keep=keep)
    assert result.output(0) == "read only\n"
    assert _files(result.path / "files") == {
        "changed": b"changed!", "data": b"", **({"read": b"read only"} if keep else {})
    }  # fmt: skip
    assert _files(given) == {"changed": b"changed", "read": b"read only"}


@pytest.mark.parametrize("contents", ["kept", "sizes"])
def test_a_path_that_leads_out_of_the_working_folder_is_never_a_file_of_the_hosts(
    tmp_path: Path, contents: str
) -> None:
    users = tmp_path / "users"
    users.write_text("the user's")
    (tmp_path / "linked").symlink_to(users)
    body = f"""
  const char* names[] = {{"{users}", "{tmp_path}/made", "../made"}};
  MPI_Offset size;
  for (int i = 0; i < 3; ++i) {{
    MPI_File_open(MPI_COMM_WORLD, names[i], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_File_get_size(f, &size);
    MPI_File_write_at(f, 0, "XX", 2, MPI_CHAR, &status);
    if (rank == 0) printf("%d\\n", (int)size);
    MPI_File_close(&f);
  }}
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_File_delete("{users}", MPI_INFO_NULL);"""
    result = run(tmp_path / "run", written(tmp_path, body), mpiio__keep=False, mpiio__contents=contents)
    assert result.output(0) == "0\n0\n0\n"
    assert users.read_text() == "the user's"
    assert not (tmp_path / "made").exists()
    assert not (tmp_path / "run" / "made").exists()
    for name in (str(users), f"{tmp_path}/made", "../made"):
        assert sum(text.startswith(f"only MPI-IO knows the file {name}, ") for text in result["warnings"]) == 1


def test_files_without_contents_begin_with_the_size_that_they_have_in_the_working_folder(tmp_path: Path) -> None:
    body = """
  MPI_Offset size;
  if (rank == 0) { FILE* made = fopen("made", "w"); fputs("seven b", made); fclose(made); }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, "made", MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_get_size(f, &size);
  if (rank == 0) printf("%d\\n", (int)size);
  MPI_File_write_at(f, 0, "1234567890", 10, MPI_CHAR, &status);"""
    result = run(tmp_path / "run", written(tmp_path, body), mpiio__contents="sizes", mpiio__keep=False)
    assert result.output(0) == "7\n"
    assert (result.path / "files" / "made").read_text() == "seven b"


def test_fortrans_open_finds_what_mpi_io_wrote(tmp_path: Path) -> None:
    program = tmp_path / "both.f90"
    program.write_text(
        """program both
  use mpi
  integer :: e, f, st(MPI_STATUS_SIZE)
  character(len=6) :: text
  call MPI_Init(e)
  call MPI_File_open(MPI_COMM_SELF, 'lines', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, f, e)
  call MPI_File_write(f, 'a line' // char(10), 7, MPI_CHARACTER, st, e)
  call MPI_File_close(f, e)
  open (10, file='lines', status='old')
  read (10, '(a)') text
  close (10, status='delete')
  call MPI_File_open(MPI_COMM_SELF, 'lines', MPI_MODE_RDONLY, MPI_INFO_NULL, f, e)
  print '(a, l2)', text, e == MPI_SUCCESS
  call MPI_Finalize(e)
end program
"""
    )
    result = run(tmp_path / "run", program, nodes=1, **{"program.cflags": MISMATCH})
    assert result.output(0) == "a line F\n"


def test_buffers_of_sizes_alone_are_never_looked_at(tmp_path: Path) -> None:
    """Each rank writes 4 GiB from a buffer that does not exist."""
    body = """
  char* nowhere = (char*)64;
  for (int i = 0; i < 4; ++i)
    MPI_File_write_at_all(f, ((MPI_Offset)i * 4 + rank) << 30, nowhere, 1 << 30, MPI_BYTE, &status);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_cb_write", "enable");
  MPI_File_set_info(f, info);
  MPI_File_write_at_all(f, ((MPI_Offset)16 << 30) + (rank << 20), nowhere, 1 << 20, MPI_BYTE, &status);"""
    result = run(tmp_path / "run", written(tmp_path, body), mpiio__contents="sizes", mpiio__keep=False)
    assert [file["bytes"] for file in result["mpiio"]["files"]] == [(16 << 30) + (4 << 20)]
    assert result["mpiio"]["functions"]["MPI_File_write_at_all"]["bytes"] == (16 << 30) + (4 << 20)


def test_strided_data_go_in_requests_of_64_pieces_or_as_the_hint_says(tmp_path: Path) -> None:
    """The paper's diagonal: 8009 numbers are 125 requests of 64 pieces and one of 9; with the hint they are one
    request.
    """
    body = """
  MPI_Datatype diagonal;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_pvfs2_listio_write", "enable");
  MPI_Type_vector(8009, 1, 3, MPI_DOUBLE, &diagonal);
  MPI_Type_commit(&diagonal);
  double* numbers = calloc(3 * 8009, 8);
  if (rank == 0) MPI_File_write_at(f, 44, numbers, 1, diagonal, &status);
  MPI_File_set_info(f, info);
  if (rank == 0) MPI_File_write_at(f, 44, numbers, 1, diagonal, &status);"""
    requests = run(tmp_path / "run", written(tmp_path, body))["mpiio"]["requests"]
    assert (requests["lists"], requests["datatype"]) == (8009 // 64 + 1, 1)
