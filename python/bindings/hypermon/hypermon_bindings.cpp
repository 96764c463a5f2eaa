// SPDX-License-Identifier: BSD-3-Clause
#include "python/bindings/bindings.hpp"
#include "python/bindings/hypermon/bindings.hpp"

namespace hypermon {

void bind_hypermon(pybind11::module_& m);
void bind_hypermon(pybind11::module_& m) {
  bind_frames(m);
  bind_drains(m);
  bind_merging(m);
  bind_registers(m);
  bind_replay_of_boards(m);
  bind_waves(m);
  bind_capture(m);
}

} // namespace hypermon
