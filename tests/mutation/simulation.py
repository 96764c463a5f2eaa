"""Rules outside the core broken once on purpose, in the text of sw and platforms."""

from tests.mutation.mutation import Mutation

INSTRUMENTATION = ("test_instrumentation",)
SPEC = ("test_spec",)
STANDSTILL = ("test_standstill",)
MODEL = ("test_model",)

MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        "A receive stamped as its send is no violation",
        "sw/instrumentation/causality.hpp",
        "if (lead > Time{}) {",
        "if (lead >= Time{}) {",
        INSTRUMENTATION,
    ),
    Mutation(
        "A side of a message that comes late pushes nobody out",
        "sw/instrumentation/causality.hpp",
        "|| slot.message < message) slot =",
        "|| slot.message != message) slot =",
        INSTRUMENTATION,
    ),
    Mutation(
        "The least error is of the errors, not 0",
        "sw/instrumentation/timestamp_error.hpp",
        "min = max = error;",
        "max = error;",
        INSTRUMENTATION,
    ),
    Mutation(
        "Padding is zero",
        "sw/instrumentation/record.hpp",
        "return word >> 24 == 0;",
        "return true;",
        INSTRUMENTATION,
    ),
    Mutation(
        "A largest value may be had itself",
        "hw/core/allowed.hpp",
        "v <= a.max)",
        "v < a.max)",
        SPEC,
    ),
    Mutation(
        "An integer is written as one",
        "sw/model/json.cpp",
        "return j.is_number_integer();",
        "return j.is_number();",
        SPEC,
    ),
    Mutation(
        "A recording does not depend on limits",
        "sw/model/recording.cpp",
        " && section->changes_results &&",
        " &&",
        SPEC,
    ),
    Mutation(
        "Steps count at one instant",
        "platforms/cosim/standstill.hpp",
        "      steps_ = 0;\n",
        "",
        STANDSTILL,
    ),
    Mutation(
        "As many steps as are allowed may be done at one instant",
        "platforms/cosim/standstill.hpp",
        "return ++steps_ > most_ && most_ > 0;",
        "return ++steps_ >= most_ && most_ > 0;",
        STANDSTILL,
    ),
    Mutation(
        "A competitor that would wake when it ends does not",
        "sw/model/competitor.cpp",
        "if (again < design.end) cpu.at(again",
        "cpu.at(again",
        MODEL,
    ),
    Mutation(
        "A competitor begins at its date",
        "sw/model/competitor.cpp",
        "cpu.at(design.begin, ",
        "cpu.at(Time{}, ",
        MODEL,
    ),
    Mutation(
        "A competitor ends in the middle of its work",
        "sw/model/competitor.cpp",
        "if (design.end != Time::never()) cpu.at(",
        "if (design.sleep == Time{} && design.end != Time::never()) cpu.at(",
        MODEL,
    ),
    Mutation(
        "What is owed of a page is not forgotten",
        "sw/model/memory.cpp",
        "own.owed -= whole;",
        "own.owed = 0;",
        MODEL,
    ),
    Mutation(
        "What was touched once is not touched first again",
        "sw/model/memory.cpp",
        "own.touched = std::max(own.touched, bytes);",
        "own.touched = bytes;",
        MODEL,
    ),
    Mutation(
        "A process that has ended has no memory",
        "sw/model/memory.cpp",
        "now < b.end",
        "now <= b.end",
        MODEL,
    ),
    Mutation(
        "A task runs on its own processors alone",
        "sw/model/cpu.hpp",
        "return own.empty() || std::find(own.begin(), own.end(), processor) != own.end();",
        "return own.size() < 2 || std::find(own.begin(), own.end(), processor) != own.end();",
        MODEL,
    ),
    Mutation(
        "Who loses its processor goes to the head of its queue",
        "sw/model/cpu.cpp",
        "queue_.insert(queue_.begin(), *p.task);",
        "queue_.push_back(*p.task);",
        MODEL,
    ),
    Mutation(
        "To go on with the same task is free",
        "sw/model/cpu.cpp",
        "if (p.last == t) return; //",
        "//",
        MODEL,
    ),
    Mutation(
        "Fair shares forget what a task left unused",
        "sw/model/cpu.cpp",
        "  task.virtual_begin = floor;\n",
        "",
        MODEL,
    ),
    Mutation(
        "Of idle processors a task takes that where it was last",
        "sw/model/cpu.cpp",
        " || (rank(p) == rank(*best) && task.last_processor == p)",
        "",
        MODEL,
    ),
)
