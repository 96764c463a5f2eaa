/* SPDX-License-Identifier: BSD-3-Clause */
/* Individual and shared pointers, seeks, order of the ranks, appending. */
#include "common.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_File f;
  MPI_Status status;
  MPI_Offset at;
  char data[64], back[512];
  memset(data, 'a' + rank, sizeof data);
  MPI_File_open(MPI_COMM_WORLD, "pointers", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_write_ordered(f, data, 3 + rank, MPI_CHAR, &status);
  MPI_File_get_position_shared(f, &at);
  SAY("ordered %d, then at %d", count_of(&status), (int)at);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_seek_shared(f, 2, MPI_SEEK_SET);
  memset(back, '.', sizeof back);
  MPI_File_read_ordered(f, back, 4, MPI_CHAR, &status);
  SAY("read in order %d %.4s", count_of(&status), back);
  MPI_File_seek_shared(f, 0, MPI_SEEK_END);
  MPI_File_write_shared(f, "s", 1, MPI_CHAR, &status); /* the order of the ranks is undefined */
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_get_size(f, &at);
  SAY("size %d", (int)at);
  MPI_File_seek(f, -5, MPI_SEEK_END);
  MPI_File_get_position(f, &at);
  SAY("seek to %d", (int)at);
  MPI_File_seek(f, 3, MPI_SEEK_CUR);
  MPI_File_get_position(f, &at);
  SAY("on to %d", (int)at);
  MPI_File_seek(f, rank, MPI_SEEK_SET);
  memset(back, '.', sizeof back);
  MPI_File_read(f, back, 5, MPI_CHAR, &status);
  MPI_File_get_position(f, &at);
  SAY("read %d %.5s, at %d", count_of(&status), back, (int)at);
  MPI_File_close(&f);
  MPI_File_open(MPI_COMM_WORLD, "pointers", MPI_MODE_WRONLY | MPI_MODE_APPEND, MPI_INFO_NULL, &f);
  MPI_File_get_position(f, &at);
  SAY("appends at %d", (int)at);
  MPI_File_write_all(f, data, rank == 0 ? 2 : 0, MPI_CHAR, &status);
  MPI_File_set_size(f, 64);
  MPI_File_preallocate(f, 80);
  MPI_File_get_size(f, &at);
  SAY("preallocated %d", (int)at);
  MPI_File_set_size(f, 40);
  MPI_File_get_size(f, &at);
  SAY("cut %d", (int)at);
  MPI_File_close(&f);
  MPI_Finalize();
  return 0;
}
