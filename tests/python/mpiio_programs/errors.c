/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI says of wrong calls: files return errors unless the program says otherwise. */
#include "common.h"

static int called;
static const char* told = "nothing";
static void handler(MPI_File* file, int* code, ...) {
  (void)file;
  ++called;
  told = class_of(*code);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_File f = MPI_FILE_NULL;
  char data[16] = "0123456789abcde";
  MPI_Offset at;
  const MPI_Comm all = MPI_COMM_WORLD;
#define TRY(call) SAY("%s: %s", #call, class_of(call))
  TRY(MPI_File_open(all, "none", MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
  TRY(MPI_File_open(all, "none", MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f));
  TRY(MPI_File_open(all, "none", MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
  TRY(MPI_File_open(all, "none", MPI_MODE_CREATE, MPI_INFO_NULL, &f));
  TRY(MPI_File_open(all, "none", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &f));
  if (rank == 0) printf("delete: %s\n", class_of(MPI_File_delete("none", MPI_INFO_NULL)));
  TRY(MPI_File_open(all, "errors", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
  TRY(MPI_File_read_at(f, 0, data, 4, MPI_CHAR, MPI_STATUS_IGNORE));
  TRY(MPI_File_write_at(f, 0, data, 10, MPI_CHAR, MPI_STATUS_IGNORE));
  TRY(MPI_File_write_at(f, -1, data, 10, MPI_CHAR, MPI_STATUS_IGNORE));
  TRY(MPI_File_write_at(f, 0, data, -1, MPI_CHAR, MPI_STATUS_IGNORE));
  TRY(MPI_File_write_at(f, 0, data, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE));
  TRY(MPI_File_seek(f, -20, MPI_SEEK_CUR));
  TRY(MPI_File_seek(f, 0, 12345));
  TRY(MPI_File_set_view(f, -4, MPI_CHAR, MPI_CHAR, "native", MPI_INFO_NULL));
  TRY(MPI_File_set_view(f, 0, MPI_CHAR, MPI_CHAR, "unheard of", MPI_INFO_NULL));
  TRY(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  TRY(MPI_File_write_at(f, 0, data, 3, MPI_CHAR, MPI_STATUS_IGNORE));
  TRY(MPI_File_set_size(f, -1));
  TRY(MPI_File_close(&f));
  TRY(MPI_File_close(&f));
  TRY(MPI_File_get_size(f, &at));
  TRY(MPI_File_open(all, "errors", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_INFO_NULL, &f));
  TRY(MPI_File_open(all, "errors", MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
  TRY(MPI_File_write_at(f, 0, data, 4, MPI_CHAR, MPI_STATUS_IGNORE));
  TRY(MPI_File_set_size(f, 100));
  MPI_Errhandler own, got;
  MPI_File_create_errhandler(handler, &own);
  MPI_File_set_errhandler(f, own);
  MPI_File_get_errhandler(f, &got);
  SAY("the same handler: %d", got == own);
  MPI_File_write_at(f, 0, data, 4, MPI_CHAR, MPI_STATUS_IGNORE);
  SAY("called %d: %s", called, told);
  SAY("told: %s", class_of(MPI_File_call_errhandler(f, MPI_ERR_IO)));
  SAY("called %d: %s", called, told);
  int amode;
  MPI_File_get_amode(f, &amode);
  SAY("only to read: %d", amode == MPI_MODE_RDONLY);
  MPI_File_close(&f);
  TRY(MPI_File_open(all, "gone", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
  MPI_File_close(&f);
  TRY(MPI_File_open(all, "gone", MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
  MPI_Finalize();
  return 0;
}
