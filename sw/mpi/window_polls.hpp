// SPDX-License-Identifier: BSD-3-Clause
// Time of polling a window. SMPI takes no simulated time for a rank's accesses to its own window, nor for completing
// accesses where there are none. A loop that waits for another rank's access would therefore repeat at one instant for
// ever. A rank that has completed accesses more than `alone` times in a row while no simulated time passed is assumed
// to wait in such a loop. From then on, each completion that has taken no time takes that of NX/2's test of a flag.
#pragma once

namespace hypermon {

struct MpiTable;

/// Puts the time of polling behind the functions in `table` that complete accesses to windows.
void add_window_polls(MpiTable& table);
/// The calling rank has completed accesses to a window.
void take_time_of_window_poll();

} // namespace hypermon
