// SPDX-License-Identifier: BSD-3-Clause
// A tool linked into LU: writes which MPI calls and routines each rank made, in their order, to calls.RANK of the
// folder in CALLS.
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <string>

namespace {
std::string calls; // the rank's own: each rank has its own globals

void note(const char* call, int count = 0, int peer = -1, int tag = -1) {
  char line[80];
  std::snprintf(line, sizeof line, "%s %d %d %d\n", call, count, peer, tag);
  calls += line;
}
} // namespace

extern "C" {
int MPI_Send(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  note("MPI_Send", n, to, tag);
  return PMPI_Send(data, n, type, to, tag, comm);
}
int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  note("MPI_Recv", n, from, tag);
  return PMPI_Recv(data, n, type, from, tag, comm, status);
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  note("MPI_Irecv", n, from, tag);
  return PMPI_Irecv(data, n, type, from, tag, comm, request);
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  note("MPI_Wait");
  return PMPI_Wait(request, status);
}
int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  note("MPI_Allreduce", n);
  return PMPI_Allreduce(in, out, n, type, op, comm);
}
int MPI_Barrier(MPI_Comm comm) {
  note("MPI_Barrier");
  return PMPI_Barrier(comm);
}
int MPI_Finalize() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string path = std::string(std::getenv("CALLS")) + "/calls." + std::to_string(rank);
  std::FILE* file = std::fopen(path.c_str(), "w");
  std::fwrite(calls.data(), 1, calls.size(), file);
  std::fclose(file);
  return PMPI_Finalize();
}
void hypermon_start_timer(const char* routine) { note(routine, 1); }
void hypermon_stop_timer(const char* routine) { note(routine, -1); }
void hypermon_dump_profile() { note("dump"); }
}
