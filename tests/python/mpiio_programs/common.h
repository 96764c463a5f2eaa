/* SPDX-License-Identifier: BSD-3-Clause */
/* What these programs share: they print what MPI answers, and are run under another MPI, too: same text, same files. */
#ifndef COMMON_H
#define COMMON_H
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

__attribute__((unused)) static const char* class_of(int code) {
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
#define CLASS(name)                                                                                                    \
  if (class == MPI_##name) return #name
  CLASS(SUCCESS);
  CLASS(ERR_ACCESS);
  CLASS(ERR_AMODE);
  CLASS(ERR_ARG);
  CLASS(ERR_COUNT);
  CLASS(ERR_FILE);
  CLASS(ERR_FILE_EXISTS);
  CLASS(ERR_IO);
  CLASS(ERR_NOT_SAME);
  CLASS(ERR_NO_SPACE);
  CLASS(ERR_NO_SUCH_FILE);
  CLASS(ERR_READ_ONLY);
  CLASS(ERR_TYPE);
  CLASS(ERR_UNSUPPORTED_DATAREP);
  CLASS(ERR_UNSUPPORTED_OPERATION);
  return "another class";
}

/* One rank after the other, all through rank 0. */
static void say(const char* text) {
  char line[4096];
  strncpy(line, text, sizeof line - 1);
  line[sizeof line - 1] = 0;
  for (int r = 0; r < size; ++r) {
    if (rank == 0 && r > 0) MPI_Recv(line, sizeof line, MPI_CHAR, r, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == r && r > 0) MPI_Send(line, sizeof line, MPI_CHAR, 0, 77, MPI_COMM_WORLD);
    if (rank == 0) printf("%d: %s\n", r, line);
  }
  fflush(stdout);
}
#define SAY(...)                                                                                                       \
  do {                                                                                                                 \
    char text_[4096];                                                                                                  \
    snprintf(text_, sizeof text_, __VA_ARGS__);                                                                        \
    say(text_);                                                                                                        \
  } while (0)

static unsigned long sum(const void* data, size_t bytes) {
  unsigned long hash = 1469598103934665603ul;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ ((const unsigned char*)data)[i]) * 1099511628211ul;
  return hash;
}

static void begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static int count_of(const MPI_Status* status) {
  int n = 0;
  MPI_Get_count(status, MPI_BYTE, &n);
  return n;
}
#endif
