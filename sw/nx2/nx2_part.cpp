#include "sw/model/parts.hpp"
#include "sw/nx2/os_params_fields.hpp"

namespace hypermon {

Part nx2_part() { return {.sections = {section<OsParams>("os", "Costs of NX/2 system calls.")}}; }

} // namespace hypermon
