// SPDX-License-Identifier: BSD-3-Clause
// What becomes of MPI's functions here, and of programs that call one that SMPI does not have.
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

/// Of each function named in a line of its own: `smpi`: "there", "absent", "stub", which ends the program when it is
/// called, or "empty", which does nothing; `told`: observers are told of calls; `own`: it is ours under either model;
/// `nx2`: NX/2 implements it; `script`: what a script has of a call.
///
/// Finds the stubs by calling them, in processes of their own.
Json mpi_support(std::istream& names);

/// The MPI functions that the object in `file` needs and nobody here defines.
std::vector<std::string> absent_mpi(const std::string& file);

/// "calls MPI_X and MPI_Y, which SMPI 3.32 does not have (docs/reference/mpi-functions.md)".
std::string calls_absent(const std::vector<std::string>& functions);

/// What SMPI last wrote before it ended the program, of what a rank wrote to standard error.
std::optional<std::string> smpi_complaint(std::string_view written);
/// The function of a complaint that it is a stub.
std::optional<std::string> stub_of(std::string_view complaint);

} // namespace hypermon
