// What a recording of the bursts that the nodes wrote holds for (design decision 10): parameters behind the ports do
// not change what the nodes write, unless the hardware acts back.
#pragma once
#include "platforms/spec/spec.hpp"
#include <nlohmann/json.hpp>

namespace hypermon {

/// Is there a board that may hold a node's write (ecb.node_fifo_full = stall)?
bool stalls(const Spec& spec);
/// Does the hardware act back on the machine: by holding writes, or by messages to the host that share the program's
/// links (drain.destination = host)?
bool acts_back(const Spec& spec);

/// Is the parameter of a part that only sees what the nodes wrote to their ports?
bool is_behind_ports(std::string_view path);

/// Path and value of every parameter that what the nodes write depends on if nothing acts back: those before the ports,
/// but for programs that do not run, a monitor that is not there, and limits. Where these are equal, so is every burst.
nlohmann::ordered_json emission_parameters(const Spec& spec);

} // namespace hypermon
