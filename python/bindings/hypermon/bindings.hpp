// SPDX-License-Identifier: BSD-3-Clause
// Functions of hypermon._core for HYPERMON; each file binds some of them.
#pragma once
#include <pybind11/pybind11.h>

namespace hypermon {

void bind_capture(pybind11::module_& m);
void bind_drains(pybind11::module_& m);
void bind_frames(pybind11::module_& m);
void bind_merging(pybind11::module_& m);
void bind_registers(pybind11::module_& m);
void bind_replay_of_boards(pybind11::module_& m);
void bind_waves(pybind11::module_& m);

} // namespace hypermon
