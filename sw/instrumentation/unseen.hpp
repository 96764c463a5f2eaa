// SPDX-License-Identifier: BSD-3-Clause
// What a catalogue cannot see of a program's communication.
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include <string>
#include <string_view>

namespace hypermon {

/// A sentence for people, if the catalogue has steps of NX/2's messages and system calls, the machine's messages
/// (machine.messages: `messages`) are others', which have none, and no MPI call's points are there instead: so few
/// events cost little, and say little. Else empty: what is not in the catalogue nobody expects.
std::string unseen(const Catalogue& catalogue, std::string_view messages);

} // namespace hypermon
