// SPDX-License-Identifier: BSD-3-Clause
// A board and a module that were built with another SystemC.
#include <hypermon_modules_build.hpp>
extern "C" {
extern const char* const hypermon_own_board_build;
const char* const hypermon_own_board_build = HYPERMON_MODULES_BUILD;
extern const char* const hypermon_own_board_systemc;
const char* const hypermon_own_board_systemc = "2.2.0-Accellera";
void* hypermon_own_board(const void* place);
void* hypermon_own_board(const void* /*place*/) { return nullptr; }
extern const char* const hypermon_pbx_module_build;
const char* const hypermon_pbx_module_build = HYPERMON_MODULES_BUILD;
extern const char* const hypermon_pbx_module_systemc;
const char* const hypermon_pbx_module_systemc = "2.2.0-Accellera";
void* hypermon_pbx_module(const void* place);
void* hypermon_pbx_module(const void* /*place*/) { return nullptr; }
}
