// SPDX-License-Identifier: BSD-3-Clause
// Reports the creation, start and matching of SMPI's requests to SmpiMessages. The library calls these internal
// functions by their symbols; the definitions in this executable come first, like those of MPI's functions
// (interface.cpp), and call the library's. Only the address of a request is used.
#include "sw/mpi/communicator.hpp"
#include "sw/mpi/next_definition.hpp"
#include "sw/mpi/smpi_messages.hpp"

#include <map>
#include <set>
#include <tuple>

namespace hypermon {
namespace {

std::int64_t message_bytes(int count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS) return 0;
  return static_cast<std::int64_t>(count) * size;
}

/// Communicator, sender, receiver, tag.
using Stream = std::tuple<int, int, int, int>;

/// Numbers of cancelled messages, ascending.
std::map<Stream, std::set<unsigned>>& cancelled_numbers() {
  static std::map<Stream, std::set<unsigned>> all;
  return all;
}

int number_of(MPI_Comm comm) {
  static const auto id = next_definition<int(MPI_Comm)>("_ZNK7simgrid4smpi4Comm2idEv");
  return id(comm);
}

} // namespace

std::function<void()> skipping(const Communicator& comm, int to, int tag) {
  static const auto sent =
      next_definition<unsigned(MPI_Comm, int, int, int)>("_ZN7simgrid4smpi4Comm23get_sent_messages_countEiii");
  const unsigned number = sent(comm.smpi, comm.rank, to, tag);
  return [smpi = comm.smpi, from = comm.rank, to, tag, number] {
    cancelled_numbers()[{number_of(smpi), from, to, tag}].insert(number);
  };
}

} // namespace hypermon

using namespace hypermon;

#define BEFORE_SMPI(symbol) asm(symbol) __attribute__((visibility("default")))

// simgrid::smpi::Request::Request(), start(), match_send(), match_recv()
void request_made(void* request, const void* data, int count, MPI_Datatype type, aid_t from, aid_t to, int tag,
                  MPI_Comm comm, unsigned flags, MPI_Op op)
    BEFORE_SMPI("_ZN7simgrid4smpi7RequestC1EPKviPNS0_8DatatypeElliPNS0_4CommEjPNS0_2OpE");
void request_started(void* request) BEFORE_SMPI("_ZN7simgrid4smpi7Request5startEv");
bool send_compared(void* own, void* other, void* carrier)
    BEFORE_SMPI("_ZN7simgrid4smpi7Request10match_sendEPvS2_PNS_6kernel8activity8CommImplE");
bool receive_compared(void* own, void* other, void* carrier)
    BEFORE_SMPI("_ZN7simgrid4smpi7Request10match_recvEPvS2_PNS_6kernel8activity8CommImplE");

/// simgrid::smpi::Comm::get_received_messages_count(): number of the next message that a receive accepts.
unsigned next_received(MPI_Comm comm, int from, int to, int tag)
    BEFORE_SMPI("_ZN7simgrid4smpi4Comm27get_received_messages_countEiii");
unsigned next_received(MPI_Comm comm, int from, int to, int tag) {
  static const auto real =
      next_definition<decltype(next_received)>("_ZN7simgrid4smpi4Comm27get_received_messages_countEiii");
  unsigned number = real(comm, from, to, tag);
  if (cancelled_numbers().empty()) [[likely]]
    return number;
  const auto own = cancelled_numbers().find({number_of(comm), from, to, tag});
  if (own == cancelled_numbers().end()) return number;
  for (const unsigned cancelled : own->second) number += cancelled <= number ? 1 : 0;
  return number;
}

void request_made(void* request, const void* data, int count, MPI_Datatype type, aid_t from, aid_t to, int tag,
                  MPI_Comm comm, unsigned flags, MPI_Op op) {
  static const auto real = next_definition<decltype(request_made)>(smpi_symbols::made);
  real(request, data, count, type, from, to, tag, comm, flags, op);
  if (watched_smpi_messages != nullptr) [[unlikely]]
    watched_smpi_messages->made(request, from, to, message_bytes(count, type), flags);
}

void request_started(void* request) {
  static const auto real = next_definition<decltype(request_started)>(smpi_symbols::start);
  if (watched_smpi_messages == nullptr) [[likely]]
    return real(request);
  watched_smpi_messages->starts(request);
  real(request);
  watched_smpi_messages->started(request);
}

bool send_compared(void* own, void* other, void* carrier) {
  static const auto real = next_definition<decltype(send_compared)>(smpi_symbols::match_send);
  const bool fits = real(own, other, carrier);
  if (watched_smpi_messages != nullptr) [[unlikely]]
    watched_smpi_messages->compared(own, other, carrier, fits);
  return fits;
}

bool receive_compared(void* own, void* other, void* carrier) {
  static const auto real = next_definition<decltype(receive_compared)>(smpi_symbols::match_recv);
  const bool fits = real(own, other, carrier);
  if (watched_smpi_messages != nullptr) [[unlikely]]
    watched_smpi_messages->compared(own, other, carrier, fits);
  return fits;
}
