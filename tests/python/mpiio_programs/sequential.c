/* SPDX-License-Identifier: BSD-3-Clause */
/* Views from where the shared pointer is; which views a file has that is only read; a handler that changes the code. */
#include "common.h"

static void forgive(MPI_File* file, int* code, ...) {
  (void)file;
  *code = MPI_SUCCESS;
}
static void rename_error(MPI_File* file, int* code, ...) {
  (void)file;
  *code = MPI_ERR_NO_SPACE;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_File f;
  MPI_Status status;
  int numbers[4] = {rank, rank + 10, rank + 20, rank + 30}, back[16];
  char text[17] = "";
  MPI_File_open(MPI_COMM_WORLD, "sequential", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL,
                &f);
  SAY("explicit: %s", class_of(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL)));
  SAY("current: %s",
      class_of(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL)));
  MPI_File_write_ordered(f, numbers, 1 + rank, MPI_INT, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  SAY("current: %s",
      class_of(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_CHAR, MPI_CHAR, "native", MPI_INFO_NULL)));
  MPI_File_write_ordered(f, "abcd", 1 + rank, MPI_CHAR, &status);
  MPI_Offset at;
  MPI_Datatype etype, filetype;
  char datarep[MPI_MAX_DATAREP_STRING];
  MPI_File_get_view(f, &at, &etype, &filetype, datarep);
  SAY("text from byte %d", (int)at);
  MPI_File_close(&f);

  MPI_File_open(MPI_COMM_WORLD, "sequential", MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &f);
  MPI_Datatype pair;
  MPI_Type_create_resized(MPI_INT, 0, 8, &pair); /* every other number */
  MPI_Type_commit(&pair);
  MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, pair, "native", MPI_INFO_NULL);
  memset(back, 0, sizeof back);
  MPI_File_read_ordered(f, back, rank == 0 ? 5 : 0, MPI_INT, &status);
  SAY("every other: %d %d %d %d %d", back[0], back[1], back[2], back[3], back[4]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_CHAR, MPI_CHAR, "native", MPI_INFO_NULL);
  MPI_File_read_ordered(f, text, 2, MPI_CHAR, &status);
  SAY("then %s", text);
  MPI_File_close(&f);

  /* types that may be a view */
  int ones[3] = {1, 1, 1}, falling[3] = {4, 2, 0}, overlapping[3] = {0, 0, 1}, two[2] = {2, 2}, inside[2] = {0, 1};
  MPI_Datatype falls, overlaps, crosses;
  MPI_Type_indexed(3, ones, falling, MPI_INT, &falls);
  MPI_Type_indexed(3, ones, overlapping, MPI_INT, &overlaps);
  MPI_Type_indexed(2, two, inside, MPI_INT, &crosses); /* of its numbers, 1 comes twice: 0 1 1 2 */
  MPI_Type_commit(&falls);
  MPI_Type_commit(&overlaps);
  MPI_Type_commit(&crosses);
  MPI_File_open(MPI_COMM_WORLD, "sequential", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
  SAY("falls: %d", MPI_File_set_view(f, 0, MPI_INT, falls, "native", MPI_INFO_NULL) != MPI_SUCCESS);
  SAY("overlaps: %s", class_of(MPI_File_set_view(f, 0, MPI_INT, overlaps, "native", MPI_INFO_NULL)));
  memset(back, 0, sizeof back);
  MPI_File_read_at(f, 0, back, 3, MPI_INT, &status);
  SAY("read %d: %d %d %d", count_of(&status), back[0], back[1], back[2]);
  SAY("crosses: %s", class_of(MPI_File_set_view(f, 0, MPI_INT, crosses, "native", MPI_INFO_NULL)));
  memset(back, 0, sizeof back);
  MPI_File_read_at(f, 0, back, 4, MPI_INT, &status);
  SAY("read %d: %d %d %d %d", count_of(&status), back[0], back[1], back[2], back[3]);

  /* the handler's code is the call's */
  MPI_Errhandler forgives, renames;
  MPI_File_create_errhandler(forgive, &forgives);
  MPI_File_create_errhandler(rename_error, &renames);
  MPI_File_set_errhandler(f, forgives);
  SAY("forgiven: %s", class_of(MPI_File_write_at(f, 0, back, 1, MPI_INT, &status)));
  MPI_File_set_errhandler(f, renames);
  SAY("renamed: %s", class_of(MPI_File_write_at(f, 0, back, 1, MPI_INT, &status)));
  MPI_File_close(&f);
  MPI_Finalize();
  return 0;
}
