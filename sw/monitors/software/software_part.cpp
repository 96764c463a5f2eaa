#include "sw/model/parts.hpp"
#include "sw/monitors/software/params_fields.hpp"

namespace hypermon {

Part software_part() {
  return {.kind = Part::Kind::monitor,
          .name = "software",
          .sections = {section<SoftwareParams>("software", "The software monitor.")}};
}

} // namespace hypermon
