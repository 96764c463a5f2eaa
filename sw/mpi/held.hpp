// SPDX-License-Identifier: BSD-3-Clause
// Datatypes and operations that a call under way still needs. The program may free them meanwhile; SMPI is told when
// nothing holds them any more.
#pragma once
#include <smpi/smpi.h>

#include <memory>

namespace hypermon {

/// The datatype or operation exists at least as long as this object.
using Held = std::shared_ptr<const void>;
Held hold(MPI_Datatype type);
Held hold(MPI_Op op);
/// True for a null handle and for MPI's predefined objects, which are variables of SMPI's library and cannot be freed.
bool is_predefined(const void* object);

} // namespace hypermon
