// SPDX-License-Identifier: BSD-3-Clause
// An access that is under way. An MPI_Request may point to one; requests of messages belong to the message library.
#pragma once
#include <simgrid/s4u/Semaphore.hpp>
#include <smpi/smpi.h>

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace hypermon::mpiio {

struct IoRequest {
  int code = MPI_SUCCESS;
  std::int64_t bytes = 0;
  bool is_complete = false;
  bool is_freed = false; ///< freed by the program before completion
  MPI_Fint number = 0;   ///< Fortran's number, once it has been requested

  void complete();
  /// Blocks until completion. Call from a rank's actor.
  void wait();

private:
  simgrid::s4u::SemaphorePtr waiting_;
};

/// The requests that the program holds, and freed requests that are under way.
class IoRequests {
public:
  IoRequest& make();
  /// Null if the request is no access to a file.
  IoRequest* find(MPI_Request request) const;
  bool are_none() const { return all_.empty(); }
  void drop(const IoRequest& request);
  /// The request's number in Fortran.
  MPI_Fint number_of(IoRequest& request);
  IoRequest* find_number(MPI_Fint number) const;

private:
  MPI_Fint last_number_ = 1 << 30; // SMPI counts its own from 0
  std::unordered_map<MPI_Fint, IoRequest*> by_number_;
  std::unordered_map<const IoRequest*, std::unique_ptr<IoRequest>> all_;
};
IoRequests& io_requests();

inline MPI_Request mpi_request(IoRequest& request) { return reinterpret_cast<MPI_Request>(&request); }

} // namespace hypermon::mpiio
