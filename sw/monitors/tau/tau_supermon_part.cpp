// TAU whose profiles leave by the monhole of the node's mon: its parameters are tau_part.cpp's.
#include "sw/model/parts.hpp"

namespace hypermon {

Part tau_supermon_part() {
  return {.kind = Part::Kind::monitor, .name = "tau_supermon", .monitor = {.ledger_unit = "bytes"}};
}

} // namespace hypermon
