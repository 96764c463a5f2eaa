// SPDX-License-Identifier: BSD-3-Clause
// Persistent requests whose partner is MPI_PROC_NULL. SMPI 3.32 crashes when MPI_Start starts one, and forgets the
// request when a call completes it. Their state is kept here, and SMPI only makes and frees them. This file also
// handles requests that the program frees while their messages are under way.
#pragma once
#include <smpi/smpi.h>

namespace hypermon {

struct MpiTable;

/// True for a persistent request whose partner is MPI_PROC_NULL.
bool has_null_partner(MPI_Request request);
/// True for such a request that has been started.
bool is_active_null_partner(MPI_Request request);
/// A non-persistent request that SMPI may delete as soon as the program frees it.
void may_be_freed_at_once(MPI_Request request);
/// Puts the functions for requests into `table`; they wrap the functions that were there.
void add_null_partners(MpiTable& table);

} // namespace hypermon
