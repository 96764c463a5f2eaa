# SPDX-License-Identifier: BSD-3-Clause
"""TAU's profiles: profile.<node>.<context>.<thread>, and what a process dumps while it runs (dump.<...>).

Of a format that has grown: with and without metadata, groups, metrics; as TAU, ParaProf and others write it. Facts of
it, and what of it is ours: docs/design/tau.md.
"""

from hypermon._files.tau.profile import Profile, Routine, UserEvent, find, read, write

__all__ = ["Profile", "Routine", "UserEvent", "find", "read", "write"]
