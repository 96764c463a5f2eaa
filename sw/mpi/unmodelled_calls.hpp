// SPDX-License-Identifier: BSD-3-Clause
// Counts the monitored program's MPI calls that communicate and that the machine's messages (NX/2's or packets) do not
// carry: SMPI carries them over the links alone. The count warns readers that the times of these calls are not the
// machine's.
#pragma once
#include "base/json.hpp"
#include "base/results.hpp"

#include <string>
#include <vector>

namespace hypermon {

struct MpiTable;

/// Puts counting functions around the functions in `table` that are SMPI's own and communicate. Call after all other
/// changes of the table.
void count_unmodelled_calls(MpiTable& table);
/// Counts a call of a function that is not in MpiTable. Does nothing if all messages are SMPI's.
void count_unmodelled_call(const char* function);
/// Writes `unmodelled_calls`, sorted by function name, if there were such calls.
void report_unmodelled_calls(Results& results);
/// Reports an assumption about the program's calls, once, as a warning of the run.
void note_assumption(const std::string& text);
/// Warnings for people: calls without a model that exchange data or wait for other ranks, and assumptions that were
/// made.
std::vector<std::string> warnings_of_calls(const std::string& messages);

} // namespace hypermon
