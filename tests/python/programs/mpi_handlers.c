/* SPDX-License-Identifier: BSD-3-Clause */
/* Says of whom handlers are told, and of what; then goes on: one rank's error is nobody else's. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int me, n, known;
static MPI_Comm comms[8];
static const char* names[8];
static MPI_Win window;

static const char* class_of(int code) {
  static char text[MPI_MAX_ERROR_STRING];
  int class, length;
  MPI_Error_class(code, &class);
  MPI_Error_string(class, text, &length);
  return text;
}
static void on_comm(MPI_Comm* comm, int* code, ...) {
  const char* name = "UNKNOWN";
  for (int i = 0; i < known; ++i)
    if (comms[i] == *comm) name = names[i];
  int rank; /* a call within the handler is the program's like any other */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("%d| handler: %s %s\n", rank, name, class_of(*code));
}
static void on_win(MPI_Win* win, int* code, ...) {
  printf("%d| handler: %s %s\n", me, *win == window ? "window" : "UNKNOWN", class_of(*code));
}
static void returned(const char* what, int code) { printf("%d| %s: %s\n", me, what, class_of(code)); }
static MPI_Comm know(const char* name, MPI_Comm comm) {
  names[known] = name;
  comms[known++] = comm;
  return comm;
}

int main(int argc, char** argv) {
  static int out[300], in[300];
  MPI_Comm comm;
  MPI_Errhandler handler, of_windows, got;
  MPI_Request requests[2];
  int period = 0, flag = -1, provided = -1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(know("world", MPI_COMM_WORLD), &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  know("self", MPI_COMM_SELF);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &got);
  printf("%d| first: %s\n", me, got == MPI_ERRORS_ARE_FATAL ? "fatal" : "WRONG");
  MPI_Is_thread_main(&flag);
  printf("%d| main thread: %d\n", me, flag);
  MPI_Query_thread(&flag);
  printf("%d| query: %s\n", me, flag == provided ? "as provided" : "WRONG");
  MPI_Comm_create_errhandler(on_comm, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  MPI_Errhandler_free(&handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  know("dup", comm);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &comm);
  know("split", comm);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &period, 0, &comm);
  know("cart", comm);
  for (int i = 0; i < known; ++i) returned(names[i], MPI_Send(out, 1, MPI_INT, n, 0, comms[i]));
  returned("no communicator", MPI_Bcast(out, 1, MPI_INT, 0, MPI_COMM_NULL));
  returned("call", MPI_Comm_call_errhandler(comms[2], MPI_ERR_OTHER));
  returned("old names", MPI_Errhandler_get(comms[3], &got));
  MPI_Errhandler_set(comms[3], MPI_ERRORS_RETURN);
  returned("quiet", MPI_Send(out, 1, MPI_INT, n, 0, comms[3]));
  returned("quiet call", MPI_Comm_call_errhandler(comms[3], MPI_ERR_OTHER));
  MPI_Errhandler_set(comms[3], got);
  /* of a request: its communicator, and once */
  MPI_Irecv(in, 1, MPI_INT, (me + n - 1) % n, 1, comms[4], &requests[0]);
  MPI_Isend(out, 2, MPI_INT, (me + 1) % n, 1, comms[4], &requests[1]);
  returned("wait", MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Irecv(in, 1, MPI_INT, (me + n - 1) % n, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 2, MPI_INT, (me + 1) % n, 1, MPI_COMM_WORLD, &requests[1]);
  returned("waitall", MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  /* windows */
  MPI_Win_create(in, sizeof in, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_create_errhandler(on_win, &of_windows);
  MPI_Win_set_errhandler(window, of_windows);
  MPI_Win_fence(0, window);
  returned("put", MPI_Put(out, 1, MPI_INT, n, 0, 1, MPI_INT, window));
  returned("window call", MPI_Win_call_errhandler(window, MPI_ERR_ASSERT));
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  /* functions that are SMPI's own */
  returned("type", MPI_Type_size(MPI_DATATYPE_NULL, &flag));
  /* errors of one rank alone */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (me == 1) {
    returned("alone", MPI_Send(out, 1, MPI_INT, n, 0, MPI_COMM_WORLD));
    returned("alone", MPI_Isend(out, 300, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, &requests[0]));
    returned("alone", MPI_Irecv(NULL, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[0]));
    returned("alone", MPI_Bcast(out, 1, MPI_INT, n, MPI_COMM_WORLD));
    returned("alone", MPI_Reduce(out, in, 1, MPI_INT, MPI_OP_NULL, 0, MPI_COMM_WORLD));
    returned("alone", MPI_Sendrecv(out, 300, MPI_INT, 0, 2, in, 1, MPI_INT, n, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  }
  for (int length = 1; length <= 300; length += 299) {
    for (int i = 0; i < length; ++i) out[i] = me + 1;
    MPI_Sendrecv(out, length, MPI_INT, (me + 1) % n, 2, in, length, MPI_INT, (me + n - 1) % n, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(in, out, length, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%d| sum: %s\n", me, out[0] == n * (n + 1) / 2 && out[length - 1] == out[0] ? "right" : "WRONG");
  }
  MPI_Finalize();
  return 0;
}
