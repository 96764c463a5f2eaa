// SPDX-License-Identifier: BSD-3-Clause
// gfortran's library for each rank: it knows files by unit numbers, which every process has for itself. Shared by the
// ranks of ours, the file that one opens as unit 10 would be closed by the next that does.
#pragma once

namespace hypermon {

/// `object`: a rank's object in memory, not yet loaded. If it needs libgfortran, this loads a private copy and makes
/// the object need that. Does nothing if libgfortran is not found: loading the object then reports the error. Throws
/// UserError if memory is short.
void give_private_fortran(int object);

} // namespace hypermon
