"""Rules outside the core broken once on purpose, in the text of sw and platforms."""

from tests.mutation.mutation import Mutation

INSTRUMENTATION = ("test_instrumentation",)
SPEC = ("test_spec",)
STANDSTILL = ("test_standstill",)

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
)
