// SPDX-License-Identifier: BSD-3-Clause
// The monitored program's MPI calls that communicate, but that the machine's messages (NX/2's or those on packets) do
// not carry: SMPI does, over the links alone. The run counts them, so that nobody takes their times for the machine's.
#pragma once
#include "base/json.hpp"
#include "base/results.hpp"

#include <string>
#include <vector>

namespace hypermon {

struct MpiTable;

/// Puts counting functions around those in `table` that are SMPI's own and communicate. After all others are in it.
void count_unmodelled_calls(MpiTable& table);
/// A call of a function that is not in MpiTable; nothing is counted where all messages are SMPI's.
void count_unmodelled_call(const char* function);
/// Writes `unmodelled_calls`, sorted by the functions' names, if there were such calls.
void report_unmodelled_calls(Results& results);
/// Something about the program's calls that had to be assumed: told once, as a warning of the run.
void note_assumption(const std::string& text);
/// Sentences for people: calls without a model that exchange data or wait for other ranks, and what was assumed.
std::vector<std::string> warnings_of_calls(const std::string& messages);

} // namespace hypermon
