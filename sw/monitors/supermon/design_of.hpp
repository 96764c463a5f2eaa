// SPDX-License-Identifier: BSD-3-Clause
// Translates the parameters to the processes' design.
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
/// Place of each daemon, by Peer. Throws UserError if supermon.root is not a place.
std::vector<Place> places_of(const Spec& spec, const Tree& tree);

/// Values of Failure::kind.
enum class Mortals : std::uint8_t { mon, supermon, node };
inline Mortals mortal(const Failure& failure) { return static_cast<Mortals>(failure.kind); }
/// Failures in supermon.failures, in the order of the text. Throws UserError.
std::vector<Failure> failures_of(const Spec& spec, const Tree& tree);
/// Daemons that the failure stops.
std::vector<Peer> victims(const Failure& failure, const Tree& tree, const std::vector<Place>& places);

/// A client: its place and its queries.
struct ClientDesign {
  std::string path; ///< path of its parameters
  Place place;
  SinkSetting setting;
  double byte_ns = 0;
  bool is_logged = false; ///< all its answers are kept
};
/// Clients of all kinds, in their order. Throws UserError.
std::vector<ClientDesign> clients_of(const Spec& spec);
/// Sampling interval of the client with the most frequent queries.
std::optional<SamplingInterval> sampling_interval(const Spec& spec);

/// Checks the conditions between Supermon's parameters for every monitor that uses it. Throws UserError.
void check_supermon(const Spec& spec);

} // namespace hypermon::supermon
