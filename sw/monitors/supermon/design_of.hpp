// SPDX-License-Identifier: BSD-3-Clause
// The parameters as the processes' design.
#pragma once
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "hw/machine/failures.hpp"
#include "hw/machine/site.hpp"
#include "sw/monitors/supermon/core/design.hpp"
#include "sw/monitors/supermon/core/sink.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermon::supermon {

Design design_of(const Spec& spec);
NetworkId network_of(const Spec& spec);
/// Where each daemon runs, by Peer. Throws UserError if supermon.root names no place.
std::vector<Place> places_of(const Spec& spec, const Tree& tree);

/// Failure::kind.
enum class Mortals : std::uint8_t { mon, supermon, node };
inline Mortals mortal(const Failure& failure) { return static_cast<Mortals>(failure.kind); }
/// Of supermon.failures, in the order of the text. Throws UserError.
std::vector<Failure> failures_of(const Spec& spec, const Tree& tree);
/// Those that it takes away.
std::vector<Peer> victims(const Failure& failure, const Tree& tree, const std::vector<Place>& places);

/// A client: where it runs, and what it asks for.
struct ClientDesign {
  std::string path; ///< of its parameters
  Place place;
  SinkSetting setting;
  double byte_ns = 0;
  bool is_logged = false; ///< all its answers
};
/// Of all kinds, in their order. Throws UserError.
std::vector<ClientDesign> clients_of(const Spec& spec);
/// That of the client that asks most often.
std::optional<SamplingInterval> sampling_interval(const Spec& spec);

/// All that must hold between Supermon's parameters, whichever monitor uses it. Throws UserError.
void check_supermon(const Spec& spec);

} // namespace hypermon::supermon
