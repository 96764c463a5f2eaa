// SPDX-License-Identifier: BSD-3-Clause
// The program's output functions (stdio.cpp).
#pragma once

namespace hypermon {

/// Before the program starts: the worker's own standard output and error without buffers.
void keep_stdio();

/// Is an output function of the program at work? If it crashes then, the program gave it a bad argument.
bool inside_stdio();

} // namespace hypermon
