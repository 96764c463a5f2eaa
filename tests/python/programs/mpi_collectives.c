/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what global operations and communicators give. Every line must be the same under any MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me;
#define printf(...) (printf("%d| ", me), printf(__VA_ARGS__)) /* every line says whose it is */

static void row(const char* what, const int* values, int count) {
  char line[2000] = "";
  for (int i = 0, at = 0; i < count; ++i) at += snprintf(line + at, sizeof line - at, " %d", values[i]);
  printf("%s:%s\n", what, line);
}

/* Affine maps x -> a x + b under composition: associative, not commutative. */
static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  int(*f)[2] = in, (*g)[2] = inout;
  for (int i = 0; i < *count; ++i) {
    int a = f[i][0] * g[i][0] % 9973, b = (f[i][0] * g[i][1] + f[i][1]) % 9973;
    g[i][0] = a, g[i][1] = b;
  }
}

/* What SMPI 3.32 gets wrong itself is checked here, against what it must be. */
static void must_be(const char* what, const int got[2], const int expected[2]) {
  printf("own: %s %s\n", what, got[0] == expected[0] && got[1] == expected[1] ? "right" : "WRONG");
}

static void all(MPI_Comm comm, int n) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int* out = malloc(sizeof(int) * (n * size + size * size));
  int* in = malloc(sizeof(int) * (n * size + size * size));
  int* counts = malloc(sizeof(int) * size);
  int* at = malloc(sizeof(int) * size);
  for (int root = 0; root < size; root += (size > 1 ? size - 1 : 1)) {
    for (int i = 0; i < n; ++i) out[i] = rank == root ? 7 * i + root : -1;
    MPI_Bcast(out, n, MPI_INT, root, comm);
    row("bcast", out + n - 1, 1);
    for (int i = 0; i < n; ++i) out[i] = rank + i;
    MPI_Reduce(out, in, n, MPI_INT, MPI_SUM, root, comm);
    if (rank == root) row("reduce", in, n < 5 ? n : 5);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : out, out, n, MPI_INT, MPI_MAX, root, comm);
    if (rank == root) row("reduce in place", out, n < 5 ? n : 5);
    for (int i = 0; i < n; ++i) out[i] = 10 * rank + i;
    MPI_Gather(out, n, MPI_INT, in, n, MPI_INT, root, comm);
    if (rank == root) row("gather", in, n * size < 20 ? n * size : 20);
    if (rank == root)
      for (int i = 0; i < n * size; ++i) out[i] = 3 * i;
    MPI_Scatter(out, n, MPI_INT, in, n, MPI_INT, root, comm);
    row("scatter", in, n < 5 ? n : 5);
    /* rank r has r + 1 elements, with holes between the blocks */
    for (int r = 0, next = 0; r < size; next += ++r + 1) counts[r] = r + 1, at[r] = next;
    for (int i = 0; i <= rank; ++i) out[i] = 100 * rank + i;
    for (int i = 0; i < n * size + size * size; ++i) in[i] = -9;
    MPI_Gatherv(out, rank + 1, MPI_INT, in, counts, at, MPI_INT, root, comm);
    if (rank == root) row("gatherv", in, at[size - 1] + size);
    for (int i = 0; i < n * size + size * size; ++i) out[i] = 1000 + i;
    MPI_Scatterv(out, counts, at, MPI_INT, in, rank + 1, MPI_INT, root, comm);
    row("scatterv", in, rank + 1);
  }
  for (int i = 0; i < n * size; ++i) out[i] = 10 * rank + i;
  MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, comm);
  row("allreduce", in, n < 5 ? n : 5);
  MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_INT, MPI_BXOR, comm);
  row("allreduce in place", in, n < 5 ? n : 5);
  MPI_Allgather(out, n, MPI_INT, in, n, MPI_INT, comm);
  row("allgather", in, n * size < 20 ? n * size : 20);
  for (int i = 0; i < n; ++i) in[n * rank + i] = -rank - i;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, in, n, MPI_INT, comm);
  row("allgather in place", in, n * size < 20 ? n * size : 20);
  for (int i = 0; i < n * size + size * size; ++i) in[i] = -9;
  MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, at, MPI_INT, comm);
  row("allgatherv", in, at[size - 1] + size);
  MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, comm);
  row("alltoall", in, n * size < 20 ? n * size : 20);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, in, n, MPI_INT, comm);
  row("alltoall in place", in, n * size < 20 ? n * size : 20);
  /* rank s sends (s + r) % 3 elements to r */
  int* in_counts = malloc(sizeof(int) * size);
  int* in_at = malloc(sizeof(int) * size);
  MPI_Datatype* types = malloc(sizeof(MPI_Datatype) * size);
  for (int r = 0; r < size; ++r) {
    counts[r] = in_counts[r] = (rank + r) % 3;
    at[r] = in_at[r] = 3 * r;
    types[r] = MPI_INT;
  }
  for (int i = 0; i < 3 * size; ++i) in[i] = -9;
  int* more = malloc(sizeof(int) * 3 * size);
  for (int i = 0; i < 3 * size; ++i) more[i] = 50 * rank + i;
  int* got = malloc(sizeof(int) * 3 * size);
  for (int i = 0; i < 3 * size; ++i) got[i] = -9;
  MPI_Alltoallv(more, counts, at, MPI_INT, got, in_counts, in_at, MPI_INT, comm);
  row("alltoallv", got, 3 * size);
  for (int r = 0; r < size; ++r) at[r] *= sizeof(int), in_at[r] *= sizeof(int);
  MPI_Alltoallw(more, counts, at, types, got, in_counts, in_at, types, comm);
  row("alltoallw", got, 3 * size);
  MPI_Scan(out, in, n, MPI_INT, MPI_SUM, comm);
  row("scan", in, n < 5 ? n : 5);
  MPI_Exscan(out, in, n, MPI_INT, MPI_SUM, comm);
  if (rank > 0) row("exscan", in, n < 5 ? n : 5);
  MPI_Reduce_scatter_block(out, in, n, MPI_INT, MPI_SUM, comm);
  row("reduce_scatter_block", in, n < 5 ? n : 5);
  for (int r = 0; r < size; ++r) counts[r] = r % 2 + 1;
  for (int i = 0; i < n * size + size * size; ++i) out[i] = 10 * rank + i;
  MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, comm);
  row("reduce_scatter", in, rank % 2 + 1);

  MPI_Op op;
  MPI_Datatype map;
  MPI_Type_contiguous(2, MPI_INT, &map);
  MPI_Type_commit(&map);
  MPI_Op_create(compose, 0, &op);
  int f[2] = {rank + 2, 3 * rank + 1}, g[2] = {0, 0};
  MPI_Allreduce(f, g, 1, map, op, comm);
  row("composed", g, 2);
  g[0] = g[1] = 0;
  MPI_Reduce(f, g, 1, map, op, size - 1, comm);
  if (rank == size - 1) row("composed at the last", g, 2);
  int before[2] = {1, 0}, so_far[2] = {1, 0}, one = 1; /* the identity */
  for (int r = 0; r <= rank; ++r) {
    int next[2] = {r + 2, 3 * r + 1};
    before[0] = so_far[0], before[1] = so_far[1];
    compose(so_far, next, &one, &map);
    so_far[0] = next[0], so_far[1] = next[1];
  }
  MPI_Scan(f, g, 1, map, op, comm);
  must_be("composed so far", g, so_far);
  MPI_Exscan(f, g, 1, map, op, comm);
  if (rank > 0) must_be("composed before", g, before);
  MPI_Op_free(&op);
  MPI_Type_free(&map);

  /* every other int of a buffer: what is between stays */
  MPI_Datatype sparse;
  MPI_Type_vector(3, 1, 2, MPI_INT, &sparse);
  MPI_Type_commit(&sparse);
  int holes[6] = {rank, -1, rank + 1, -2, rank + 2, -3};
  MPI_Bcast(holes, 1, sparse, size - 1, comm);
  row("bcast with holes", holes, 6);
  MPI_Type_free(&sparse);

  MPI_Request requests[3];
  int mine = rank + 1, sum = 0, first = rank == 0 ? 42 : 0;
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
  MPI_Ibcast(&first, 1, MPI_INT, 0, comm, &requests[1]);
  MPI_Ibarrier(comm, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  printf("nonblocking: %d %d\n", sum, first);
  MPI_Barrier(comm);
  free(out), free(in), free(counts), free(at), free(in_counts), free(in_at), free(types), free(more), free(got);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  me = rank;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  all(MPI_COMM_WORLD, 2);
  all(MPI_COMM_WORLD, 60);
  all(MPI_COMM_SELF, 2);
  MPI_Comm parts, grid, line, some;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 3, -rank, &parts); /* 3 ranks, and 5 of 8: no power of two */
  all(parts, 3);
  int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], from, to, kept[2] = {0, 1};
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, coords);
  for (int d = 0; d < 2; ++d) {
    MPI_Cart_shift(grid, d, 1, &from, &to);
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE);
    printf("grid %d %d: got %d\n", coords[0], coords[1], got);
  }
  MPI_Cart_sub(grid, kept, &line);
  all(line, 1);
  MPI_Group world, odd;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int range[1][3] = {{size - 1, 0, -1}};
  MPI_Group_range_incl(world, 1, range, &odd);
  MPI_Comm_create(MPI_COMM_WORLD, odd, &some);
  all(some, 1);
  int compared;
  MPI_Comm_compare(some, MPI_COMM_WORLD, &compared);
  printf("compared: %d\n", compared == (size > 1 ? MPI_SIMILAR : MPI_CONGRUENT));
  MPI_Group_free(&world);
  MPI_Group_free(&odd);
  MPI_Comm undefined;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &undefined);
  printf("not in it: %d\n", undefined == MPI_COMM_NULL);
  if (undefined != MPI_COMM_NULL) MPI_Comm_free(&undefined);
  MPI_Comm_free(&some), MPI_Comm_free(&line), MPI_Comm_free(&grid), MPI_Comm_free(&parts);
  MPI_Finalize();
  return 0;
}
