# SPDX-License-Identifier: BSD-3-Clause
"""Search paths of programs and libraries, without the current folder.

An empty or relative element of PATH depends on the current folder. In a folder from an untrusted source, it could
select a malicious program.
"""

from __future__ import annotations

import os
from collections.abc import MutableMapping


def clean(environment: MutableMapping[str, str]) -> None:
    """Removes elements that are no absolute paths from the environment of programs that this process starts."""
    for name, otherwise in (("PATH", os.defpath), ("LD_LIBRARY_PATH", "")):
        if name in environment and (kept := absolute(environment[name])) != environment[name]:
            environment[name] = kept or otherwise  # an empty PATH would mean the current folder


def absolute(path: str) -> str:
    """Returns the search path with only its absolute elements."""
    return os.pathsep.join(filter(os.path.isabs, path.split(os.pathsep)))


def which(name: str) -> str | None:
    """Like shutil.which, but only searches absolute folders of PATH."""
    import shutil  # imported here, because most commands do not need it

    return shutil.which(name, path=absolute(os.environ.get("PATH", os.defpath)))
