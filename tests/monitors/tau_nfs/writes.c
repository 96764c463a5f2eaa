/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 writes so many bytes at once with MPI-IO, reads them again, and prints how long each took. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int bytes = argc > 1 ? atoi(argv[1]) : 1000;
  char* data = malloc(bytes);
  MPI_File file;
  double begin, between;
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_SELF, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  begin = MPI_Wtime();
  MPI_File_write_at(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  between = MPI_Wtime();
  MPI_File_read_at(file, 0, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  printf("%.9f %.9f\n", between - begin, MPI_Wtime() - between);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
