# SPDX-License-Identifier: BSD-3-Clause
"""Options of the compiler for boards and modules in SystemC: `python -m hypermon.headers` prints them.

g++ $(python -m hypermon.headers) -shared board.cpp -o board.so
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from hypermon._files import places
from hypermon._inputs.programs import rtl
from hypermon._inputs.programs.rtl_sources import BUILD_HEADER
from hypermon._model import worker
from hypermon._printing import say
from hypermon.errors import HypermonError, UserError


def options() -> list[str]:
    """Returns the options. Raises a UserError if the compiler finds no SystemC or another one than hypermon's."""
    expected = re.split("[-_]", worker.schema().versions["systemc"])[0]
    found = rtl.systemc_of_compiler()
    if found != expected:
        raise UserError(
            f"hypermon was built with SystemC {expected}; g++ finds {'SystemC ' + found if found else 'no SystemC'} "
            "(Debian: libsystemc-dev)"
        )
    return [*rtl.MODULE, *(f"-I{folder}" for folder in folders())]


def folders() -> list[Path]:
    """Returns the folders of hypermon's C++ headers. Raises a UserError if they are not there."""
    built = worker.find().resolve().parents[1] / "include"  # headers of the source tree's build
    found = [folder for folder in (places.hardware(), built) if folder.is_dir()]
    if not any((folder / BUILD_HEADER).is_file() for folder in found):
        raise UserError(f"{BUILD_HEADER}: is in none of {', '.join(map(str, found))}: install hypermon again")
    return found


def main() -> int:
    """Prints the options on one line, quoted for a shell."""
    try:
        say(shlex.join(options()))
    except HypermonError as error:
        say(f"error: {error}", err=True)
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
