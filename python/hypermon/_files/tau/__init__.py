# SPDX-License-Identifier: BSD-3-Clause
"""TAU profiles: profile.<node>.<context>.<thread>, and the dumps of a running process (dump.<...>).

The format has variants, with and without metadata, groups and metrics, written by TAU, ParaProf and other tools.
docs/design/tau.md describes the format and hypermon's choices.
"""

from hypermon._files.tau.profile import Profile, Routine, UserEvent, find, read, write

__all__ = ["Profile", "Routine", "UserEvent", "find", "read", "write"]
