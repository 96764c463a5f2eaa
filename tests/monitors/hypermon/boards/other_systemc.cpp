// SPDX-License-Identifier: BSD-3-Clause
// A board that says that it was built with another SystemC.
extern "C" {
extern const int hypermon_own_board_version;
const int hypermon_own_board_version = 2; // hypermon::own_board_version
extern const char* const hypermon_own_board_systemc;
const char* const hypermon_own_board_systemc = "2.2.0-Accellera";
void* hypermon_own_board(const void* place);
void* hypermon_own_board(const void* /*place*/) { return nullptr; }
}
