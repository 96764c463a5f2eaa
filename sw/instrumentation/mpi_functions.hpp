// SPDX-License-Identifier: BSD-3-Clause
// The MPI functions whose calls are observed. The interface layer defines them (sw/instrumentation/mpi_functions.inc),
// and event catalogues have the points mpi.<name>.enter and mpi.<name>.leave for them (points.hpp).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hypermon {

enum class MpiFunction : std::uint8_t {
#define NAME(result, name, ...) name,
#define F(...) NAME(__VA_ARGS__)
#include "sw/instrumentation/mpi_functions.inc"
#undef F
#undef NAME
};

inline constexpr auto mpi_function_names = std::to_array<std::string_view>({
#define NAME(result, name, ...) "MPI_" #name,
#define F(...) NAME(__VA_ARGS__)
#include "sw/instrumentation/mpi_functions.inc"
#undef F
#undef NAME
});

constexpr std::size_t index(MpiFunction function) { return static_cast<std::size_t>(function); }
constexpr std::string_view name(MpiFunction function) { return mpi_function_names[index(function)]; }

} // namespace hypermon
