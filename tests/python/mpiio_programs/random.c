/* SPDX-License-Identifier: BSD-3-Clause */
/* Random sequences of views, types in memory, hints and accesses; arguments: the first seed, and how many. All ranks
   draw the same numbers; of each tile of the file a rank's view has the slots that were drawn for it. Nobody accesses
   what another one writes before both have synchronised, and nothing lies behind the file's end: MPI says what comes.
 */
#include "common.h"

enum { tiles = 24, most_slots = 24, file_bytes = 1 << 16, steps = 10 };

static unsigned long state;
static int draw(int n) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (int)((state >> 33) % (unsigned long)n);
}

static int slots, slot_bytes, mine; /* of a tile, of all ranks and of this one; of a slot */

static MPI_Datatype slots_of_rank(void) {
  int at[most_slots];
  MPI_Datatype slot, some, tile;
  slots = 1 + draw(most_slots);
  slot_bytes = 4 * (1 + draw(8));
  mine = 0;
  for (int i = 0; i < slots; ++i) {
    const int whose = draw(size + 1); /* or no rank's */
    if (whose == rank) at[mine++] = i;
  }
  MPI_Type_contiguous(slot_bytes, MPI_BYTE, &slot);
  MPI_Type_create_indexed_block(mine, 1, at, slot, &some);
  MPI_Type_create_resized(some, 0, (MPI_Aint)slots * slot_bytes, &tile);
  MPI_Type_commit(&tile);
  MPI_Type_free(&slot);
  MPI_Type_free(&some);
  return tile;
}

/* Elements of 4 bytes in memory, with room between them or not. */
static MPI_Datatype memory_type(int* elements) {
  MPI_Datatype type;
  const int kind = draw(3), n = 1 + draw(3);
  if (kind == 0) MPI_Type_contiguous(n, MPI_INT, &type);
  if (kind == 1) MPI_Type_vector(n, 1, 2, MPI_INT, &type);
  if (kind == 2) {
    MPI_Datatype pair;
    int lengths[2] = {1, n}, at[2] = {n + 1, 0};
    MPI_Type_indexed(2, lengths, at, MPI_INT, &pair); /* the last one first */
    MPI_Type_create_resized(pair, 0, 4 * (n + 3), &type);
    MPI_Type_free(&pair);
  }
  MPI_Type_commit(&type);
  *elements = kind == 2 ? n + 1 : n;
  return type;
}

static void hint(MPI_Info info, const char* key, const char* one, const char* other) {
  const int which = draw(4);
  if (which < 2) MPI_Info_set(info, key, which == 0 ? one : other);
}

static char data[1 << 20];

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int first = argc > 1 ? atoi(argv[1]) : 1, count = argc > 2 ? atoi(argv[2]) : 1;
  for (int seed = first; seed < first + count; ++seed) {
    state = (unsigned long)seed * 977;
    char name[64];
    snprintf(name, sizeof name, "random%d", seed);
    MPI_Info info;
    MPI_Info_create(&info);
    hint(info, "romio_cb_write", "enable", "disable");
    hint(info, "romio_cb_read", "enable", "disable");
    hint(info, "romio_ds_write", "enable", "disable");
    hint(info, "romio_ds_read", "enable", "disable");
    hint(info, "cb_buffer_size", "1000", "77");
    hint(info, "cb_nodes", "1", "2");
    hint(info, "ind_rd_buffer_size", "100", "1000");
    MPI_File f;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &f);
    MPI_File_set_errhandler(f, MPI_ERRORS_ARE_FATAL);
    MPI_File_set_size(f, file_bytes);
    if (draw(3) == 0) MPI_File_set_atomicity(f, 1);
    for (int step = 0; step < steps; ++step) {
      MPI_Datatype tile = slots_of_rank();
      const int at = 4 * draw(50), write = draw(2), way = draw(7);
      MPI_File_set_view(f, at, MPI_INT, mine > 0 ? tile : MPI_INT, "native", MPI_INFO_NULL);
      int elements;
      MPI_Datatype type = memory_type(&elements);
      const int room = tiles * mine * slot_bytes / 4; /* etypes */
      const int begin = draw(room / 2 + 1), most = (room - begin) / elements;
      int n = draw(most > 0 ? most + 1 : 1);
      if (way == 6) n = 0;
      MPI_Status status;
      MPI_Request request;
      if (write)
        for (size_t i = 0; i < sizeof data; ++i) data[i] = (char)(i * 7 + (size_t)(seed + step * 13 + rank * 31));
      else
        memset(data, 0, sizeof data);
      MPI_File_seek(f, begin, MPI_SEEK_SET);
#define WAY(Verb, verb)                                                                                                \
  switch (way) {                                                                                                       \
  case 0:                                                                                                              \
    MPI_File_##verb(f, data, n, type, &status);                                                                        \
    break;                                                                                                             \
  case 1:                                                                                                              \
    MPI_File_##verb##_at(f, begin, data, n, type, &status);                                                            \
    break;                                                                                                             \
  case 2:                                                                                                              \
    MPI_File_##verb##_all(f, data, n, type, &status);                                                                  \
    break;                                                                                                             \
  case 3:                                                                                                              \
    MPI_File_##verb##_at_all(f, begin, data, n, type, &status);                                                        \
    break;                                                                                                             \
  case 4:                                                                                                              \
    MPI_File_i##verb##_at(f, begin, data, n, type, &request);                                                          \
    MPI_Wait(&request, &status);                                                                                       \
    break;                                                                                                             \
  default:                                                                                                             \
    MPI_File_##verb##_all_begin(f, data, n, type);                                                                     \
    MPI_File_##verb##_all_end(f, data, &status);                                                                       \
  }
      if (write) {
        WAY(Write, write)
      } else {
        WAY(Read, read)
      }
      MPI_Offset position;
      MPI_File_get_position(f, &position);
      SAY("%d/%d: %s %d: %d bytes, at %d, %lx", seed, step, write ? "write" : "read", way,
          n > 0 ? count_of(&status) : 0, way == 1 || way == 3 || way == 4 ? begin : (int)position,
          write ? 0 : sum(data, sizeof data));
      MPI_File_sync(f);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_File_sync(f);
      /* In the order of the ranks, by bytes. */
      if (draw(4) == 0) {
        MPI_File_set_view(f, 4 * draw(100), MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
        MPI_File_seek_shared(f, draw(100), MPI_SEEK_SET);
        const int own = draw(200) + rank;
        if (draw(2) == 0)
          MPI_File_write_ordered(f, data, own, MPI_BYTE, &status);
        else
          MPI_File_read_ordered(f, data, own, MPI_BYTE, &status);
        MPI_Barrier(MPI_COMM_WORLD); /* the other ranks have moved it, too */
        MPI_File_get_position_shared(f, &position);
        SAY("in order: %d, then %d, %lx", count_of(&status), (int)position, sum(data, sizeof data));
        MPI_File_sync(f);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_sync(f);
      }
      MPI_Type_free(&type);
      MPI_Type_free(&tile);
    }
    MPI_File_close(&f);
    MPI_Info_free(&info);
  }
  MPI_Finalize();
  return 0;
}
