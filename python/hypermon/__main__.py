# SPDX-License-Identifier: BSD-3-Clause
"""``python -m hypermon``: the command line."""

from hypermon.cli import main

if __name__ == "__main__":
    main()
