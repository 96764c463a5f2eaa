// SPDX-License-Identifier: BSD-3-Clause
// Waits for some time by looking at a clock, for a message by asking for it, or for another rank's access by reading
// the own window: tests/python/test_polling.py.
#include <mpi.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>

namespace {

double seconds(const timespec& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9; }
double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

double posix(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return seconds(now);
}

const std::map<std::string, std::function<double()>> clocks{
    {"wtime", [] { return MPI_Wtime(); }},
    {"realtime", [] { return posix(CLOCK_REALTIME); }},
    {"monotonic", [] { return posix(CLOCK_MONOTONIC); }},
    {"raw", [] { return posix(CLOCK_MONOTONIC_RAW); }},
    {"process", [] { return posix(CLOCK_PROCESS_CPUTIME_ID); }},
    {"gettimeofday",
     [] {
       timeval t{};
       gettimeofday(&t, nullptr);
       return seconds(t);
     }},
    {"time", [] { return static_cast<double>(std::time(nullptr)); }},
    {"clock", [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }},
    {"times",
     [] {
       tms t{};
       return static_cast<double>(times(&t)) / static_cast<double>(sysconf(_SC_CLK_TCK));
     }},
    {"getrusage",
     [] {
       rusage r{};
       getrusage(RUSAGE_SELF, &r);
       return seconds(r.ru_utime);
     }},
    {"timespec_get",
     [] {
       timespec t{};
       timespec_get(&t, TIME_UTC);
       return seconds(t);
     }},
    {"steady",
     [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }},
    {"system",
     [] { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }}};

void wait_for_message(const std::string& how, int rank) {
  int number = 42;
  if (rank == 1) {
    usleep(10000);
    MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  if (rank != 0) return;
  int here = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (how != "iprobe") MPI_Irecv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  while (here == 0) {
    if (how == "get_status") MPI_Request_get_status(request, &here, MPI_STATUS_IGNORE);
    if (how == "test") MPI_Test(&request, &here, MPI_STATUS_IGNORE);
    if (how == "iprobe") MPI_Iprobe(1, 0, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
  }
  if (how == "iprobe") MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (request != MPI_REQUEST_NULL) MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// One read of the own window, in the way `how`.
int read_window(const std::string& how, const int* word, MPI_Win window) {
  int seen = 0, nothing = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (how == "lock") {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
  } else if (how == "flush") {
    MPI_Fetch_and_op(&nothing, &seen, MPI_INT, 0, 0, MPI_NO_OP, window);
    MPI_Win_flush(0, window);
  } else if (how == "flush_local") {
    MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush_local(0, window);
  } else if (how == "rget") {
    MPI_Rget(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Win_sync(window);
    seen = *word;
  }
  return seen;
}

/// Rank 0 reads its window until rank 1 has written into it. Returns the number of reads.
long wait_for_access(const std::string& how, int rank) {
  int* word = nullptr;
  int one = 1;
  long reads = 0;
  MPI_Win window;
  MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &window);
  *word = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) usleep(10000);
  const bool locks = rank == 1 || how != "lock"; // otherwise each read locks
  if (locks) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  if (rank == 1) MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
  if (rank == 0)
    for (reads = 1; read_window(how, word, window) == 0;) ++reads;
  if (locks) MPI_Win_unlock(0, window);
  MPI_Win_free(&window);
  return reads;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string how = argv[1];
  const double begin = MPI_Wtime();
  long looks = 0;
  if (const auto clock = clocks.find(how); clock != clocks.end()) {
    const double end = clock->second() + std::atof(argv[2]);
    for (looks = 1; clock->second() < end;) ++looks;
  } else if (how == "window") {
    looks = wait_for_access(argv[2], rank);
  } else {
    wait_for_message(how, rank);
  }
  std::printf("%d: %ld looks, %.9f s\n", rank, looks, MPI_Wtime() - begin);
  MPI_Finalize();
}
