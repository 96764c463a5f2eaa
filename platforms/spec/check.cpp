#include "platforms/spec/check.hpp"
#include "platforms/spec/user_error.hpp"
#include "sw/instrumentation/catalogue_json.hpp"

namespace hypermon {
namespace {

/// A frame says by bit 31 of its vector word whether it has a timestamp, so that bit cannot be an input's; and an
/// empty frame, which nobody flagged, would have none (spec sec. 6).
void check_timestamps(const std::string& path, const EcbParams& ecb) {
  if (ecb.timestamp_policy != "on_request") return;
  const std::string policy = " with " + path + ".timestamp_policy = \"on_request\"";
  if (ecb.inputs > 31) throw UserError("ecb.inputs = " + std::to_string(ecb.inputs) + ": must be 1 to 31" + policy);
  if (ecb.wrap_frames) throw UserError(path + ".wrap_frames = true: must be false" + policy);
}

void check_catalogue(const std::string& value) {
  try {
    read_catalogue(value);
  } catch (const UserError& error) {
    throw UserError(std::string("instrumentation.catalogue: ") + error.what());
  }
}

} // namespace

void check_together(const Spec& spec) {
  check_machine(spec);
  check_catalogue(spec.instrumentation.catalogue);
  for (std::size_t board = 0; board < spec.boards(); ++board) {
    const std::string own = "ecb[" + std::to_string(board) + "]";
    check_timestamps(spec.ecb.differing.contains(board) ? own : "ecb", spec.ecb_of(board));
  }
}

} // namespace hypermon
