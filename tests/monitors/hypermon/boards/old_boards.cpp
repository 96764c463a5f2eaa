// SPDX-License-Identifier: BSD-3-Clause
// A board that was built with other headers of hypermon, and calls a function that hypermon no longer has.
extern "C" {
extern const char* const hypermon_own_board_build;
const char* const hypermon_own_board_build = "0.1.0 (headers 0123456789ab, C++ ABI 1016)";
void function_of_another_hypermon();
void* hypermon_own_board(const void* place);
void* hypermon_own_board(const void* /*place*/) {
  function_of_another_hypermon();
  return nullptr;
}
// Before hypermon compared builds, objects named the version of an interface.
extern const int hypermon_pbx_module_version;
const int hypermon_pbx_module_version = 1;
void* hypermon_pbx_module(const void* place);
void* hypermon_pbx_module(const void* /*place*/) { return nullptr; }
}
