"""Rules outside the core broken once on purpose, in the text of sw and platforms."""

from tests.mutation.mutation import Mutation

INSTRUMENTATION = ("test_instrumentation",)
SPEC = ("test_spec",)
STANDSTILL = ("test_standstill",)
MODEL = ("test_model",)
DISK = ("test_parts_of_hardware",)
MACHINE = ("test_machine",)

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
        "A task runs on its own processors alone",
        "sw/model/cpu.hpp",
        "return processors.empty() || std::find(processors.begin(), processors.end(), processor) != processors.end();",
        "return processors.size() < 2 || std::find(processors.begin(), processors.end(), processor) != processors.end();",
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
    Mutation(
        "An operation that goes on where the last one ended moves no arm",
        "hw/core/disk.hpp",
        "if (address == head_) return {};",
        "if (address + 1 == head_) return {};",
        DISK,
    ),
    Mutation(
        "A short way of the arm is from track to track",
        "hw/core/disk.hpp",
        "if (distance < of_.near) return",
        "if (distance <= of_.near) return",
        DISK,
    ),
    Mutation(
        "A disk turns on while nobody asks",
        "hw/core/disk.hpp",
        "(passing(address) - there).ps() % of_.turn.ps()",
        "passing(address).ps() % of_.turn.ps()",
        DISK,
    ),
    Mutation(
        "A disk is free again when it has done its operation",
        "hw/core/disk.hpp",
        "const Time begin = std::max(now, free_);",
        "const Time begin = now;",
        SPEC,
    ),
    Mutation(
        "A request is done when the last of its pieces is",
        "sw/model/storage.cpp",
        "if (--left_.at(current_.request) == 0) {",
        "if (left_.at(current_.request)-- > 0) {",
        SPEC,
    ),
    Mutation(
        "A server looks at requests one after the other",
        "sw/model/storage.cpp",
        "looked_until_ = std::max(now, looked_until_) + request_time_;",
        "looked_until_ = now + request_time_;",
        SPEC,
    ),
    Mutation(
        "A file takes its extents when it grows into them",
        "sw/model/storage.cpp",
        "own.size; taken_ += extent_)",
        "own.size + extent_; taken_ += extent_)",
        SPEC,
    ),
    Mutation(
        "A further switch is passed on the way up and on the way down",
        "platforms/machine/lan.cpp",
        "latency += 2 * params_.switch_us;",
        "latency += 1 * params_.switch_us;",
        MACHINE,
    ),
    Mutation(
        "A trunk carries what all below it have together, unless it is said",
        "platforms/machine/lan.cpp",
        "params_.bandwidth_mb_per_s * static_cast<double>(part);",
        "params_.bandwidth_mb_per_s;",
        MACHINE,
    ),
    Mutation(
        "What arrives at a date is there at that date",
        "platforms/machine/networks.cpp",
        "flying.top().arrives <= date;",
        "flying.top().arrives < date;",
        MACHINE,
    ),
    Mutation(
        "Datagrams of one instant come in the order of their sends",
        "platforms/machine/networks.cpp",
        "arrives > other.arrives : number > other.number;",
        "arrives > other.arrives : number < other.number;",
        MACHINE,
    ),
)
