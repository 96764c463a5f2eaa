#pragma once
#include "platforms/spec/spec.hpp"

namespace hypermon {

/// Values that are allowed each by itself, but not together. Throws UserError.
void check_together(const Spec& spec);
/// Of it: the machine and its messages.
void check_machine(const Spec& spec);

} // namespace hypermon
