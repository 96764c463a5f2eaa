// SPDX-License-Identifier: BSD-3-Clause
// A message's contents: what is in a buffer of some type, one byte after the other.
#pragma once
#include <smpi/smpi.h>

#include <cstdint>
#include <vector>

namespace hypermon::messages {

using Bytes = std::vector<char>;

Bytes packed(const void* data, std::int64_t count, MPI_Datatype type);
/// Writes what there is room for. MPI_ERR_TRUNCATE, if that is not all of it.
int unpack(const Bytes& from, void* data, std::int64_t count, MPI_Datatype type);

} // namespace hypermon::messages
