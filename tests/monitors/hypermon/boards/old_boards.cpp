// SPDX-License-Identifier: BSD-3-Clause
// A board for an interface that hypermon has not.
extern "C" {
extern const int hypermon_own_board_version;
const int hypermon_own_board_version = 0;
void* hypermon_own_board(const void* place);
void* hypermon_own_board(const void* /*place*/) { return nullptr; }
}
