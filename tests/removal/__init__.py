# SPDX-License-Identifier: BSD-3-Clause
"""A part (monitor, workload, platform) is removed with its files, and everything else still works.

Files of a part are in folders with its name: `sw/monitors/<name>`, `python/hypermon/monitors/<name>` and
`tests/monitors/<name>`, or the corresponding ones of a workload; a platform is one file.
`tests/monitors/<name>/belongings.py` lists further files as ALSO. Scenarios that cannot be resolved without the part,
and pages whose text names its commands, are also removed.
"""
