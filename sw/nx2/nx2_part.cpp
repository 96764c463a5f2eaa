#include "platforms/ipsc2/params_fields.hpp"
#include "platforms/spec/parts.hpp"

namespace hypermon {

Part nx2_part() { return {.sections = {section<OsParams>("os", "Costs of NX/2 system calls.")}}; }

} // namespace hypermon
