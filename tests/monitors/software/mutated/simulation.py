# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of the software monitor on the nodes: each breaks one rule on purpose."""

from tests.mutation.mutation import Mutation

SOFTWARE = ("test_software_monitor",)

MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        "The ledger's events balance",
        "sw/monitors/report.cpp",
        '  check("events", ledger.generated.events, ledger.delivered.events + ledger.in_flight.events + lost.events);\n',
        "",
        SOFTWARE,
    ),
    Mutation(
        "The ledger's units balance",
        "sw/monitors/report.cpp",
        "ledger.delivered.units + ledger.in_flight.units + lost.units);",
        "ledger.generated.units);",
        SOFTWARE,
    ),
    Mutation(
        "A node's memory keeps what fits to the last byte",
        "sw/monitors/software/software.cpp",
        "if (buffer.bytes + bytes > capacity_) {",
        "if (buffer.bytes + bytes >= capacity_) {",
        SOFTWARE,
    ),
    Mutation(
        "A record that is lost costs as much as one that is kept",
        "sw/monitors/software/software.cpp",
        "    if (!first_loss_) first_loss_ = e.start;\n",
        "    if (!first_loss_) first_loss_ = e.start;\n    return Time{};\n",
        SOFTWARE,
    ),
    Mutation(
        "The time of the first overrun is kept",
        "sw/monitors/software/software.cpp",
        "if (!first_loss_) first_loss_ = e.start;",
        "first_loss_ = e.start;",
        SOFTWARE,
    ),
    Mutation(
        "Messages are judged by the nodes' clocks",
        "sw/monitors/software/software.cpp",
        "causality_.add(e.message, e.side, stamp);",
        "causality_.add(e.message, e.side, e.start);",
        SOFTWARE,
    ),
)
