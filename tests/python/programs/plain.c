/* SPDX-License-Identifier: BSD-3-Clause */
#include <malloc.h> /* smpicc makes macros of what it declares */
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  free(realloc(malloc(8), 16));
  return MPI_Finalize();
}
