// SPDX-License-Identifier: BSD-3-Clause
// Datatypes and operations that a call under way still needs: the program may free them, and SMPI gets to know of it
// when nothing holds them any more.
#pragma once
#include <smpi/smpi.h>

#include <memory>

namespace hypermon {

/// As long as it lives, the datatype or operation does.
using Held = std::shared_ptr<const void>;
Held hold(MPI_Datatype type);
Held hold(MPI_Op op);
/// A null handle, or one of MPI's own objects: they are variables of SMPI's library, which nobody can free.
bool is_predefined(const void* object);

} // namespace hypermon
