# SPDX-License-Identifier: BSD-3-Clause
"""Mutations of the HYPERMON monitor on the nodes: each breaks one rule on purpose."""

from tests.mutation.mutation import Mutation

DECODING = ("test_decoding",)
FRAME_RATE = ("test_frame_rate",)
BOARDS = ("test_board_parameters",)
CHAIN = ("test_capture_chain",)
REGISTERS = ("test_tlm_register_table",)

MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        "A lost event has the cause of its foremost damaged datum",
        "sw/monitors/hypermon/trace_checker.cpp",
        "if (place < data && place < event.first_damaged) {",
        "if (place < data) {",
        DECODING,
    ),
    Mutation(
        "A lost datum counts with all its nibbles",
        "sw/monitors/hypermon/trace_checker.cpp",
        ".nibbles += nibbles_per_datum_;",
        ".nibbles += 1;",
        DECODING,
    ),
    Mutation(
        "An event whose writes the port stalls may be captured late",
        "sw/monitors/hypermon/trace_checker.cpp",
        " &&\n         !(held_ && is_decoded(queue.front())))",
        ")",
        DECODING,
    ),
    Mutation(
        "The latency of an event begins when its node begins to write it",
        "sw/monitors/hypermon/trace_checker.cpp",
        "latency_.add(read_end() - event.start);",
        "latency_.add(read_end() - event.first_strobe);",
        DECODING,
    ),
    Mutation(
        "An event decoded in the place of a falsified one is not spurious",
        "sw/monitors/hypermon/trace_checker.cpp",
        "++(queue.front().falsified ? falsified_ : spurious_);",
        "++spurious_;",
        DECODING,
    ),
    Mutation(
        "Events before a reset that have not arrived are lost",
        "sw/monitors/hypermon/trace_checker.cpp",
        "queue.front().captured.origin != origin) give_up_front",
        "queue.front().captured.origin == origin) give_up_front",
        DECODING,
    ),
    Mutation(
        "A burst counts as lost at the place of its foremost lost datum",
        "sw/monitors/hypermon/burst_judge.cpp",
        "  if (place < burst.first_damaged) {\n",
        "  {\n",
        DECODING,
    ),
    Mutation(
        "A burst has the timestamp of its first datum",
        "sw/monitors/hypermon/burst_judge.hpp",
        "if (burst.arrived == 0) burst.stamp = stamp(i);",
        "burst.stamp = stamp(i);",
        DECODING,
    ),
    Mutation(
        "The rest of a burst that is already damaged is lost with the first cause",
        "sw/monitors/hypermon/burst_judge.cpp",
        "if (place < burst.first_damaged) burst.first_damaged = place, burst.cause = cause;",
        "burst.first_damaged = place, burst.cause = cause;",
        DECODING,
    ),
    Mutation(
        "A falsified burst arrived whole",
        "sw/monitors/hypermon/burst_judge.cpp",
        "if (burst.lost == 0) ++falsified_bursts_;",
        "++falsified_bursts_;",
        DECODING,
    ),
    Mutation(
        "Successive frames belong to different windows",
        "sw/monitors/hypermon/window_unwrapper.hpp",
        "next_ = window + 1;",
        "next_ = window;",
        DECODING,
    ),
    Mutation(
        "Wraps that may have been missed are counted from the end of the window",
        "sw/monitors/hypermon/window_unwrapper.hpp",
        "static_cast<std::int64_t>(window + 1)) / *wrap_;",
        "static_cast<std::int64_t>(window + 2)) / *wrap_;",
        DECODING,
    ),
    Mutation(
        "A board may have begun to count before time 0",
        "sw/monitors/hypermon/window_unwrapper.hpp",
        "<= f.read_end + skew_)",
        "<= f.read_end)",
        DECODING,
    ),
    Mutation(
        "Bins that grow keep all their frames",
        "sw/monitors/hypermon/frame_rate.hpp",
        "counts_[2 * b] + counts_[2 * b + 1]",
        "counts_[2 * b]",
        FRAME_RATE,
    ),
    Mutation(
        "A bin across a border counts on each side with its share",
        "sw/monitors/hypermon/frame_rate.hpp",
        "+= share * static_cast<double>(counts_[b]);",
        "+= static_cast<double>(counts_[b]);",
        FRAME_RATE,
    ),
    Mutation(
        "Combinations of parameters are checked for each board",
        "sw/monitors/hypermon/hypermon_part.cpp",
        '? own : "ecb", ecb_of(spec, board));',
        '? own : "ecb", spec.get<EcbSection>());',
        BOARDS,
    ),
    Mutation(
        "A stream cannot have garbage frames, because it is not decoded",
        "sw/monitors/hypermon/hypermon_part.cpp",
        "if (spec.get<FaultParams>().garbage_frames != 0)",
        "if (spec.get<FaultParams>().garbage_frames < 0)",
        BOARDS,
    ),
    Mutation(
        "A value is a multiple of its parameter's `multiple_of`",
        "base/allowed.hpp",
        " && v % a.multiple_of == 0 &&",
        " &&",
        BOARDS,
    ),
    Mutation(
        "A recording depends on no workload but its own",
        "base/recording.cpp",
        "return part.name == spec.workload;",
        "return true;",
        BOARDS,
    ),
    Mutation(
        "Hardware affects the nodes if one board stalls",
        "hw/hypermon/wiring/boards.cpp",
        "if (ecb_of(spec, b).node_fifo_full == WhenFull::stall) return true;",
        "if (spec.get<EcbSection>().node_fifo_full == WhenFull::stall) return true;",
        BOARDS,
    ),
    Mutation(
        "The first board is not skewed",
        "hw/hypermon/wiring/capture_chain.cpp",
        "for (std::size_t b = 1; b < skews.size(); ++b)",
        "for (std::size_t b = 0; b < skews.size(); ++b)",
        CHAIN,
    ),
    Mutation(
        "Counts include the time before a reset",
        "hw/hypermon/wiring/board_chain.cpp",
        "    add_counts(sum, parts.before_reset);\n",
        "",
        CHAIN,
    ),
    Mutation(
        "A read-only register refuses writes",
        "hw/hypermon/tlm/extensions.hpp",
        "payload.is_write() && can_write(which->access);",
        "payload.is_write();",
        REGISTERS,
    ),
    Mutation(
        "A write-only register returns nothing to a debugger",
        "hw/hypermon/tlm/ecb.cpp",
        "if (which == nullptr || !can_read(which->access)) return i;",
        "if (which == nullptr) return i;",
        REGISTERS,
    ),
    Mutation(
        "An access outside the registers is an address error",
        "hw/hypermon/core/registers.hpp",
        "  return nullptr;\n}\n/// Like find_register",
        "  return pbx_registers.data();\n}\n/// Like find_register",
        REGISTERS,
    ),
)
