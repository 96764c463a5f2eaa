# SPDX-License-Identifier: BSD-3-Clause
"""Fortran programs find MPI's constants for files, with the values of SMPI's library."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import hypermon
from hypermon._inputs.programs import compilers, fortran_constants

pytestmark = pytest.mark.worker
PROGRAM = {
    "old.f": """      program old
      include 'mpif.h'
      integer e, f, c, k
      integer(kind=MPI_OFFSET_KIND) o
      call MPI_INIT(e)
      call MPI_FILE_OPEN(MPI_COMM_SELF, 'absent', MPI_MODE_RDONLY,
     &  MPI_INFO_NULL, f, e)
      call MPI_ERROR_CLASS(e, c, k)
      print *, 'absent', c .eq. MPI_ERR_NO_SUCH_FILE
      call MPI_FILE_OPEN(MPI_COMM_SELF, 'made', MPI_MODE_CREATE
     &  + MPI_MODE_WRONLY, MPI_INFO_NULL, f, e)
      call MPI_FILE_WRITE(f, 'four', 4, MPI_CHARACTER,
     &  MPI_STATUS_IGNORE, e)
      o = -1
      call MPI_FILE_SEEK(f, o, MPI_SEEK_END, e)
      call MPI_FILE_GET_POSITION(f, o, e)
      print *, 'one before the end', o .eq. 3
      call MPI_FILE_CLOSE(f, e)
      call MPI_FINALIZE(e)
      end
""",
    "new.f90": """program new
  use mpi
  implicit none
  integer :: e, f, c, k
  integer(kind=MPI_OFFSET_KIND) :: o
  call MPI_INIT(e)
  call MPI_FILE_OPEN(MPI_COMM_SELF, 'absent', MPI_MODE_RDONLY, MPI_INFO_NULL, f, e)
  call MPI_ERROR_CLASS(e, c, k)
  print *, 'absent', c == MPI_ERR_NO_SUCH_FILE
  call MPI_FILE_OPEN(MPI_COMM_SELF, 'made', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, f, e)
  call MPI_FILE_WRITE(f, 'four', 4, MPI_CHARACTER, MPI_STATUS_IGNORE, e)
  o = -1
  call MPI_FILE_SEEK(f, o, MPI_SEEK_END, e)
  call MPI_FILE_GET_POSITION(f, o, e)
  print *, 'one before the end', o == 3
  call MPI_FILE_CLOSE(f, e)
  call MPI_FINALIZE(e)
end program
""",
}


@pytest.mark.parametrize("name", PROGRAM)
@pytest.mark.parametrize("as_folder", [False, True], ids=["file", "folder"])
def test_a_program_uses_the_constants_of_files(tmp_path: Path, name: str, as_folder: bool) -> None:
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / name).write_text(PROGRAM[name])
    (folder / "Makefile").write_text(f"program: {name}\n\tmpif90 -o $@ {name}\n")
    result = hypermon.run(
        program=folder if as_folder else folder / name,
        platform="ethernet",
        settings={"nodes": 1, "monitor": "none", "mpiio.file_system": "ideal"},
        out=tmp_path / "run",
    )
    assert result.output(0).split("\n")[:2] == [" absent T", " one before the end T"]


def test_the_constants_have_the_values_of_the_c_library(tmp_path: Path) -> None:
    """SMPI's own mpif.h differs from its C header in four error classes."""
    folder = next(
        Path(word[2:])
        for word in compilers.fortran()[0]
        if word.startswith("-I") and "programs" in Path(word[2:]).parts
    )
    header = (folder / fortran_constants.HEADER).read_text()
    values = re.findall(r"parameter\s*\(\s*(MPI_(?:ERR|SEEK)_\w+)\s*=\s*(\d+)\)", header)
    assert len(values) == len(dict(values)) > 60
    checks = "".join(f'_Static_assert({name} == {value}, "{name}");\n' for name, value in values)
    (tmp_path / "values.c").write_text(f"#include <smpi/smpi.h>\n{checks}")
    done = subprocess.run(
        ["smpicc", "-fsyntax-only", "values.c"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_header_that_has_all_constants_stays_as_it_is() -> None:
    c = "#define A(ERROR) ERROR(MPI_SUCCESS) \\\n ERROR(MPI_ERR_COMM)\n#define MPI_SEEK_END            604\n"
    fortran = "      parameter( MPI_SUCCESS=0)\n      parameter(MPI_ERR_COMM=1)\n      parameter(MPI_SEEK_END=604)\n"
    assert fortran_constants.completed(fortran, c) == f"{fortran}\n"
    assert "parameter(MPI_ERR_COMM=1)" in fortran_constants.completed(fortran.replace("COMM=1", "COMM=7"), c)
