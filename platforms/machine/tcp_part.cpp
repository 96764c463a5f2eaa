// SPDX-License-Identifier: BSD-3-Clause
// TCP between the daemons of monitors.
#include "platforms/machine/tcp_params_fields.hpp"
#include "sw/model/parts.hpp"

namespace hypermon {

Part tcp_part() { return {.sections = {section<TcpParams>("tcp", "Connections between the daemons of monitors.")}}; }

} // namespace hypermon
