// SPDX-License-Identifier: BSD-3-Clause
// A tool linked into a program: prints when each of its MPI calls returned, to the bit.
#include <cstdio>
#include <mpi.h>

namespace {
int told(const char* call, int result) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::printf("%d %s %a\n", rank, call, PMPI_Wtime());
  return result;
}
} // namespace

extern "C" {
int MPI_Send(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return told("Send", PMPI_Send(data, n, type, to, tag, comm));
}
int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return told("Recv", PMPI_Recv(data, n, type, from, tag, comm, status));
}
int MPI_Sendrecv(const void* out, int sent, MPI_Datatype type, int to, int tag, void* in, int received,
                 MPI_Datatype received_type, int from, int received_tag, MPI_Comm comm, MPI_Status* status) {
  return told("Sendrecv",
              PMPI_Sendrecv(out, sent, type, to, tag, in, received, received_type, from, received_tag, comm, status));
}
int MPI_Isend(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  return told("Isend", PMPI_Isend(data, n, type, to, tag, comm, request));
}
int MPI_Irecv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  return told("Irecv", PMPI_Irecv(data, n, type, from, tag, comm, request));
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return told("Test", PMPI_Test(request, flag, status));
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) { return told("Wait", PMPI_Wait(request, status)); }
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
  return told("Waitall", PMPI_Waitall(n, requests, statuses));
}
int MPI_Allreduce(const void* in, void* out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return told("Allreduce", PMPI_Allreduce(in, out, n, type, op, comm));
}
}
