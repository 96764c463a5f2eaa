// SPDX-License-Identifier: BSD-3-Clause
// Work of a kernel that nobody asked for: for those of Nx2's sources that have some.
#pragma once
#include "hw/machine/processors.hpp"
#include "sw/os/nx2.hpp"

namespace hypermon {

template <class Work> void Nx2::interrupt(NodeKernel& kernel, Time now, Work&& work, WorkOf of) {
  kernel.interrupt(now, work, of);
  if (processors_.is_shared(kernel.node())) keep_processor(kernel, std::nullopt);
}

} // namespace hypermon
