// TAU whose profiles leave by files of a shared file system: its parameters are tau_part.cpp's.
#include "sw/model/parts.hpp"

namespace hypermon {

Part tau_nfs_part() { return {.kind = Part::Kind::monitor, .name = "tau_nfs", .monitor = {.ledger_unit = "bytes"}}; }

} // namespace hypermon
