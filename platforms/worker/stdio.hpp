// SPDX-License-Identifier: BSD-3-Clause
// Replacements of the program's output functions (stdio.cpp).
#pragma once

namespace hypermon {

/// Call this before the program starts: makes the worker's own standard output and error unbuffered.
void keep_stdio();

/// Whether an output function called by the program is running. A crash then means that the program passed a bad
/// argument.
bool inside_stdio();

} // namespace hypermon
