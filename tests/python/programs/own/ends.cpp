// SPDX-License-Identifier: BSD-3-Clause
// Writes in every way, then ends as its argument says: tests/python/test_program.py.
#include "ends.h"
#include <mpi.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hypermon.h>
#include <iostream>
#include <stdexcept>
#include <unistd.h>

static int counter = 0; // every rank has its own
volatile int zero = 0;
static int deep(int n) {
  volatile char big[4096];
  big[0] = static_cast<char>(n);
  return n == 0 ? 0 : deep(n + 1) + big[0];
}
__attribute__((noinline)) static void crash_here(volatile int* p) { *p = 1; }

static void write_in_every_way(int rank) {
  std::printf("printf %d\n", ++counter);
  std::puts("puts");
  std::putchar('p');
  std::putchar('\n');
  std::fputs("fputs\n", stdout);
  std::fputc('f', stdout);
  putc('\n', stdout);
  putc_unlocked('u', stdout);
  putchar_unlocked('\n');
  std::fwrite("fwrite\n", 1, 7, stdout);
  std::fflush(stdout);
  std::fprintf(stderr, "to stderr %d\n", rank);
  if (write(1, "write\n", 6) != 6) std::abort();
  std::cout << "cout " << rank << std::endl;
  std::cerr << "cerr " << rank << "\n";
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string how = argc > 1 ? argv[1] : "";
  write_in_every_way(rank);
  for (int i = 0; i < 10; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (how == "charge") hypermon_charge(100, 1e4); // 1 ms
  }
  if (how == "sleep") {
    const double begin = MPI_Wtime();
    sleep(2);
    std::printf("slept %.2f\n", MPI_Wtime() - begin);
  }
  if (rank == 1) {
    if (how == "segv") crash_here(reinterpret_cast<volatile int*>(static_cast<long>(zero)));
    if (how == "fpe") std::printf("%d\n", 100 / zero);
    if (how == "assert") assert(rank == 3);
    if (how == "throw") throw std::runtime_error("a bad day");
    if (how == "deep") std::printf("%d\n", deep(1));
    if (how == "strlen") std::printf("%zu\n", std::strlen(reinterpret_cast<char*>(8L + zero)));
    if (how == "buffer") MPI_Send(reinterpret_cast<void*>(8), 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (how == "exit") std::exit(7);
    if (how == "early") return 0;
    if (how == "abort") MPI_Abort(MPI_COMM_WORLD, 5);
    if (how == "return") return 4;
    if (how == "wait") MPI_Recv(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  if (how == "exit after the end") std::exit(0);
  return answer() - 42;
}
