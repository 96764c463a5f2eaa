# SPDX-License-Identifier: BSD-3-Clause
"""``python -m hypermon``: the command line."""

import os
import sys

if __name__ == "__main__":
    # Python puts the current folder in front. Its modules and entry points are not hypermon's.
    if not sys.flags.safe_path and sys.path and sys.path[0] in ("", os.getcwd()):  # noqa: PTH109
        del sys.path[0]

    from hypermon.cli import main

    main()
