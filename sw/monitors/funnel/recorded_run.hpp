// A run of the trace funnel again from its recording, or of a stream of events: the same messages through chips that
// may have other parameters. The result is that of a co-simulation, byte for byte
// (tests/monitors/funnel/test_replay.py).
#pragma once
#include "sw/monitors/rerun.hpp"

#include <memory>

namespace hypermon {

/// As MakeRerun says. Throws UserError if a source holds its node.
std::unique_ptr<Rerun> funnel_rerun(const Spec& spec, const std::string& directory, FateSink* fates, const Cut& cut);

} // namespace hypermon
