// What a catalogue cannot see of a program's communication.
#pragma once
#include "sw/instrumentation/catalogue.hpp"
#include <string>

namespace hypermon {

/// A sentence for people, if the catalogue has steps of NX/2's messages and system calls, the machine's messages are
/// SMPI's, which have none, and no MPI call's points are there instead: so few events cost little, and say little. Else
/// empty: what is not in the catalogue nobody expects.
std::string unseen(const Catalogue& catalogue, bool nx2_messages);

} // namespace hypermon
