// SPDX-License-Identifier: BSD-3-Clause
// The contents of a message: the data of a buffer of some datatype, packed without gaps.
#pragma once
#include <smpi/smpi.h>

#include <cstdint>
#include <vector>

namespace hypermon::messages {

using Bytes = std::vector<char>;

Bytes packed(const void* data, std::int64_t count, MPI_Datatype type);
/// Writes as much as fits. Returns MPI_ERR_TRUNCATE if that is not all.
int unpack(const Bytes& from, void* data, std::int64_t count, MPI_Datatype type);

} // namespace hypermon::messages
