/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of derived types: what each rank writes through its own is read back through others. */
#include "common.h"

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_File f;
  MPI_Datatype column, block, sub;
  int data[64], back[64 * 8];
  MPI_Status status;
  for (int i = 0; i < 64; ++i) data[i] = 1000 * rank + i;
  MPI_Type_vector(8, 1, size, MPI_INT, &column);
  MPI_Type_commit(&column);
  MPI_File_open(MPI_COMM_WORLD, "views", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_set_view(f, 4 * rank + 16, MPI_INT, column, "native", MPI_INFO_NULL);
  MPI_File_write(f, data, 7, MPI_INT, &status);
  SAY("column: %d", count_of(&status));
  MPI_Offset at, bytes;
  MPI_File_get_position(f, &at);
  MPI_File_get_byte_offset(f, at, &bytes);
  SAY("position %d, byte %d", (int)at, (int)bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  memset(back, 0, sizeof back);
  MPI_File_read_at(f, 0, back, 256, MPI_BYTE, &status);
  SAY("all: %d %lx", count_of(&status), sum(back, 256));
  MPI_File_set_size(f, 1536); /* what nobody writes is zero: ROMIO's sieving leaves what it finds behind a file's end */
  /* a subarray of a matrix of 16 x 16 */
  int sizes[2] = {16, 16}, own[2] = {4, 8}, starts[2] = {4 * (rank % 4), 8 * (rank / 4 % 2)};
  MPI_Type_create_subarray(2, sizes, own, starts, MPI_ORDER_C, MPI_INT, &sub);
  MPI_Type_commit(&sub);
  MPI_File_set_view(f, 512, MPI_INT, sub, "native", MPI_INFO_NULL);
  MPI_File_write_at_all(f, 0, data, 32, MPI_INT, &status);
  SAY("subarray: %d", count_of(&status));
  MPI_File_sync(f);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(f);
  /* a view of memory as well: every other number */
  MPI_Type_vector(16, 1, 2, MPI_INT, &block);
  MPI_Type_commit(&block);
  memset(back, 0, sizeof back);
  MPI_File_read_at_all(f, 4, back, 1, block, &status);
  SAY("into every other: %d %lx", count_of(&status), sum(back, 128));
  MPI_Datatype etype, filetype;
  char datarep[MPI_MAX_DATAREP_STRING];
  MPI_File_get_view(f, &at, &etype, &filetype, datarep);
  int esize, fsize;
  MPI_Type_size(etype, &esize);
  MPI_Type_size(filetype, &fsize);
  SAY("view at %d of %d in %d, %s", (int)at, esize, fsize, datarep);
  MPI_Datatype array;
  int distributions[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, processes[2] = {size, 1};
  int arguments[2] = {2, MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Type_create_darray(size, rank, 2, sizes, distributions, arguments, processes, MPI_ORDER_FORTRAN, MPI_INT, &array);
  MPI_Type_commit(&array);
  MPI_File_set_view(f, 512, MPI_INT, array, "native", MPI_INFO_NULL);
  memset(back, 0, sizeof back);
  MPI_File_read_all(f, back, 48, MPI_INT, &status);
  SAY("distributed: %d %lx", count_of(&status), sum(back, 192));
  MPI_File_get_size(f, &bytes);
  SAY("size %d", (int)bytes);
  MPI_File_close(&f);
  SAY("closed %d", f == MPI_FILE_NULL);
  MPI_Finalize();
  return 0;
}
