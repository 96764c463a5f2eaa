/* SPDX-License-Identifier: BSD-3-Clause */
/* LU's sweeps on a square of ranks: planes, each with messages from north and west, two timed kernels within a timed
 * step, messages to south and east. Arguments: columns of the square, planes. */
#include <hypermon.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, ranks, plane, columns, planes, row, column, rows;
  char data[400] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  columns = atoi(argv[1]);
  planes = atoi(argv[2]);
  rows = ranks / columns;
  row = rank / columns;
  column = rank % columns;
  for (plane = 0; plane < planes; ++plane) {
    hypermon_timer_start("exchange");
    if (row > 0) MPI_Recv(data, sizeof data, MPI_CHAR, rank - columns, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (column > 0) MPI_Recv(data, sizeof data, MPI_CHAR, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hypermon_timer_stop("exchange");
    hypermon_timer_start("jacld");
    hypermon_charge(1, 100000);
    hypermon_timer_stop("jacld");
    hypermon_timer_start("blts");
    hypermon_charge(1, 150000);
    hypermon_timer_stop("blts");
    hypermon_timer_start("exchange");
    if (row + 1 < rows) MPI_Send(data, sizeof data, MPI_CHAR, rank + columns, 1, MPI_COMM_WORLD);
    if (column + 1 < columns) MPI_Send(data, sizeof data, MPI_CHAR, rank + 1, 1, MPI_COMM_WORLD);
    hypermon_timer_stop("exchange");
  }
  MPI_Finalize();
  return 0;
}
