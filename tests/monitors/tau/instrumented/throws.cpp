// SPDX-License-Identifier: BSD-3-Clause
// Compiled with -finstrument-functions: overloads, methods, what exceptions leave, what runs before and after main.
#include <hypermon.h>
#include <mpi.h>
#include <stdexcept>

namespace {
void work(double us) { hypermon_charge(us, 1000); }

struct Machine {
  Machine() { ++made; }
  ~Machine() { --made; }
  void turn(int times) {
    work(1);
    if (times == 0) throw std::runtime_error("broke");
    turn(times - 1);
  }
  static int made;
};
int Machine::made = 0;
Machine global;

void run(int times) { Machine().turn(times); }
void run(double us) { work(us); }
} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 3; ++i) {
    try {
      run(i);
    } catch (const std::runtime_error&) {
      run(2.0);
    }
  }
  MPI_Finalize();
  return 0;
}
