// SPDX-License-Identifier: BSD-3-Clause
// TCP between the daemons of monitors.
#include "base/parts.hpp"
#include "hw/machine/tcp_params.hpp"

namespace hypermon {

Part tcp_part() { return {.sections = {section<TcpParams>("tcp", "TCP connections between monitors' daemons.")}}; }

} // namespace hypermon
