# SPDX-License-Identifier: BSD-3-Clause
"""HDTrace files.

A trace consists of a project (.proj) and, for each node of its topology, a trace (.trc), relations (.rel), statistics
groups (.stat), and a list of a process's communicators, datatypes and files (.info). docs/design/hdtrace.md describes
the format and hypermon's choices.
"""

from hypermon._files.hdtrace.project import Communicator, Datatype, File, Node, Project
from hypermon._files.hdtrace.relations import Operation, Relations, read_relations, write_relations
from hypermon._files.hdtrace.statistics import Group, Value, read_statistics, write_statistics
from hypermon._files.hdtrace.traces import Entry, read_trace, write_trace

__all__ = [
    "Communicator",
    "Datatype",
    "Entry",
    "File",
    "Group",
    "Node",
    "Operation",
    "Project",
    "Relations",
    "Value",
    "read_relations",
    "read_statistics",
    "read_trace",
    "write_relations",
    "write_statistics",
    "write_trace",
]
