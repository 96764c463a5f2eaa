// SPDX-License-Identifier: BSD-3-Clause
// SMPI's requests: their making, their starts and how they find each other, told to who counts messages. The library
// calls these functions of its own by their symbols; these definitions in the executable come first, as those of MPI's
// functions do (mpi_interface.cpp), and go on to the library's. Nothing of a request but its address is looked at.
#include "sw/nx2/next_definition.hpp"
#include "sw/nx2/smpi_messages.hpp"

namespace hypermon {
namespace {

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS) return 0;
  return static_cast<std::int64_t>(count) * size;
}

} // namespace
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

void request_made(void* request, const void* data, int count, MPI_Datatype type, aid_t from, aid_t to, int tag,
                  MPI_Comm comm, unsigned flags, MPI_Op op) {
  static const auto real = next_definition<decltype(request_made)>(smpi_symbols::made);
  real(request, data, count, type, from, to, tag, comm, flags, op);
  if (watched_smpi_messages != nullptr) [[unlikely]]
    watched_smpi_messages->made(request, from, to, hypermon::bytes_of(count, type), flags);
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
