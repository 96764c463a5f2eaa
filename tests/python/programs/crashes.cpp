// SPDX-License-Identifier: BSD-3-Clause
// Rank 1 crashes in the way that the argument names, perhaps with a handler of its own.
#include <mpi.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace {

sigjmp_buf back;

void leave(int number) {
  std::printf("own handler of %s\n", strsignal(number));
  std::exit(7);
}

void jump(int, siginfo_t* info, void*) { siglongjmp(back, info->si_addr == nullptr ? 1 : 2); }

void note(int) { std::printf("noted\n"); }

int read_null() {
  int* volatile nowhere = nullptr;
  return *nowhere;
}

[[noreturn]] void fail_without_a_way_out() noexcept { throw std::runtime_error("no more beans"); }

void list_calls() {
  std::fprintf(stderr, "At line 12 of file beans.f90\nFortran runtime error: out of beans\n\nBacktrace:\n");
  for (int i = 0; i < 30; ++i) std::fprintf(stderr, "#%d in some function\n", i);
  std::exit(2);
}

} // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::printf("begin\n");
  if (how == "own exit") std::signal(SIGSEGV, leave);
  if (how == "own abort") std::signal(SIGABRT, note);
  if (how == "own jump") {
    struct sigaction action {};
    action.sa_sigaction = jump;
    action.sa_flags = SA_SIGINFO;
    struct sigaction old {};
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGSEGV, nullptr, &old);
    if (old.sa_sigaction != jump) std::printf("another handler\n");
    if (const int address = sigsetjmp(back, 1)) {
      std::printf("back from %d\n", address);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Finalize();
      return 0;
    }
  }
  if (rank == 1 || how == "own jump") {
    if (how == "own abort") std::abort();
    if (how == "terminate") fail_without_a_way_out();
    if (how == "list") list_calls();
    std::printf("%d\n", read_null());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
