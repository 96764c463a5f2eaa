// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/event_log.hpp"
#include "base/json_value.hpp"
#include "base/text_file.hpp"

namespace hypermon {

EventLog::EventLog(const Catalogue& catalogue, const std::filesystem::path& folder) : file_(folder / "events.npy") {
  auto types = Json::array();
  for (const EventRow& row : catalogue.rows()) types.push_back(info_of(row.point).name);
  write_text(folder / "events.json", [&](std::ostream& file) { file << Json{{"points", types}}.dump() << '\n'; });
}

} // namespace hypermon
