// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/site_surroundings.hpp"
#include "hw/machine/site.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace hypermon::scms {
namespace {

constexpr std::array causes{"overwritten", "dropped", "late", "left"}; // by Loss; scms_part.cpp names them

} // namespace

std::uint64_t SiteSurroundings::take(NodeId node, Resource resource, Time now) {
  const auto counter = plugins_.counter(resource);
  if (!counter) return 0;
  const Sample sample = site_.samples().take(node, {}, CounterId{*counter}, now, site_.clock(node).read(now));
  out_.emplace(sample.number + 1, sample);
  return sample.number + 1;
}

Sample SiteSurroundings::settle(std::uint64_t ticket) {
  const auto found = out_.extract(ticket);
  if (!found) throw std::logic_error("internal error: sample " + std::to_string(ticket - 1) + " came to its end twice");
  return found.mapped();
}

void SiteSurroundings::arrive(std::uint64_t ticket, Time now) { site_.samples().arrive(settle(ticket), now); }

void SiteSurroundings::lose(std::uint64_t ticket, Loss why) {
  site_.samples().lose(settle(ticket), "agent", causes.at(static_cast<std::size_t>(why)));
}

void SiteSurroundings::close() {
  for (const auto& [ticket, sample] : out_)
    site_.samples().lose(sample, "agent", "unfinished"); // the order does not matter for the counts
  out_.clear();
}

void SiteSurroundings::buried(Peer /*by*/, Peer child, Time now) { changes_.push_back({child, now, true}); }
void SiteSurroundings::joined(Peer /*by*/, Peer child, Time now) { changes_.push_back({child, now, false}); }

std::optional<Time> SiteSurroundings::buried_after(Peer agent, Time begin) const {
  for (const Change& change : changes_)
    if (change.agent == agent && change.is_burial && change.date >= begin) return change.date;
  return {};
}

std::optional<Time> SiteSurroundings::joined_after(Peer agent, Time begin) const {
  for (const Change& change : changes_)
    if (change.agent == agent && !change.is_burial && change.date >= begin) return change.date;
  return {};
}

} // namespace hypermon::scms
