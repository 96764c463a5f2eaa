// SPDX-License-Identifier: BSD-3-Clause
// A separate copy of gfortran's library for each rank. The library identifies files by unit numbers, which belong to a
// process. If the ranks shared one copy, a rank that opens unit 10 would close the file that another rank opened as
// unit 10.
#pragma once

namespace hypermon {

/// `object`: a rank's object in memory, not yet loaded. If it needs libgfortran, this loads a private copy and makes
/// the object need that. Does nothing if libgfortran is not found: loading the object then reports the error. Throws
/// UserError if memory is short.
void give_private_fortran(int object);

} // namespace hypermon
