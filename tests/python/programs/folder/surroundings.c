/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program finds around it: surroundings [WHAT]. Of a folder with a header, so that the build has to find it. */
#include "surroundings.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char** environ;

static int deep(int frames, volatile char* outer) {
  volatile char frame[FRAME_BYTES];
  frame[frames % FRAME_BYTES] = (char)(outer[0] + 1); /* keeps part of every frame in use until the end */
  return frames > 0 ? deep(frames - 1, frame) + frame[1] - frame[1] : 0;
}

static int compare(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }

static void print_environment(void) {
  size_t n = 0;
  while (environ[n] != NULL) ++n;
  qsort(environ, n, sizeof *environ, compare);
  for (size_t i = 0; i < n; ++i) printf("%s\n", environ[i]);
}

static void print_host(void) {
  char name[100], mpis[MPI_MAX_PROCESSOR_NAME], shortened[4];
  struct utsname about;
  int length;
  gethostname(name, sizeof name);
  uname(&about);
  MPI_Get_processor_name(mpis, &length);
  printf("%s %s %s %d\n", name, about.nodename, mpis, gethostname(shortened, sizeof shortened));
}

static void copy(const char* from, const char* to) {
  char text[100];
  FILE* in = fopen(from, "r");
  if (in == NULL) {
    printf("no %s\n", from);
    return;
  }
  const size_t n = fread(text, 1, sizeof text, in);
  fclose(in);
  FILE* out = fopen(to, "w");
  fwrite(text, 1, n, out);
  fclose(out);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "environment") == 0) print_environment();
  if (strcmp(what, "deep") == 0) printf("deep %d\n", deep(24 * 1024 * 1024 / FRAME_BYTES, (volatile char*)what));
  if (strcmp(what, "copy") == 0 && rank == 0) copy("in.txt", "out.txt");
  if (strcmp(what, "place") == 0) printf("%s %s\n", __FILE__, __DATE__);
  if (strcmp(what, "host") == 0) print_host();
  if (strcmp(what, "fail") == 0) {
    copy("in.txt", "out.txt");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
#ifdef SAID
  printf("said %s\n", SAID);
#endif
  MPI_Finalize();
  return 0;
}
