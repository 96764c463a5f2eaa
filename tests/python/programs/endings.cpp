// SPDX-License-Identifier: BSD-3-Clause
// Ends as its argument says: tests/python/test_endings.py.
#include <mpi.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

struct Static {
  ~Static() { std::puts("static object"); }
} one;
struct Local {
  int number = 0;
  ~Local() { std::cout << "thread-local object\n"; }
};
thread_local Local local;
void at_exit() { std::puts("atexit"); }
void on_exit_with(int status, void* text) { std::printf("on_exit %d %s\n", status, static_cast<char*>(text)); }
__attribute__((destructor)) void destructor() { std::puts("destructor"); }

void say_how_ended(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) std::printf("child: status %d\n", WEXITSTATUS(status));
  if (WIFSIGNALED(status)) std::printf("child: signal %d\n", WTERMSIG(status));
}

/// Runs in the child. Returns -1 if it continues and returns from main.
int be_a_child(const std::string& how) {
  std::printf("in the child\n");
  if (how == "fork exit") std::exit(5);
  if (how == "fork _exit") _exit(6);
  if (how == "fork sleep") usleep(10000), std::exit(0);
  if (how == "fork crash") std::abort();
  if (how == "fork exec") execlp("echo", "echo", "another program", nullptr);
  if (how == "fork MPI") MPI_Barrier(MPI_COMM_WORLD), std::exit(0);
  return 7;
}

void run_programs() {
  std::printf("system: %d\n", WEXITSTATUS(std::system("echo by system; exit 3")));
  FILE* out = popen("cat; exit 4", "w");
  std::fputs("to cat\n", out);
  std::printf("popen: %d\n", WEXITSTATUS(pclose(out)));
  FILE* in = popen("echo read back; echo an error >&2", "r");
  char text[99] = "";
  std::printf("%s", std::fgets(text, sizeof text, in));
  pclose(in);
  pid_t child = 0;
  char echo[] = "echo";
  char word[] = "spawned";
  char* words[] = {echo, word, nullptr};
  posix_spawnp(&child, "echo", nullptr, nullptr, words, environ);
  say_how_ended(child);
}

void reopen(const std::string& path, int rank) {
  std::puts("before");
  if (std::freopen((path + std::to_string(rank)).c_str(), "w", stdout) == nullptr) std::abort();
  std::printf("printf %d\n", rank);
  std::cout << "cout" << std::endl;
  if (std::fflush(stdout) != 0 || write(1, "write\n", 6) != 6) std::abort();
  std::fputs("stderr\n", stderr);
}

} // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (how == "status" && rank == 1) return 4;
  if (how == "exit" && rank == 1) std::exit(3);
  if (how == "status" || how == "exit" || how == "all") {
    sleep(1);
    std::printf("rank %d goes on\n", rank);
  }
  if (how == "missed") {
    if (rank == 1) return 4;
    MPI_Recv(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (how.starts_with("alone")) {
    if (rank == 0) std::exit(3);
    if (how == "alone_late") sleep(1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (how == "sent") { // every way to send something short to a rank that has ended, then one that waits for it
    if (rank == 1) return 4;
    int data = 1;
    char room[1000];
    MPI_Request requests[2];
    sleep(1);
    MPI_Send(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Isend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Start(&requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[1]);
    std::printf("sent\n");
    MPI_Ssend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  if (how == "handlers") {
    local.number = rank;
    std::atexit(at_exit);
    on_exit(on_exit_with, const_cast<char*>("text"));
  }
  if (how.rfind("fork", 0) == 0) {
    std::printf("before\n");
    const pid_t child = how == "fork vfork" ? vfork() : fork();
    if (child == 0) return be_a_child(how);
    say_how_ended(child);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (how == "programs") run_programs();
  if (how == "freopen") reopen(argv[2], rank);
  MPI_Finalize();
  return how == "all" && rank > 0 ? 1 + rank / 4 : 0;
}
