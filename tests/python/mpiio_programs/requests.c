/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses that do not block, among messages; of all ranks; split ones. */
#include "common.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_File f;
  MPI_Request r[4];
  MPI_Status status[4];
  int out = rank, in = -1, flag;
  char data[100], back[100];
  memset(data, 'a' + rank, sizeof data);
  MPI_File_open(MPI_COMM_WORLD, "requests", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
  MPI_File_iwrite_at(f, 100 * rank, data, 50, MPI_CHAR, &r[1]);
  MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[2]);
  MPI_File_iwrite_at(f, 100 * rank + 60, data, 40, MPI_CHAR, &r[3]);
  MPI_Waitall(4, r, status);
  SAY("from %d, %d and %d bytes, %d", in, count_of(&status[1]), count_of(&status[3]), r[1] == MPI_REQUEST_NULL);
  MPI_File_iread_at(f, 100 * rank, back, 100, MPI_CHAR, &r[0]);
  do MPI_Test(&r[0], &flag, status);
  while (!flag);
  SAY("back: %d %lx", count_of(status), sum(back, 100));
  MPI_File_seek(f, 100 * rank + 10, MPI_SEEK_SET);
  MPI_File_iread(f, back, 10, MPI_CHAR, &r[0]);
  MPI_Offset at;
  MPI_File_get_position(f, &at);
  MPI_Wait(&r[0], status);
  SAY("iread: %d at %d", count_of(status), (int)at);
  MPI_File_iwrite_at_all(f, 1000 + 10 * rank, data, 10, MPI_CHAR, &r[0]);
  MPI_Wait(&r[0], status);
  SAY("all: %d", count_of(status));
  MPI_File_write_at_all_begin(f, 2000 + 7 * rank, data, 7, MPI_CHAR);
  MPI_File_write_at_all_end(f, data, status);
  SAY("split: %d", count_of(status));
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(f);
  MPI_File_seek(f, 2000, MPI_SEEK_SET);
  MPI_File_read_all_begin(f, back, 7, MPI_CHAR);
  MPI_File_read_all_end(f, back, status);
  SAY("split read: %d %.7s", count_of(status), back);
  MPI_File_close(&f);
  MPI_Finalize();
  return 0;
}
