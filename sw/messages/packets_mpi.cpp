// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/packets_mpi.hpp"
#include "hw/machine/machine_params.hpp"
#include "sw/messages/library.hpp"
#include "sw/messages/message_list.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"

#include <optional>
#include <utility>

namespace hypermon {
namespace {

int (*end_session_on_packets)() = nullptr;

int finalize_on_packets() {
  messages::library().await_freed(rank_table().self());
  return end_session_on_packets();
}

MpiTable packets_mpi() {
  MpiTable table = smpi_mpi(); // for the begin and end of MPI, and for everything that is not modelled
  end_session_on_packets = std::exchange(table.Finalize, finalize_on_packets);
  add_communicator_calls(table);
  messages::add_point_to_point_calls(table);
  messages::add_exchange_calls(table);
  messages::add_persistent_calls(table);
  messages::add_completion_calls(table);
  messages::add_probe_calls(table);
  messages::add_collective_calls(table);
  return table;
}

class Run : public PacketMessages {
public:
  Run(const Spec& spec, OperatingSystem& os, MpiLayer& mpi, const std::string& directory) {
    if (spec.get<PacketMessageParams>().list) mpi.io_observers.add(list_.emplace(directory));
    if (spec.get<MachineParams>().messages != Messages::packets) return;
    library_.emplace(spec.get<PacketMessageParams>(), spec.get<CollectivesParams>(), os, mpi);
    use_mpi(packets_mpi);
  }
  void close() override {
    if (list_) list_->close();
  }

private:
  std::optional<messages::MessageList> list_;
  std::optional<messages::Library> library_; // none: another machine.messages
};

} // namespace

std::unique_ptr<PacketMessages> make_packet_messages(const Spec& spec, OperatingSystem& os, MpiLayer& mpi,
                                                     const std::string& directory) {
  return std::make_unique<Run>(spec, os, mpi, directory);
}

} // namespace hypermon
