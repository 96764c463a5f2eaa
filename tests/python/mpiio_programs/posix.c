/* SPDX-License-Identifier: BSD-3-Clause */
/* One world of files: what MPI-IO does is seen by the C library and the system, and the other way round. */
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define all MPI_COMM_WORLD

static void show(const char* name) {
  struct stat s;
  char text[33] = "";
  MPI_Barrier(all);
  if (rank == 0) {
    if (stat(name, &s) != 0) {
      printf("%s: errno %d, access %d\n", name, errno == ENOENT, access(name, F_OK));
    } else {
      int d = open(name, O_RDONLY);
      ssize_t n = read(d, text, 32);
      close(d);
      printf("%s: %ld bytes, of which %ld: %s\n", name, (long)s.st_size, (long)n, text);
    }
    fflush(stdout);
  }
  MPI_Barrier(all);
}

static void try(const char* name, int mode) {
  MPI_File f;
  MPI_Offset bytes = -1;
  char text[33] = "";
  int code = MPI_File_open(all, name, mode, MPI_INFO_NULL, &f);
  if (code != MPI_SUCCESS) {
    SAY("%s: %s", name, class_of(code));
    return;
  }
  MPI_File_get_size(f, &bytes);
  MPI_File_read_at(f, 0, text, (int)bytes, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_close(&f);
  SAY("%s: %d bytes: %s", name, (int)bytes, text);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_File f;
  char mark = (char)('a' + rank);
  MPI_File_open(all, "one", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
  MPI_File_write_at_all(f, rank, &mark, 1, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_sync(f);
  show("one");
  MPI_File_set_size(f, 6);
  MPI_File_close(&f);
  show("one");
  if (rank == 0) {
    FILE* two = fopen("two", "w");
    fputs("by fopen", two);
    fclose(two);
    FILE* one = fopen("one", "r+");
    fputs("AB", one);
    fclose(one);
    mkdir("below", 0777);
    rename("one", "below/one");
  }
  MPI_Barrier(all);
  try("two", MPI_MODE_RDONLY);
  try("./two", MPI_MODE_RDONLY);
  try("two", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL);
  try("one", MPI_MODE_RDONLY);
  try("below/one", MPI_MODE_RDONLY);
  try("nowhere/one", MPI_MODE_CREATE | MPI_MODE_RDWR);
  if (rank == 0) unlink("two");
  MPI_Barrier(all);
  try("two", MPI_MODE_RDONLY);
  try("two", MPI_MODE_RDWR | MPI_MODE_CREATE);
  if (rank == 0) printf("delete: %s\n", class_of(MPI_File_delete("below/one", MPI_INFO_NULL)));
  show("below/one");
  if (rank == 0) printf("delete: %s\n", class_of(MPI_File_delete("below/one", MPI_INFO_NULL)));
  if (rank == 0) rmdir("below");
  MPI_File_open(all, "gone", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
  show("gone");
  MPI_File_close(&f);
  show("gone");
  MPI_Finalize();
  return 0;
}
