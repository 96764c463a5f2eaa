#include "sw/model/parts.hpp"
#include "sw/monitors/software/params_fields.hpp"

namespace hypermon {

Part software_part() {
  return {.kind = Part::Kind::monitor,
          .name = "software",
          .sections = {section<SoftwareParams>("software", "The software monitor.")},
          .results = {{"monitor.buffer_bytes[]", "B", "software: trace in each node's memory."},
                      {"monitor.overrun", "", "software: was anything lost to a full trace buffer?"},
                      {"monitor.first_overrun_s", "s", "When first; null if never."}},
          .monitor = {.ledger_unit = "bytes", .losses = {{"node_memory", "buffer_full"}}}};
}

} // namespace hypermon
