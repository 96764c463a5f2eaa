/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong calls, one a line, under MPI_ERRORS_RETURN: what each of them returns. Arguments: the names of those to make;
 * "all"; or "all" and "but" with names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, n, said, arguments;
static char** names;

/* Arguments have + in the place of blanks. */
static int named(const char* name, int from) {
  for (int i = from; i < arguments; ++i) {
    int at = 0;
    while (names[i][at] != 0 && (names[i][at] == name[at] || (names[i][at] == '+' && name[at] == ' '))) ++at;
    if (names[i][at] == 0 && name[at] == 0) return 1;
  }
  return 0;
}
static int wanted(const char* name) {
  if (arguments > 1 && strcmp(names[1], "list") == 0 && me == 0) puts(name);
  return arguments > 1 && strcmp(names[1], "all") == 0 ? !named(name, 2) : named(name, 1);
}
static const char* class_of(int code) {
  static char text[MPI_MAX_ERROR_STRING];
  int class = 0, length = 0;
  MPI_Error_class(code, &class);
  MPI_Error_string(class, text, &length);
  return text;
}
static void say(const char* name, int code) {
  ++said;
  printf("%d| %s: %s\n", me, name, class_of(code));
  fflush(stdout);
}
#define CALL(name, ...)                                                                                                \
  if (wanted(name)) say(name, MPI_##__VA_ARGS__)

enum { room = 64 };
static int a[room], b[room];
static int counts[8] = {1, 1, 1, 1, 1, 1, 1, 1}, at[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static int negative[8] = {1, -1, 1, 1, 1, 1, 1, 1}, minus[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
static MPI_Datatype types[8], null_types[8], raw;
static MPI_Request request;
static MPI_Status status;
static MPI_Comm made;
static int flag, which, done, indices[8];

static void nothing(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)in, (void)inout, (void)length, (void)type;
}

#define SENDS(f, ...)                                                                                                  \
  CALL(#f " rank=size", f(a, 1, MPI_INT, n, 0, MPI_COMM_WORLD __VA_ARGS__));                                           \
  CALL(#f " rank=-1", f(a, 1, MPI_INT, -1, 0, MPI_COMM_WORLD __VA_ARGS__));                                            \
  CALL(#f " rank=any", f(a, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD __VA_ARGS__));                               \
  CALL(#f " tag=-5", f(a, 1, MPI_INT, 0, -5, MPI_COMM_WORLD __VA_ARGS__));                                             \
  CALL(#f " count=-1", f(a, -1, MPI_INT, 0, 0, MPI_COMM_WORLD __VA_ARGS__));                                           \
  CALL(#f " type=null", f(a, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD __VA_ARGS__));                                 \
  CALL(#f " type=raw", f(a, 1, raw, 0, 0, MPI_COMM_WORLD __VA_ARGS__));                                                \
  CALL(#f " buffer=0", f(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD __VA_ARGS__));                                         \
  CALL(#f " comm=null", f(a, 1, MPI_INT, 0, 0, MPI_COMM_NULL __VA_ARGS__));                                            \
  CALL(#f " rank=null type=null", f(a, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD __VA_ARGS__))
#define ISENDS(f)                                                                                                      \
  SENDS(f, , &request);                                                                                                \
  CALL(#f " request=0", f(a, 1, MPI_INT, me, 0, MPI_COMM_WORLD, NULL))

static void point_to_point(void) {
  SENDS(Send);
  CALL("Send tag=any", Send(a, 0, MPI_INT, n, MPI_ANY_TAG, MPI_COMM_WORLD));
  SENDS(Ssend);
  SENDS(Bsend);
  CALL("Bsend no room", Bsend(a, 1, MPI_INT, me, 0, MPI_COMM_WORLD));
  SENDS(Rsend);
  ISENDS(Isend);
  ISENDS(Issend);
  ISENDS(Ibsend);
  CALL("Ibsend no room", Ibsend(a, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &request));
  ISENDS(Irsend);
  ISENDS(Send_init);
  ISENDS(Ssend_init);
  ISENDS(Bsend_init);
  CALL("Bsend_init no room", Bsend_init(a, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &request));
  ISENDS(Rsend_init);
#define RECEIVES(f, last)                                                                                              \
  CALL(#f " rank=size", f(a, 1, MPI_INT, n, 0, MPI_COMM_WORLD, last));                                                 \
  CALL(#f " rank=-1", f(a, 1, MPI_INT, -1, 0, MPI_COMM_WORLD, last));                                                  \
  CALL(#f " tag=-5", f(a, 1, MPI_INT, 0, -5, MPI_COMM_WORLD, last));                                                   \
  CALL(#f " count=-1", f(a, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, last));                                                 \
  CALL(#f " type=null", f(a, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, last));                                       \
  CALL(#f " type=raw", f(a, 1, raw, 0, 0, MPI_COMM_WORLD, last));                                                      \
  CALL(#f " buffer=0", f(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, last));                                               \
  CALL(#f " comm=null", f(a, 1, MPI_INT, 0, 0, MPI_COMM_NULL, last));                                                  \
  CALL(#f " rank=null type=null", f(a, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_WORLD, last))
  RECEIVES(Recv, &status);
  RECEIVES(Irecv, &request);
  RECEIVES(Recv_init, &request);
  CALL("Irecv request=0", Irecv(a, 1, MPI_INT, me, 0, MPI_COMM_WORLD, NULL));
  CALL("Recv_init request=0", Recv_init(a, 1, MPI_INT, me, 0, MPI_COMM_WORLD, NULL));
#define EXCHANGE(what, out, out_count, out_type, to, tag, in, in_count, in_type, from, in_tag, comm)                   \
  CALL("Sendrecv " what,                                                                                               \
       Sendrecv(out, out_count, out_type, to, tag, in, in_count, in_type, from, in_tag, comm, &status))
  EXCHANGE("to=size", a, 1, MPI_INT, n, 0, b, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("from=size", a, 1, MPI_INT, me, 0, b, 1, MPI_INT, n, 0, MPI_COMM_WORLD);
  EXCHANGE("to=-1", a, 1, MPI_INT, -1, 0, b, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("from=-1", a, 1, MPI_INT, me, 0, b, 1, MPI_INT, -1, 0, MPI_COMM_WORLD);
  EXCHANGE("tag=-5", a, 1, MPI_INT, me, -5, b, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("in tag=-5", a, 1, MPI_INT, me, 0, b, 1, MPI_INT, me, -5, MPI_COMM_WORLD);
  EXCHANGE("count=-1", a, -1, MPI_INT, me, 0, b, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("in count=-1", a, 1, MPI_INT, me, 0, b, -1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("type=null", a, 1, MPI_DATATYPE_NULL, me, 0, b, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("in type=null", a, 1, MPI_INT, me, 0, b, 1, MPI_DATATYPE_NULL, me, 0, MPI_COMM_WORLD);
  EXCHANGE("buffer=0", NULL, 1, MPI_INT, me, 0, b, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("in buffer=0", a, 1, MPI_INT, me, 0, NULL, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("same buffer", a, 1, MPI_INT, me, 0, a, 1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("comm=null", a, 1, MPI_INT, me, 0, b, 1, MPI_INT, me, 0, MPI_COMM_NULL);
  EXCHANGE("to=null in type=null", a, 1, MPI_INT, MPI_PROC_NULL, 0, b, 1, MPI_DATATYPE_NULL, me, 0, MPI_COMM_WORLD);
  EXCHANGE("long count=-1", a, -1, MPI_INT, me, 0, b, 9999, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("to=null from=size", a, 1, MPI_INT, MPI_PROC_NULL, 0, b, 1, MPI_INT, n, 0, MPI_COMM_WORLD);
  EXCHANGE("to=size from=null", a, 1, MPI_INT, n, 0, b, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  static int big[9000];
  EXCHANGE("long in count=-1", big, 9000, MPI_INT, me, 0, b, -1, MPI_INT, me, 0, MPI_COMM_WORLD);
  EXCHANGE("long from=size", big, 9000, MPI_INT, me, 0, b, 1, MPI_INT, n, 0, MPI_COMM_WORLD);
#define REPLACE(what, data, count, type, to, tag, from, in_tag, comm)                                                  \
  CALL("Sendrecv_replace " what, Sendrecv_replace(data, count, type, to, tag, from, in_tag, comm, &status))
  REPLACE("to=size", a, 1, MPI_INT, n, 0, me, 0, MPI_COMM_WORLD);
  REPLACE("from=size", a, 1, MPI_INT, me, 0, n, 0, MPI_COMM_WORLD);
  REPLACE("tag=-5", a, 1, MPI_INT, me, -5, me, 0, MPI_COMM_WORLD);
  REPLACE("in tag=-5", a, 1, MPI_INT, me, 0, me, -5, MPI_COMM_WORLD);
  REPLACE("count=-1", a, -1, MPI_INT, me, 0, me, 0, MPI_COMM_WORLD);
  REPLACE("type=null", a, 1, MPI_DATATYPE_NULL, me, 0, me, 0, MPI_COMM_WORLD);
  REPLACE("type=raw", a, 1, raw, me, 0, me, 0, MPI_COMM_WORLD);
  REPLACE("buffer=0", NULL, 1, MPI_INT, me, 0, me, 0, MPI_COMM_WORLD);
  REPLACE("comm=null", a, 1, MPI_INT, me, 0, me, 0, MPI_COMM_NULL);
  REPLACE("count=0 comm=null", a, 0, MPI_INT, me, 0, me, 0, MPI_COMM_NULL);
  CALL("Probe rank=size", Probe(n, 0, MPI_COMM_WORLD, &status));
  CALL("Probe rank=-1", Probe(-1, 0, MPI_COMM_WORLD, &status));
  CALL("Probe tag=-5", Probe(0, -5, MPI_COMM_WORLD, &status));
  CALL("Probe comm=null", Probe(0, 0, MPI_COMM_NULL, &status));
  CALL("Iprobe rank=size", Iprobe(n, 0, MPI_COMM_WORLD, &flag, &status));
  CALL("Iprobe tag=-5", Iprobe(0, -5, MPI_COMM_WORLD, &flag, &status));
  CALL("Iprobe comm=null", Iprobe(0, 0, MPI_COMM_NULL, &flag, &status));
  CALL("Iprobe flag=0", Iprobe(0, 0, MPI_COMM_WORLD, NULL, &status));
}

static void completion(void) {
  MPI_Request null[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  CALL("Wait request=0", Wait(NULL, &status));
  CALL("Wait request=null", Wait(&null[0], &status));
  CALL("Waitall count=-1", Waitall(-1, null, statuses));
  CALL("Waitall requests=0", Waitall(1, NULL, statuses));
  CALL("Waitany count=-1", Waitany(-1, null, &which, &status));
  CALL("Waitany index=0", Waitany(2, null, NULL, &status));
  CALL("Waitany requests=0", Waitany(1, NULL, &which, &status));
  CALL("Waitsome count=-1", Waitsome(-1, null, &done, indices, statuses));
  CALL("Waitsome done=0", Waitsome(2, null, NULL, indices, statuses));
  CALL("Waitsome requests=0", Waitsome(1, NULL, &done, indices, statuses));
  CALL("Test request=0", Test(NULL, &flag, &status));
  CALL("Test flag=0", Test(&null[0], NULL, &status));
  CALL("Testall count=-1", Testall(-1, null, &flag, statuses));
  CALL("Testall flag=0", Testall(2, null, NULL, statuses));
  CALL("Testall requests=0", Testall(1, NULL, &flag, statuses));
  CALL("Testany count=-1", Testany(-1, null, &which, &flag, &status));
  CALL("Testany flag=0", Testany(2, null, &which, NULL, &status));
  CALL("Testany index=0", Testany(2, null, NULL, &flag, &status));
  CALL("Testany requests=0", Testany(1, NULL, &which, &flag, &status));
  CALL("Testsome count=-1", Testsome(-1, null, &done, indices, statuses));
  CALL("Testsome done=0", Testsome(2, null, NULL, indices, statuses));
  CALL("Testsome requests=0", Testsome(1, NULL, &done, indices, statuses));
  CALL("Start request=0", Start(NULL));
  CALL("Start request=null", Start(&null[0]));
  CALL("Startall count=-1", Startall(-1, null));
  CALL("Startall requests=0", Startall(2, NULL));
  CALL("Startall request=null", Startall(2, null));
  CALL("Cancel request=0", Cancel(NULL));
  CALL("Cancel request=null", Cancel(&null[0]));
  CALL("Request_free request=0", Request_free(NULL));
  CALL("Request_free request=null", Request_free(&null[0]));
  CALL("Request_get_status flag=0", Request_get_status(MPI_REQUEST_NULL, NULL, &status));
}

/* One message more than the room for it. */
static void truncated(const char* name, int how, int room, int sent) {
  if (!wanted(name)) return;
  static int out[9000], in[9000];
  int next = (me + 1) % n, before = (me + n - 1) % n, code = -1;
  for (int i = 0; i < 9000; ++i) in[i] = -7;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  statuses[0].MPI_ERROR = statuses[1].MPI_ERROR = status.MPI_ERROR = MPI_SUCCESS;
  if (how != 0 && how != 9) MPI_Irecv(in, room, MPI_INT, before, 5, MPI_COMM_WORLD, &requests[0]);
  if (how != 9) MPI_Isend(out, sent, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[1]);
  flag = 0, done = 0;
  if (how == 0) code = MPI_Recv(in, room, MPI_INT, before, 5, MPI_COMM_WORLD, &status);
  if (how == 1) code = MPI_Wait(&requests[0], &status);
  if (how == 2) code = MPI_Waitall(2, requests, statuses);
  if (how == 3) code = MPI_Waitany(1, requests, &which, &status);
  if (how == 4) code = MPI_Waitsome(1, requests, &done, indices, statuses);
  for (int i = 0; i < 100000 && how > 4 && how < 9 && !flag && !done; ++i) {
    if (how == 5) code = MPI_Test(&requests[0], &flag, &status);
    if (how == 6) code = MPI_Testall(1, requests, &flag, statuses);
    if (how == 7) code = MPI_Testany(1, requests, &which, &flag, &status);
    if (how == 8) code = MPI_Testsome(1, requests, &done, indices, statuses);
  }
  if (how == 9) code = MPI_Sendrecv(out, sent, MPI_INT, next, 5, in, room, MPI_INT, before, 5, MPI_COMM_WORLD, &status);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  say(name, code);
  int intact = 1;
  for (int i = room; i < 9000; ++i) intact &= in[i] == -7;
  printf("%d| %s: beyond the buffer %s\n", me, name, intact ? "untouched" : "OVERWRITTEN");
  if (how == 2 || how == 4) printf("%d| %s: status %s\n", me, name, class_of(statuses[0].MPI_ERROR));
  MPI_Barrier(MPI_COMM_WORLD);
}

static void truncation(void) {
  static const char* const by[] = {"Recv", "Wait",    "Waitall", "Waitany",  "Waitsome",
                                   "Test", "Testall", "Testany", "Testsome", "Sendrecv"};
  for (int how = 0; how < 10; ++how) {
    char name[40];
    snprintf(name, sizeof name, "truncated %s", by[how]);
    truncated(name, how, 2, 3);
    snprintf(name, sizeof name, "truncated long %s", by[how]);
    truncated(name, how, 2000, 9000);
    snprintf(name, sizeof name, "truncated short %s", by[how]); /* NX/2 has two protocols, by size */
    truncated(name, how, 2, 9000);
    snprintf(name, sizeof name, "truncated limit %s", by[how]); /* 100 bytes: all that is short */
    truncated(name, how, 25, 26);
  }
}

static void rooted(void) {
#define BOTH(Name, name, what, ...)                                                                                    \
  CALL(#Name " " what, Name(__VA_ARGS__));                                                                             \
  CALL("I" #name " " what, I##name(__VA_ARGS__, &request))
#define W MPI_COMM_WORLD
#define NT MPI_DATATYPE_NULL
  BOTH(Barrier, barrier, "comm=null", MPI_COMM_NULL);
  BOTH(Bcast, bcast, "root=size", a, 1, MPI_INT, n, W);
  BOTH(Bcast, bcast, "root=-1", a, 1, MPI_INT, -1, W);
  BOTH(Bcast, bcast, "root=null", a, 1, MPI_INT, MPI_PROC_NULL, W);
  BOTH(Bcast, bcast, "count=-1", a, -1, MPI_INT, 0, W);
  BOTH(Bcast, bcast, "type=null", a, 1, NT, 0, W);
  BOTH(Bcast, bcast, "type=raw", a, 1, raw, 0, W);
  BOTH(Bcast, bcast, "buffer=0", NULL, 1, MPI_INT, 0, W);
  BOTH(Bcast, bcast, "comm=null", a, 1, MPI_INT, 0, MPI_COMM_NULL);
  BOTH(Reduce, reduce, "root=size", a, b, 1, MPI_INT, MPI_SUM, n, W);
  BOTH(Reduce, reduce, "root=-1", a, b, 1, MPI_INT, MPI_SUM, -1, W);
  BOTH(Reduce, reduce, "count=-1", a, b, -1, MPI_INT, MPI_SUM, 0, W);
  BOTH(Reduce, reduce, "type=null", a, b, 1, NT, MPI_SUM, 0, W);
  BOTH(Reduce, reduce, "op=null", a, b, 1, MPI_INT, MPI_OP_NULL, 0, W);
  BOTH(Reduce, reduce, "op on type", a, b, 1, MPI_DOUBLE, MPI_BAND, 0, W);
  BOTH(Reduce, reduce, "op on pair", a, b, 1, MPI_INT, MPI_MAXLOC, 0, W);
  BOTH(Reduce, reduce, "op=replace", a, b, 1, MPI_INT, MPI_REPLACE, 0, W);
  BOTH(Reduce, reduce, "buffer=0", NULL, b, 1, MPI_INT, MPI_SUM, 0, W);
  BOTH(Reduce, reduce, "same buffers", a, a, 1, MPI_INT, MPI_SUM, n, W);
  BOTH(Reduce, reduce, "comm=null", a, b, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_NULL);
  BOTH(Gather, gather, "root=size", a, 1, MPI_INT, b, 1, MPI_INT, n, W);
  BOTH(Gather, gather, "count=-1", a, -1, MPI_INT, b, 1, MPI_INT, 0, W);
  BOTH(Gather, gather, "type=null", a, 1, NT, b, 1, MPI_INT, 0, W);
  BOTH(Gather, gather, "buffer=0", NULL, 1, MPI_INT, b, 1, MPI_INT, 0, W);
  BOTH(Gather, gather, "comm=null", a, 1, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_NULL);
  BOTH(Gatherv, gatherv, "root=size", a, 1, MPI_INT, b, counts, at, MPI_INT, n, W);
  BOTH(Gatherv, gatherv, "count=-1", a, -1, MPI_INT, b, counts, at, MPI_INT, 0, W);
  BOTH(Gatherv, gatherv, "type=null", a, 1, NT, b, counts, at, MPI_INT, 0, W);
  BOTH(Gatherv, gatherv, "buffer=0", NULL, 1, MPI_INT, b, counts, at, MPI_INT, 0, W);
  BOTH(Gatherv, gatherv, "comm=null", a, 1, MPI_INT, b, counts, at, MPI_INT, 0, MPI_COMM_NULL);
  BOTH(Scatter, scatter, "root=size", a, 1, MPI_INT, b, 1, MPI_INT, n, W);
  BOTH(Scatter, scatter, "in count=-1", a, 1, MPI_INT, b, -1, MPI_INT, 0, W);
  BOTH(Scatter, scatter, "in type=null", a, 1, MPI_INT, b, 1, NT, 0, W);
  BOTH(Scatter, scatter, "in buffer=0", a, 1, MPI_INT, NULL, 1, MPI_INT, 0, W);
  BOTH(Scatter, scatter, "comm=null", a, 1, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_NULL);
  BOTH(Scatterv, scatterv, "root=size", a, counts, at, MPI_INT, b, 1, MPI_INT, n, W);
  BOTH(Scatterv, scatterv, "in count=-1", a, counts, at, MPI_INT, b, -1, MPI_INT, 0, W);
  BOTH(Scatterv, scatterv, "in type=null", a, counts, at, MPI_INT, b, 1, NT, 0, W);
  BOTH(Scatterv, scatterv, "in buffer=0", a, counts, at, MPI_INT, NULL, 1, MPI_INT, 0, W);
  BOTH(Scatterv, scatterv, "comm=null", a, counts, at, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_NULL);
}

/* In MPI_COMM_SELF every rank is the root, and what only the root gives is wrong on all of them. */
static void at_root(void) {
#define S MPI_COMM_SELF
  BOTH(Reduce, reduce, "result=0", a, NULL, 1, MPI_INT, MPI_SUM, 0, S);
  BOTH(Reduce, reduce, "result=in place", a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, 0, S);
  BOTH(Gather, gather, "in count=-1", a, 1, MPI_INT, b, -1, MPI_INT, 0, S);
  BOTH(Gather, gather, "in type=null", a, 1, MPI_INT, b, 1, NT, 0, S);
  BOTH(Gather, gather, "in buffer=0", a, 1, MPI_INT, NULL, 1, MPI_INT, 0, S);
  BOTH(Gather, gather, "in place", a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, S);
  BOTH(Gather, gather, "different sizes", a, 2, MPI_INT, b, 1, MPI_INT, 0, S);
  BOTH(Gather, gather, "type=null in place", MPI_IN_PLACE, 1, NT, b, 1, NT, 0, S);
  BOTH(Gatherv, gatherv, "counts=0", a, 1, MPI_INT, b, NULL, at, MPI_INT, 0, S);
  BOTH(Gatherv, gatherv, "at=0", a, 1, MPI_INT, b, counts, NULL, MPI_INT, 0, S);
  BOTH(Gatherv, gatherv, "counts=-1", a, 1, MPI_INT, b, minus, at, MPI_INT, 0, S);
  BOTH(Gatherv, gatherv, "in type=null", a, 1, MPI_INT, b, counts, at, NT, 0, S);
  BOTH(Gatherv, gatherv, "in buffer=0", a, 1, MPI_INT, NULL, counts, at, MPI_INT, 0, S);
  BOTH(Gatherv, gatherv, "in place", a, 1, MPI_INT, MPI_IN_PLACE, counts, at, MPI_INT, 0, S);
  BOTH(Scatter, scatter, "count=-1", a, -1, MPI_INT, b, 1, MPI_INT, 0, S);
  BOTH(Scatter, scatter, "type=null", a, 1, NT, b, 1, MPI_INT, 0, S);
  BOTH(Scatter, scatter, "buffer=0", NULL, 1, MPI_INT, b, 1, MPI_INT, 0, S);
  BOTH(Scatter, scatter, "out in place", MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, 0, S);
  BOTH(Scatter, scatter, "different sizes", a, 1, MPI_INT, b, 2, MPI_INT, 0, S);
  BOTH(Scatterv, scatterv, "counts=0", a, NULL, at, MPI_INT, b, 1, MPI_INT, 0, S);
  BOTH(Scatterv, scatterv, "at=0", a, counts, NULL, MPI_INT, b, 1, MPI_INT, 0, S);
  BOTH(Scatterv, scatterv, "counts=-1", a, minus, at, MPI_INT, b, 1, MPI_INT, 0, S);
  BOTH(Scatterv, scatterv, "type=null", a, counts, at, NT, b, 1, MPI_INT, 0, S);
  BOTH(Scatterv, scatterv, "buffer=0", NULL, counts, at, MPI_INT, b, 1, MPI_INT, 0, S);
  BOTH(Scatterv, scatterv, "out in place", MPI_IN_PLACE, counts, at, MPI_INT, b, 1, MPI_INT, 0, S);
  /* Not the root. */
  if (me != 0) {
    BOTH(Gather, gather, "elsewhere in place", MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, 0, W);
    BOTH(Gatherv, gatherv, "elsewhere in place", MPI_IN_PLACE, 1, MPI_INT, b, counts, at, MPI_INT, 0, W);
    BOTH(Scatter, scatter, "elsewhere in place", a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, W);
    BOTH(Scatterv, scatterv, "elsewhere in place", a, counts, at, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, W);
  }
}

#define COMBINES(Name, name)                                                                                           \
  BOTH(Name, name, "count=-1", a, b, -1, MPI_INT, MPI_SUM, W);                                                         \
  BOTH(Name, name, "type=null", a, b, 1, NT, MPI_SUM, W);                                                              \
  BOTH(Name, name, "type=raw", a, b, 1, raw, MPI_SUM, W);                                                              \
  BOTH(Name, name, "op=null", a, b, 1, MPI_INT, MPI_OP_NULL, W);                                                       \
  BOTH(Name, name, "op on type", a, b, 1, MPI_DOUBLE, MPI_BAND, W);                                                    \
  BOTH(Name, name, "op on logical", a, b, 1, MPI_FLOAT, MPI_LAND, W);                                                  \
  BOTH(Name, name, "op on pair", a, b, 1, MPI_INT, MPI_MAXLOC, W);                                                     \
  BOTH(Name, name, "op on derived", a, b, 1, types[1], MPI_SUM, W);                                                    \
  BOTH(Name, name, "op=replace", a, b, 1, MPI_INT, MPI_REPLACE, W);                                                    \
  BOTH(Name, name, "op=no op", a, b, 1, MPI_INT, MPI_NO_OP, W);                                                        \
  BOTH(Name, name, "buffer=0", NULL, b, 1, MPI_INT, MPI_SUM, W);                                                       \
  BOTH(Name, name, "result=0", a, NULL, 1, MPI_INT, MPI_SUM, W);                                                       \
  BOTH(Name, name, "result=in place", a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, W);                                        \
  BOTH(Name, name, "comm=null", a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL)
static void to_all(void) {
  COMBINES(Allreduce, allreduce);
  COMBINES(Scan, scan);
  COMBINES(Exscan, exscan);
  COMBINES(Reduce_scatter_block, reduce_scatter_block);
  BOTH(Reduce_scatter, reduce_scatter, "counts=0", a, b, NULL, MPI_INT, MPI_SUM, W);
  BOTH(Reduce_scatter, reduce_scatter, "counts=-1", a, b, minus, MPI_INT, MPI_SUM, W);
  BOTH(Reduce_scatter, reduce_scatter, "a count=-1", a, b, negative, MPI_INT, MPI_SUM, W);
  BOTH(Reduce_scatter, reduce_scatter, "type=null", a, b, counts, NT, MPI_SUM, W);
  BOTH(Reduce_scatter, reduce_scatter, "op=null", a, b, counts, MPI_INT, MPI_OP_NULL, W);
  BOTH(Reduce_scatter, reduce_scatter, "op on type", a, b, counts, MPI_DOUBLE, MPI_BAND, W);
  BOTH(Reduce_scatter, reduce_scatter, "buffer=0", NULL, b, counts, MPI_INT, MPI_SUM, W);
  BOTH(Reduce_scatter, reduce_scatter, "result=0", a, NULL, counts, MPI_INT, MPI_SUM, W);
  BOTH(Reduce_scatter, reduce_scatter, "result=in place", a, MPI_IN_PLACE, counts, MPI_INT, MPI_SUM, W);
  BOTH(Reduce_scatter, reduce_scatter, "comm=null", a, b, counts, MPI_INT, MPI_SUM, MPI_COMM_NULL);
  CALL("Reduce_local count=-1", Reduce_local(a, b, -1, MPI_INT, MPI_SUM));
  CALL("Reduce_local type=null", Reduce_local(a, b, 1, NT, MPI_SUM));
  CALL("Reduce_local op=null", Reduce_local(a, b, 1, MPI_INT, MPI_OP_NULL));
  CALL("Reduce_local op on type", Reduce_local(a, b, 1, MPI_DOUBLE, MPI_BAND));
  CALL("Reduce_local buffer=0", Reduce_local(NULL, b, 1, MPI_INT, MPI_SUM));
#define EACH(Name, name)                                                                                               \
  BOTH(Name, name, "count=-1", a, -1, MPI_INT, b, 1, MPI_INT, W);                                                      \
  BOTH(Name, name, "in count=-1", a, 1, MPI_INT, b, -1, MPI_INT, W);                                                   \
  BOTH(Name, name, "type=null", a, 1, NT, b, 1, MPI_INT, W);                                                           \
  BOTH(Name, name, "in type=null", a, 1, MPI_INT, b, 1, NT, W);                                                        \
  BOTH(Name, name, "type=raw", a, 1, raw, b, 1, MPI_INT, W);                                                           \
  BOTH(Name, name, "buffer=0", NULL, 1, MPI_INT, b, 1, MPI_INT, W);                                                    \
  BOTH(Name, name, "in buffer=0", a, 1, MPI_INT, NULL, 1, MPI_INT, W);                                                 \
  BOTH(Name, name, "in place", a, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_INT, W);                                            \
  BOTH(Name, name, "different sizes", a, 2, MPI_INT, b, 1, MPI_INT, W);                                                \
  BOTH(Name, name, "fewer", a, 1, MPI_INT, b, 2, MPI_INT, W);                                                          \
  BOTH(Name, name, "comm=null", a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_NULL)
  EACH(Allgather, allgather);
  EACH(Alltoall, alltoall);
  BOTH(Allgatherv, allgatherv, "count=-1", a, -1, MPI_INT, b, counts, at, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "counts=0", a, 1, MPI_INT, b, NULL, at, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "at=0", a, 1, MPI_INT, b, counts, NULL, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "counts=-1", a, 1, MPI_INT, b, minus, at, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "a count=-1", a, 1, MPI_INT, b, negative, at, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "type=null", a, 1, NT, b, counts, at, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "in type=null", a, 1, MPI_INT, b, counts, at, NT, W);
  BOTH(Allgatherv, allgatherv, "buffer=0", NULL, 1, MPI_INT, b, counts, at, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "in buffer=0", a, 1, MPI_INT, NULL, counts, at, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "in place", a, 1, MPI_INT, MPI_IN_PLACE, counts, at, MPI_INT, W);
  BOTH(Allgatherv, allgatherv, "comm=null", a, 1, MPI_INT, b, counts, at, MPI_INT, MPI_COMM_NULL);
#define ALL_V(what, ...) BOTH(Alltoallv, alltoallv, what, __VA_ARGS__)
  ALL_V("counts=0", a, NULL, at, MPI_INT, b, counts, at, MPI_INT, W);
  ALL_V("at=0", a, counts, NULL, MPI_INT, b, counts, at, MPI_INT, W);
  ALL_V("in counts=0", a, counts, at, MPI_INT, b, NULL, at, MPI_INT, W);
  ALL_V("in at=0", a, counts, at, MPI_INT, b, counts, NULL, MPI_INT, W);
  ALL_V("counts=-1", a, minus, at, MPI_INT, b, counts, at, MPI_INT, W);
  ALL_V("in counts=-1", a, counts, at, MPI_INT, b, minus, at, MPI_INT, W);
  ALL_V("a count=-1", a, negative, at, MPI_INT, b, counts, at, MPI_INT, W);
  ALL_V("type=null", a, counts, at, NT, b, counts, at, MPI_INT, W);
  ALL_V("in type=null", a, counts, at, MPI_INT, b, counts, at, NT, W);
  ALL_V("buffer=0", NULL, counts, at, MPI_INT, b, counts, at, MPI_INT, W);
  ALL_V("in buffer=0", a, counts, at, MPI_INT, NULL, counts, at, MPI_INT, W);
  ALL_V("comm=null", a, counts, at, MPI_INT, b, counts, at, MPI_INT, MPI_COMM_NULL);
#define ALL_W(what, ...) BOTH(Alltoallw, alltoallw, what, __VA_ARGS__)
  ALL_W("counts=0", a, NULL, at, types, b, counts, at, types, W);
  ALL_W("at=0", a, counts, NULL, types, b, counts, at, types, W);
  ALL_W("types=0", a, counts, at, NULL, b, counts, at, types, W);
  ALL_W("in counts=0", a, counts, at, types, b, NULL, at, types, W);
  ALL_W("in at=0", a, counts, at, types, b, counts, NULL, types, W);
  ALL_W("in types=0", a, counts, at, types, b, counts, at, NULL, W);
  ALL_W("counts=-1", a, minus, at, types, b, counts, at, types, W);
  ALL_W("a type=null", a, counts, at, null_types, b, counts, at, types, W);
  ALL_W("an in type=null", a, counts, at, types, b, counts, at, null_types, W);
  ALL_W("buffer=0", NULL, counts, at, types, b, counts, at, types, W);
  ALL_W("comm=null", a, counts, at, types, b, counts, at, types, MPI_COMM_NULL);
  CALL("Ibarrier request=0", Ibarrier(W, NULL));
  CALL("Ibcast request=0", Ibcast(a, 1, MPI_INT, 0, W, NULL));
  CALL("Iallreduce request=0", Iallreduce(a, b, 1, MPI_INT, MPI_SUM, W, NULL));
}

static void communicators(void) {
  int dims[2] = {n, 1}, too_many[2] = {n, 2}, none[2] = {-1, 1}, periods[2] = {0, 0}, rank, size;
  MPI_Comm nobody = MPI_COMM_NULL, ring;
  MPI_Group group, no_group = MPI_GROUP_NULL;
  int twice[2] = {0, 0}, outside[2] = {0, 99}, range[1][3] = {{0, 99, 1}}, stands[1][3] = {{0, 1, 0}};
  MPI_Comm_group(W, &group);
  MPI_Cart_create(W, 2, dims, periods, 0, &ring);
  CALL("Comm_size comm=null", Comm_size(MPI_COMM_NULL, &size));
  CALL("Comm_size size=0", Comm_size(W, NULL));
  CALL("Comm_rank comm=null", Comm_rank(MPI_COMM_NULL, &rank));
  CALL("Comm_rank rank=0", Comm_rank(W, NULL));
  CALL("Comm_group comm=null", Comm_group(MPI_COMM_NULL, &no_group));
  CALL("Comm_group group=0", Comm_group(W, NULL));
  CALL("Comm_compare comm=null", Comm_compare(W, MPI_COMM_NULL, &flag));
  CALL("Comm_compare first=null", Comm_compare(MPI_COMM_NULL, W, &flag));
  CALL("Comm_compare result=0", Comm_compare(W, W, NULL));
  CALL("Comm_dup comm=null", Comm_dup(MPI_COMM_NULL, &made));
  CALL("Comm_dup made=0", Comm_dup(W, NULL));
  CALL("Comm_dup_with_info comm=null", Comm_dup_with_info(MPI_COMM_NULL, MPI_INFO_NULL, &made));

  CALL("Comm_split comm=null", Comm_split(MPI_COMM_NULL, 0, 0, &made));
  CALL("Comm_split made=0", Comm_split(W, 0, 0, NULL));
  CALL("Comm_split color=-5", Comm_split(MPI_COMM_SELF, -5, 0, &made));
  CALL("Comm_split_type comm=null", Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made));
  CALL("Comm_split_type kind", Comm_split_type(W, 77, 0, MPI_INFO_NULL, &made));
  CALL("Comm_create comm=null", Comm_create(MPI_COMM_NULL, group, &made));
  CALL("Comm_create group=null", Comm_create(W, MPI_GROUP_NULL, &made));
  CALL("Comm_create made=0", Comm_create(W, group, NULL));
  CALL("Comm_create_group comm=null", Comm_create_group(MPI_COMM_NULL, group, 0, &made));
  CALL("Comm_create_group group=null", Comm_create_group(W, MPI_GROUP_NULL, 0, &made));
  CALL("Comm_free comm=0", Comm_free(NULL));
  CALL("Comm_free comm=null", Comm_free(&nobody));
  CALL("Comm_disconnect comm=0", Comm_disconnect(NULL));
  CALL("Comm_disconnect comm=null", Comm_disconnect(&nobody));
  CALL("Group_size group=null", Group_size(MPI_GROUP_NULL, &size));
  CALL("Group_size size=0", Group_size(group, NULL));
  CALL("Group_rank group=null", Group_rank(MPI_GROUP_NULL, &rank));
  CALL("Group_translate_ranks group=null", Group_translate_ranks(MPI_GROUP_NULL, 1, counts, group, indices));
  CALL("Group_translate_ranks outside", Group_translate_ranks(group, 2, outside, group, indices));
  CALL("Group_compare group=null", Group_compare(group, MPI_GROUP_NULL, &flag));
  CALL("Group_union group=null", Group_union(group, MPI_GROUP_NULL, &no_group));
  CALL("Group_intersection group=null", Group_intersection(group, MPI_GROUP_NULL, &no_group));
  CALL("Group_difference group=null", Group_difference(group, MPI_GROUP_NULL, &no_group));
  CALL("Group_incl group=null", Group_incl(MPI_GROUP_NULL, 1, counts, &no_group));
  CALL("Group_incl outside", Group_incl(group, 2, outside, &no_group));
  CALL("Group_incl twice", Group_incl(group, 2, twice, &no_group));
  CALL("Group_incl made=0", Group_incl(group, 1, at, NULL));
  CALL("Group_excl outside", Group_excl(group, 2, outside, &no_group));
  CALL("Group_excl group=null", Group_excl(MPI_GROUP_NULL, 1, counts, &no_group));
  CALL("Group_range_incl outside", Group_range_incl(group, 1, range, &no_group));
  CALL("Group_range_incl stride=0", Group_range_incl(group, 1, stands, &no_group));
  CALL("Group_range_incl group=null", Group_range_incl(MPI_GROUP_NULL, 1, range, &no_group));
  CALL("Group_range_excl outside", Group_range_excl(group, 1, range, &no_group));
  CALL("Group_free group=0", Group_free(NULL));
  no_group = MPI_GROUP_NULL;
  CALL("Group_free group=null", Group_free(&no_group));
  CALL("Cart_create comm=null", Cart_create(MPI_COMM_NULL, 2, dims, periods, 0, &made));
  CALL("Cart_create too many", Cart_create(W, 2, too_many, periods, 0, &made));
  CALL("Cart_create none", Cart_create(W, 2, none, periods, 0, &made));
  CALL("Cart_create n=-1", Cart_create(W, -1, dims, periods, 0, &made));
  CALL("Cart_create dims=0", Cart_create(W, 2, NULL, periods, 0, &made));
  CALL("Cart_create made=0", Cart_create(W, 2, dims, periods, 0, NULL));
  CALL("Cart_sub comm=null", Cart_sub(MPI_COMM_NULL, dims, &made));
  CALL("Cart_sub no grid", Cart_sub(W, dims, &made));
  CALL("Cart_coords no grid", Cart_coords(W, 0, 2, indices));
  CALL("Cart_coords rank=99", Cart_coords(ring, 99, 2, indices));
  CALL("Cart_coords n=-1", Cart_coords(ring, 0, -1, indices));
  CALL("Cart_coords coords=0", Cart_coords(ring, 0, 2, NULL));
  CALL("Cart_get no grid", Cart_get(W, 2, dims, periods, indices));
  CALL("Cart_get comm=null", Cart_get(MPI_COMM_NULL, 2, dims, periods, indices));
  CALL("Cart_rank no grid", Cart_rank(W, indices, &rank));
  CALL("Cart_rank outside", Cart_rank(ring, outside, &rank));
  CALL("Cart_shift no grid", Cart_shift(W, 0, 1, &rank, &size));
  CALL("Cart_shift direction=9", Cart_shift(ring, 9, 1, &rank, &size));
  CALL("Cart_shift direction=-1", Cart_shift(ring, -1, 1, &rank, &size));
  CALL("Cartdim_get no grid", Cartdim_get(W, &size));
  CALL("Cartdim_get comm=null", Cartdim_get(MPI_COMM_NULL, &size));
  dims[0] = 0, dims[1] = -1;
  CALL("Dims_create dims=-1", Dims_create(6, 2, dims));
  dims[0] = 4, dims[1] = 0;
  CALL("Dims_create no factor", Dims_create(6, 2, dims));
  CALL("Dims_create n=-1", Dims_create(6, -1, dims));
  CALL("Dims_create nodes=0", Dims_create(0, 2, dims));
  MPI_Comm_free(&ring);
  MPI_Group_free(&group);
}

static void windows(void) {
  MPI_Win win, none = MPI_WIN_NULL;
  void* base;
  CALL("Win_create comm=null", Win_create(a, sizeof a, 4, MPI_INFO_NULL, MPI_COMM_NULL, &none));
  CALL("Win_create size=-1", Win_create(a, -1, 4, MPI_INFO_NULL, W, &none));
  CALL("Win_create base=0", Win_create(NULL, 4, 4, MPI_INFO_NULL, W, &none));
  CALL("Win_create unit=0", Win_create(a, 4, 0, MPI_INFO_NULL, W, &none));
  CALL("Win_allocate comm=null", Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_NULL, &base, &none));
  CALL("Win_allocate size=-1", Win_allocate(-1, 4, MPI_INFO_NULL, W, &base, &none));
  none = MPI_WIN_NULL;
  CALL("Win_free win=0", Win_free(NULL));
  CALL("Win_free win=null", Win_free(&none));
  CALL("Win_fence win=null", Win_fence(0, MPI_WIN_NULL));
  CALL("Win_post win=null", Win_post(MPI_GROUP_NULL, 0, MPI_WIN_NULL));
  CALL("Win_start win=null", Win_start(MPI_GROUP_NULL, 0, MPI_WIN_NULL));
  CALL("Win_complete win=null", Win_complete(MPI_WIN_NULL));
  CALL("Win_wait win=null", Win_wait(MPI_WIN_NULL));
  CALL("Win_lock win=null", Win_lock(MPI_LOCK_SHARED, 0, 0, MPI_WIN_NULL));
  CALL("Win_unlock win=null", Win_unlock(0, MPI_WIN_NULL));
  CALL("Win_lock_all win=null", Win_lock_all(0, MPI_WIN_NULL));
  CALL("Win_unlock_all win=null", Win_unlock_all(MPI_WIN_NULL));
  CALL("Win_flush win=null", Win_flush(0, MPI_WIN_NULL));
  CALL("Win_flush_all win=null", Win_flush_all(MPI_WIN_NULL));
  MPI_Win_create(a, sizeof a, 4, MPI_INFO_NULL, W, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  CALL("Win_lock kind", Win_lock(77, 0, 0, win));
  CALL("Win_lock rank=-1", Win_lock(MPI_LOCK_SHARED, -1, 0, win));
  CALL("Win_lock rank=99", Win_lock(MPI_LOCK_SHARED, 99, 0, win));
  CALL("Win_flush rank=99", Win_flush(99, win));
  CALL("Win_unlock rank=99", Win_unlock(99, win));
  CALL("Win_start group=null", Win_start(MPI_GROUP_NULL, 0, win));
  CALL("Win_post group=null", Win_post(MPI_GROUP_NULL, 0, win));
  CALL("Put no epoch", Put(b, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
  MPI_Win_fence(0, win);
#define ONE(f, g)                                                                                                      \
  CALL(#f " win=null", f(b, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL));                                              \
  CALL(#f " rank=99", f(b, 1, MPI_INT, 99, 0, 1, MPI_INT, win));                                                       \
  CALL(#f " rank=-1", f(b, 1, MPI_INT, -1, 0, 1, MPI_INT, win));                                                       \
  CALL(#f " count=-1", f(b, -1, MPI_INT, 0, 0, 1, MPI_INT, win));                                                      \
  CALL(#f " type=null", f(b, 1, NT, 0, 0, 1, MPI_INT, win));                                                           \
  CALL(#f " at=-1", f(b, 1, MPI_INT, 0, -1, 1, MPI_INT, win));                                                         \
  CALL(#f " buffer=0", f(NULL, 1, MPI_INT, 0, 0, 1, MPI_INT, win));                                                    \
  CALL(#g " rank=99", g(b, 1, MPI_INT, 99, 0, 1, MPI_INT, win, &request));                                             \
  CALL(#g " count=-1", g(b, -1, MPI_INT, 0, 0, 1, MPI_INT, win, &request))
  ONE(Put, Rput);
  ONE(Get, Rget);
  CALL("Accumulate op=null", Accumulate(b, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win));
  CALL("Accumulate rank=99", Accumulate(b, 1, MPI_INT, 99, 0, 1, MPI_INT, MPI_SUM, win));
  CALL("Accumulate type=null", Accumulate(b, 1, NT, 0, 0, 1, MPI_INT, MPI_SUM, win));
  CALL("Accumulate win=null", Accumulate(b, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, MPI_WIN_NULL));
  CALL("Raccumulate op=null", Raccumulate(b, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win, &request));
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
}

/* Functions that hypermon does not know: SMPI's own. */
static void others(void) {
  MPI_Datatype type;
  MPI_Aint extent;
  int size;
  char text[200];
  CALL("Type_size type=null", Type_size(NT, &size));
  CALL("Type_extent type=null", Type_extent(NT, &extent));
  CALL("Type_contiguous count=-1", Type_contiguous(-1, MPI_INT, &type));
  CALL("Type_contiguous type=null", Type_contiguous(1, NT, &type));
  CALL("Type_vector count=-1", Type_vector(-1, 1, 1, MPI_INT, &type));
  type = MPI_DATATYPE_NULL;
  CALL("Type_commit type=null", Type_commit(&type));
  CALL("Type_free type=null", Type_free(&type));
  CALL("Get_count type=null", Get_count(&status, NT, &size));
  CALL("Pack_size count=-1", Pack_size(-1, MPI_INT, W, &size));
  CALL("Op_create f=0", Op_create(NULL, 1, NULL));
  CALL("Comm_get_name comm=null", Comm_get_name(MPI_COMM_NULL, text, &size));
  CALL("Comm_get_attr comm=null", Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &extent, &flag));
  CALL("Comm_set_errhandler comm=null", Comm_set_errhandler(MPI_COMM_NULL, MPI_ERRORS_RETURN));
  CALL("Comm_set_errhandler handler=null", Comm_set_errhandler(W, MPI_ERRHANDLER_NULL));
  CALL("Comm_call_errhandler comm=null", Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_OTHER));
  CALL("Win_set_errhandler win=null", Win_set_errhandler(MPI_WIN_NULL, MPI_ERRORS_RETURN));
  CALL("Error_string code=9999", Error_string(9999, text, &size));
  CALL("Error_string text=0", Error_string(MPI_ERR_RANK, NULL, &size));
  CALL("Is_thread_main flag=0", Is_thread_main(NULL));
  CALL("Query_thread provided=0", Query_thread(NULL));
}

int main(int argc, char** argv) {
  arguments = argc;
  names = argv;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(2, MPI_INT, &raw);
  for (int i = 0; i < 8; ++i) types[i] = MPI_INT, null_types[i] = i == 1 ? MPI_DATATYPE_NULL : MPI_INT;
  MPI_Type_contiguous(2, MPI_INT, &types[1]);
  MPI_Type_commit(&types[1]);
  point_to_point();
  completion();
  truncation();
  rooted();
  at_root();
  to_all();
  communicators();
  windows();
  others();
  MPI_Type_free(&raw);
  printf("%d| %d calls\n", me, said);
  MPI_Finalize();
  return 0;
}
