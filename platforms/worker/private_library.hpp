// SPDX-License-Identifier: BSD-3-Clause
// gfortran's library for each rank: it knows files by unit numbers, which every process has for itself. Shared by the
// ranks of ours, the file that one opens as unit 10 would be closed by the next that does.
#pragma once

namespace hypermon {

/// `object`: a rank's object in memory, not loaded yet. If it needs libgfortran, it needs a copy of its own afterwards,
/// which is loaded. Nothing if there is none to be found: loading the object says so. Throws UserError if memory is
/// short.
void give_private_fortran(int object);

} // namespace hypermon
