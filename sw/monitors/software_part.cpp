#include "platforms/ipsc2/params_fields.hpp"
#include "platforms/spec/parts.hpp"

namespace hypermon {

Part software_part() {
  return {.kind = Part::Kind::monitor,
          .name = "software",
          .sections = {section<SoftwareParams>("software", "The software monitor.")}};
}

} // namespace hypermon
