// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "sw/mpiio/params.hpp"
#include "sw/mpiio/result_keys.hpp"

namespace hypermon {

Part mpiio_part() {
  return {.sections = {section<MpiioParams>("mpiio", "MPI-IO: file system and access methods.")},
          .results = keys_of(mpiio_keys)};
}

} // namespace hypermon
