// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/design_of.hpp"
#include "base/user_error.hpp"
#include "hw/machine/front_end.hpp"
#include "sw/monitors/scms/params.hpp"
#include "sw/monitors/scms/tree_text.hpp"

#include <charconv>
#include <sstream>

namespace hypermon::scms {
namespace {

Costs costs_of(const ScmsParams& p) {
  const bool compact = p.names == ScmsNames::compact;
  return {.send = p.send_us,
          .receive = p.receive_us,
          .byte_ns = p.byte_ns.number,
          .merged_byte_ns = p.merged_byte_ns.number,
          .name = compact ? Time{} : Time(p.oid_us),
          .value = p.value_us,
          .request = p.request_bytes.number,
          .reply = p.reply_bytes.number,
          .id = compact ? p.id_bytes.number : p.oid_bytes.number,
          .stamp = p.value_bytes.number,
          .names_each = !compact};
}

} // namespace

std::vector<PushText> pushes_of(const Spec& spec) {
  std::vector<PushText> found;
  std::istringstream parts(spec.get<ScmsParams>().push);
  for (std::string part; std::getline(parts, part, ';');) {
    const auto refuse = [&](const std::string& why) { throw UserError("scms.push = " + part + ": " + why); };
    const auto end = part.find_last_not_of(" \t\n");
    const auto blank = end == std::string::npos ? end : part.find_last_of(" \t\n", end);
    double period = 0;
    const char* const digits = part.data() + (blank == std::string::npos ? 0 : blank + 1);
    const char* const behind = part.data() + (end == std::string::npos ? 0 : end + 1);
    const auto [stop, error] = std::from_chars(digits, behind, period);
    if (blank == std::string::npos || error != std::errc() || stop != behind || part.find_first_not_of(" \t\n") > blank)
      refuse("must be like hardware.load 1: resources, then the period in s; several with ; between");
    if (!(period >= 1e-6 && period <= 1e6)) refuse("the period must be from 1e-6 to 1000000 s");
    found.push_back({part.substr(0, blank), Time::from_seconds_rounded(period)});
  }
  return found;
}

Design design_of(const Spec& spec) {
  const auto& p = spec.get<ScmsParams>();
  Design design{.tree = tree_of(spec), .costs = costs_of(p)};
  design.collect = p.collect == ScmsCollect::pull ? Collect::pull : Collect::push;
  design.scope = p.scope == ScmsScope::whole ? Scope::whole : Scope::partition;
  design.pipelining = p.pipelining;
  design.merge_requests = p.merge_requests;
  design.merge_replies = p.merge_replies;
  design.part = p.part_bytes.number;
  if (p.filter_threshold >= 0) design.filter = p.filter_threshold;
  design.spread = p.spread;
  design.wait = p.wait_ms;
  design.pull_offset = p.pull_offset_ms;
  design.heartbeat = p.heartbeat_s;
  design.missed = p.heartbeats_missed;
  design.timeout = p.timeout_s;
  return design;
}

NetworkId network_of(const Spec& spec) { return network_beside(spec, spec.get<ScmsParams>().network, "scms.network"); }

std::vector<Place> places_of(const Spec& spec, const Tree& tree) {
  const auto& params = spec.get<ScmsParams>();
  const Place root = place_beside(spec, network_of(spec), params.root_node, "scms.root_node");
  std::vector<Place> places;
  for (std::uint32_t n = 0; n < tree.nodes(); ++n) places.push_back(Place::node(NodeId{n}));
  places.push_back(root);
  for (std::uint32_t s = 1; s < tree.smas(); ++s)
    places.push_back(params.inner_smas == ScmsInner::root ? root : Place::node(tree.below(tree.sma(s))->front()));
  return places;
}

} // namespace hypermon::scms
