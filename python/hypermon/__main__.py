# SPDX-License-Identifier: BSD-3-Clause
"""``python -m hypermon``: the command line."""

import sys

from hypermon.cli import main

sys.exit(main())
