# SPDX-License-Identifier: BSD-3-Clause
"""Search paths of programs and libraries, without the current folder.

An empty or relative element of PATH means a folder that depends on where the user works. In a folder that somebody has
sent, it would be theirs.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping


def clean(environment: MutableMapping[str, str]) -> None:
    """Removes elements that are no absolute paths, for the programs that this process starts."""
    for name, otherwise in (("PATH", os.defpath), ("LD_LIBRARY_PATH", "")):
        if name in environment and (kept := absolute(environment[name])) != environment[name]:
            environment[name] = kept or otherwise  # an empty PATH is the current folder


def absolute(path: str) -> str:
    """The same path with its absolute elements alone."""
    return os.pathsep.join(filter(os.path.isabs, path.split(os.pathsep)))


def which(name: str) -> str | None:
    """As shutil.which, but only in folders of PATH that are absolute."""
    import shutil  # the command line does not wait for it

    return shutil.which(name, path=absolute(os.environ.get("PATH", os.defpath)))
