#include "sw/monitors/event_log.hpp"
#include "sw/instrumentation/text_file.hpp"

#include <nlohmann/json.hpp>

namespace hypermon {
namespace {

bool says_state(Point point) {
  switch (point) {
  case Point::process_start:
  case Point::process_end:
  case Point::syscall_entry:
  case Point::syscall_exit:
  case Point::switch_out:
  case Point::switch_in:
    return true;
  default:
    return point >= Point::mpi_0 && point < Point::end;
  }
}

} // namespace

EventLog::EventLog(const Catalogue& catalogue, const std::filesystem::path& folder) : file_(folder / "events.npy") {
  auto types = nlohmann::ordered_json::array();
  for (const EventRow& row : catalogue.rows()) {
    says_state_.push_back(says_state(row.point));
    types.push_back(info_of(row.point).name);
  }
  write_text(folder / "events.json", [&](std::ostream& file) {
    file << nlohmann::ordered_json{{"points", types}}.dump() << '\n';
  });
}

} // namespace hypermon
