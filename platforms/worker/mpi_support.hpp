// SPDX-License-Identifier: BSD-3-Clause
// Support of MPI functions: which exist here, and errors for programs that call functions which SMPI does not have.
#pragma once
#include "base/json_value.hpp"

#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

/// "SMPI 3.32".
std::string name_of_smpi();

/// For each function named on a line: `smpi`: "there", "absent", "stub" (ends the program when called) or "empty" (does
/// nothing); `told`: whether observers are notified of calls; `own`: whether hypermon implements it under either model;
/// `nx2`: whether NX/2 implements it; `script`: what a script records of a call.
///
/// Finds stubs by calling them in separate processes.
Json mpi_support(std::istream& names);

/// The MPI functions that the object in `file` needs and that neither this executable nor SMPI defines.
std::vector<std::string> absent_mpi(const std::string& file);

/// "calls MPI_X and MPI_Y, which SMPI 3.32 does not have (docs/reference/mpi-functions.md)".
std::string calls_absent(const std::vector<std::string>& functions);

/// SMPI's last message before it ended the program, extracted from a rank's standard error.
std::optional<std::string> smpi_complaint(std::string_view written);
/// The function that a complaint names as a stub.
std::optional<std::string> stub_of(std::string_view complaint);

} // namespace hypermon
