/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes of absolute addresses with MPI_BOTTOM, and datatypes whose data begin before the buffer, in every kind of
   access. */
#include "common.h"

static int out[8], in[8];

static void check(const char* what, const MPI_Status* status) {
  SAY("%s: %d bytes: %d %d %d %d, between %d %d", what, count_of(status), in[0], in[2], in[4], in[6], in[1], in[7]);
  for (int i = 0; i < 8; ++i) in[i] = -1;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_File f;
  MPI_Status status;
  MPI_Request request;
  MPI_Aint at[4];
  MPI_Datatype from, to, before, column;
  int ones[4] = {1, 1, 1, 1}, back[4] = {-6, -4, -2, 0};
  for (int i = 0; i < 8; ++i) out[i] = 100 * rank + i, in[i] = -1;
  for (int i = 0; i < 4; ++i) MPI_Get_address(&out[2 * i], &at[i]);
  MPI_Type_create_hindexed(4, ones, at, MPI_INT, &from);
  for (int i = 0; i < 4; ++i) MPI_Get_address(&in[2 * i], &at[i]);
  MPI_Type_create_hindexed(4, ones, at, MPI_INT, &to);
  MPI_Type_indexed(4, ones, back, MPI_INT, &before);
  MPI_Type_vector(4, 1, size, MPI_INT, &column);
  MPI_Type_commit(&from);
  MPI_Type_commit(&to);
  MPI_Type_commit(&before);
  MPI_Type_commit(&column);
  MPI_File_open(MPI_COMM_WORLD, "addresses", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  for (int columns = 0; columns < 2; ++columns) {
    /* whole blocks one after the other, then interleaved, so that collective accesses exchange data */
    MPI_File_set_view(f, 1000 * columns + (columns ? 4 : 16) * rank, MPI_INT, columns ? column : MPI_INT, "native",
                      MPI_INFO_NULL);
    MPI_File_write_at(f, 0, MPI_BOTTOM, 1, from, &status);
    MPI_File_read_at(f, 0, MPI_BOTTOM, 1, to, &status);
    check("alone", &status);
    MPI_File_write_at_all(f, 0, MPI_BOTTOM, 1, from, &status);
    MPI_File_read_at_all(f, 0, MPI_BOTTOM, 1, to, &status);
    check("together", &status);
    MPI_File_write_at_all_begin(f, 0, MPI_BOTTOM, 1, from);
    MPI_File_write_at_all_end(f, MPI_BOTTOM, &status);
    MPI_File_read_at_all_begin(f, 0, MPI_BOTTOM, 1, to);
    MPI_File_read_at_all_end(f, MPI_BOTTOM, &status);
    check("split", &status);
    MPI_File_iwrite_at(f, 0, MPI_BOTTOM, 1, from, &request);
    MPI_Wait(&request, &status);
    MPI_File_iread_at(f, 0, MPI_BOTTOM, 1, to, &request);
    MPI_Wait(&request, &status);
    check("meanwhile", &status);
    MPI_File_write_at(f, 0, &out[6], 1, before, &status);
    MPI_File_read_at(f, 0, &in[6], 1, before, &status);
    check("before, alone", &status);
    MPI_File_write_at_all(f, 0, &out[6], 1, before, &status);
    MPI_File_read_at_all(f, 0, &in[6], 1, before, &status);
    check("before, together", &status);
    MPI_File_iread_at(f, 0, &in[6], 1, before, &request);
    MPI_Wait(&request, &status);
    check("before, meanwhile", &status);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  SAY("a view before the file: %d", MPI_File_set_view(f, 64, MPI_INT, before, "native", MPI_INFO_NULL) != MPI_SUCCESS);
  MPI_File_close(&f);
  MPI_Finalize();
  return 0;
}
