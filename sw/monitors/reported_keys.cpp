// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/reported_keys.hpp"
#include "base/listing.hpp"
#include "base/parts.hpp"

#include <map>

namespace hypermon {
namespace {

/// "bytes (a, b); samples (c)": each unit with the monitors that have it.
std::string units() {
  std::map<std::string, std::string> monitors;
  for (const Part& part : parts())
    if (part.kind == Part::Kind::monitor) add_to_list(monitors[part.monitor.ledger_unit], part.name);
  std::string text;
  for (const auto& [unit, names] : monitors) text += (text.empty() ? "" : "; ") + unit + " (" + names + ")";
  return text;
}

/// Explanations of the ledger's places whose names are not sufficient. Monitors may share one; it is then given once.
std::string remarks() {
  std::string text;
  for (const Part& part : parts())
    for (const MonitorTraits::Place& place : part.monitor.losses) {
      const std::string remark = " (" + place.stage + ", " + place.cause + "): " + place.remark + ".";
      if (!place.remark.empty() && text.find(remark) == std::string::npos) text += remark;
    }
  return text;
}

} // namespace

std::string description_of(const ResultInfo& key) {
  std::string text(key.description);
  if (key.path == reported_keys.ledger.unit.path) text += ": " + units() + ".";
  if (key.path == reported_keys.ledger.lost.path) text += remarks();
  return text;
}

} // namespace hypermon
