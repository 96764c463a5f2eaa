// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests whose partner is MPI_PROC_NULL: SMPI 3.32 crashes when MPI_Start starts one, and forgets the
// request when a call completes it. They are kept here, and nothing of them reaches SMPI but their making and freeing.
// And requests that the program frees while their messages are under way.
#pragma once
#include <smpi/smpi.h>

namespace hypermon {

struct MpiTable;

/// Is it such a request?
bool has_null_partner(MPI_Request request);
/// Is it such a request, and has it been started?
bool is_active_null_partner(MPI_Request request);
/// A request, persistent ones apart, that SMPI may delete whenever the program frees it.
void may_be_freed_at_once(MPI_Request request);
/// Puts the functions for requests into `table`, around those that are there.
void add_null_partners(MpiTable& table);

} // namespace hypermon
