# SPDX-License-Identifier: BSD-3-Clause
"""A part (monitor, workload, platform) is taken away with all that belongs to it, and everything else goes on.

What belongs to a part is where its name says: `sw/monitors/<name>`, `python/hypermon/monitors/<name>` and
`tests/monitors/<name>`, or the like of a workload, a platform's file; what else does, it says itself, as ALSO in
`tests/monitors/<name>/belongings.py`. Scenarios that cannot be resolved without it are its own, and pages whose running
text names commands that are not there.
"""
