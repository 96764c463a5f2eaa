/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses that do not block among messages, in every function that completes requests. MPICH 4.0.2 fails an assertion
   in MPI_Waitany, so that what is right is said here. */
#include "common.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_File f;
  MPI_Request r[4];
  MPI_Status status[4];
  int out = rank, in = -1, index, flag, n, indices[4];
  char data[100];
  memset(data, 'a' + rank, sizeof data);
  MPI_File_open(MPI_COMM_WORLD, "requests", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  for (int turn = 0; turn < 4; ++turn) {
    MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, turn, MPI_COMM_WORLD, &r[0]);
    MPI_File_iwrite_at(f, 100 * rank, data, 50 + turn, MPI_CHAR, &r[1]);
    MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, turn, MPI_COMM_WORLD, &r[2]);
    MPI_File_iwrite_at(f, 100 * rank + 60, data, 40, MPI_CHAR, &r[3]);
    int left = 4, bytes = 0;
    if (turn == 0) {
      MPI_Waitall(4, r, status);
      bytes = count_of(&status[1]) + count_of(&status[3]);
    } else if (turn == 1) {
      for (; left > 0; --left) {
        MPI_Waitany(4, r, &index, status);
        if (index % 2 == 1) bytes += count_of(status);
      }
      MPI_Waitany(4, r, &index, status);
      if (index != MPI_UNDEFINED) SAY("another one?");
    } else if (turn == 2) {
      while (left > 0) {
        MPI_Waitsome(4, r, &n, indices, status);
        for (int i = 0; i < n; ++i)
          if (indices[i] % 2 == 1) bytes += count_of(&status[i]);
        left -= n;
      }
    } else {
      do MPI_Testall(4, r, &flag, status);
      while (!flag);
      bytes = count_of(&status[1]) + count_of(&status[3]);
    }
    SAY("turn %d: from %d, %d bytes, %d", turn, in, bytes, r[1] == MPI_REQUEST_NULL && r[3] == MPI_REQUEST_NULL);
  }
  MPI_File_close(&f);
  MPI_Finalize();
  return 0;
}
