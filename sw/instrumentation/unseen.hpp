// SPDX-License-Identifier: BSD-3-Clause
// Communication of a program that a catalogue does not contain.
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include <string>
#include <string_view>

namespace hypermon {

/// A warning for users if the catalogue has steps of NX/2's messages and system calls, but the machine's messages
/// (machine.messages: `messages`) have none, and the catalogue has no points of MPI calls instead. Such a run has so
/// few events that its low overhead is meaningless. Empty if there is nothing to warn about.
std::string unseen(const Catalogue& catalogue, std::string_view messages);

} // namespace hypermon
