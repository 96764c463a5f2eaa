// SPDX-License-Identifier: BSD-3-Clause
// Communication of a program that a catalogue does not contain.
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include <string>
#include <string_view>

namespace hypermon {

/// A warning for people, if the catalogue has steps of NX/2's messages and system calls, but the machine's messages
/// (machine.messages: `messages`) have none, and the catalogue has no points of MPI calls instead. Such a run has few
/// events, so its overhead is low without meaning. Otherwise empty.
std::string unseen(const Catalogue& catalogue, std::string_view messages);

} // namespace hypermon
