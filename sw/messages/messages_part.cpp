// SPDX-License-Identifier: BSD-3-Clause
// Parameters, results and requirements of MPI's messages on a packet network.
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/packets/core/params.hpp"
#include "sw/messages/core/params.hpp"

namespace hypermon {
namespace {

void check_messages(const Spec& spec) {
  const bool on_packets = spec.get<MachineParams>().messages == Messages::packets;
  if (on_packets && spec.get<PacketParams>().network == PacketModel::off)
    throw UserError(
        R"(machine.messages = "packets": needs a network of packets: packets.network = packets (or ideal))");
}

std::vector<WithoutEffect> without_effect_on_messages(const Spec& spec) {
  const Messages messages = spec.get<MachineParams>().messages;
  if (messages == Messages::packets) return {};
  // packet_messages.list is not included, because it writes the messages of any library.
  return {{{"packet_messages.eager_limit_bytes", "packet_messages.header_bytes", "packet_messages.announcement_bytes",
            "packet_messages.acknowledgement_bytes", "collectives.", "mpiio.two_phase_data"},
           "machine.messages = " + std::string(word(messages))}};
}

} // namespace

Part messages_part() {
  return {
      .sections = {section<PacketMessageParams>("packet_messages",
                                                "MPI messages on the packet network (machine.messages = packets)."),
                   section<CollectivesParams>("collectives", "Algorithms of collective calls on the packet network.")},
      .check = check_messages,
      .without_effect = without_effect_on_messages};
}

} // namespace hypermon
