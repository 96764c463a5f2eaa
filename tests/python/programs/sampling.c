/* SPDX-License-Identifier: BSD-3-Clause */
/* SimGrid's macros for what a program's own code takes: tests/python/test_polling.py. */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* how = argv[1];
  volatile double sum = 0;
  int rounds = 0;
  const double begin = MPI_Wtime();
  if (!strcmp(how, "local")) {
    SMPI_SAMPLE_LOCAL(int i = 0, i < 100, i++, 10, 0.01) {
      ++rounds;
      for (int k = 0; k < 10000; ++k) sum += k;
      sum += MPI_Wtime();
    }
  }
  if (!strcmp(how, "global")) {
    SMPI_SAMPLE_GLOBAL(int i = 0, i < 100, i++, 10, 0.01) {
      ++rounds;
      for (int k = 0; k < 10000; ++k) sum += k;
    }
  }
  if (!strcmp(how, "flops")) SMPI_SAMPLE_FLOPS(3e9) {
    }
  if (!strcmp(how, "delay")) SMPI_SAMPLE_DELAY(3.0) {
    }
  printf("%d rounds, %.9f s\n", rounds, MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
