// SPDX-License-Identifier: BSD-3-Clause
// Datatypes for parts of arrays, composed of other datatypes: SMPI 3.32 loses a subarray's position and extent, and has
// no MPI_Type_create_darray.
#include "sw/mpi/file_library.hpp"
#include "sw/mpi/unmodelled_calls.hpp"

#include <smpi/smpi.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hypermon {
namespace {

/// A type under construction: each step replaces it by a new one.
class Building {
public:
  explicit Building(MPI_Datatype old) : type_(old), old_(old) {}
  template <class Make> void step(Make&& make) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    make(type_, &made);
    if (type_ != old_) PMPI_Type_free(&type_);
    type_ = made;
  }
  MPI_Datatype type() const { return type_; }

private:
  MPI_Datatype type_;
  MPI_Datatype old_;
};

/// Places the type at `at` in an array of `extent` bytes.
void place(Building& building, MPI_Aint at, MPI_Aint extent) {
  building.step([&](MPI_Datatype t, MPI_Datatype* made) { PMPI_Type_create_hindexed_block(1, 1, &at, t, made); });
  building.step([&](MPI_Datatype t, MPI_Datatype* made) { PMPI_Type_create_resized(t, 0, extent, made); });
}

bool is_order(int order) { return order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN; }

/// The value of MPI_DISTRIBUTE_DFLT_DARG in SMPI's mpi.h, which is also a valid argument.
constexpr int ambiguous = 3;
static_assert(MPI_DISTRIBUTE_DFLT_DARG == ambiguous);

/// Interprets 3 as the default. Adds a warning to the run if the program may have meant 3 elements at a time and the
/// default is another number.
bool is_default(int argument, int length, int distribution, int processes) {
  if (argument != MPI_DISTRIBUTE_DFLT_DARG) return false;
  const bool is_cyclic = distribution == MPI_DISTRIBUTE_CYCLIC;
  const int elements = is_cyclic ? 1 : (length + processes - 1) / processes;
  if (processes > 1 && length > 1 && elements < argument)
    note_assumption(std::string("MPI_Type_create_darray was given 3 for MPI_DISTRIBUTE_") +
                    (is_cyclic ? "CYCLIC" : "BLOCK") + ": taken for MPI_DISTRIBUTE_DFLT_DARG (" +
                    std::to_string(elements) + (elements == 1 ? " element" : " elements") +
                    " at a time), which is 3 in SMPI's mpi.h");
  return true;
}

/// Indices of the elements of one dimension that a process has in a distributed array. Bad arguments give an empty
/// list.
std::vector<MPI_Aint> owned(int length, int distribution, int argument, int processes, int own, bool& is_good) {
  std::vector<MPI_Aint> places;
  if (distribution == MPI_DISTRIBUTE_NONE) {
    is_good = processes == 1;
    processes = 1;
    own = 0;
    argument = length;
  } else if (is_default(argument, length, distribution, processes)) {
    argument = distribution == MPI_DISTRIBUTE_BLOCK ? (length + processes - 1) / processes : 1;
  } else {
    is_good = argument > 0 &&
              (distribution == MPI_DISTRIBUTE_CYCLIC || static_cast<std::int64_t>(argument) * processes >= length);
  }
  if (!is_good) return places;
  for (int begin = own * argument; begin < length; begin += processes * argument)
    for (int i = begin; i < std::min(begin + argument, length); ++i) places.push_back(i);
  return places;
}

} // namespace
} // namespace hypermon

using namespace hypermon;

extern "C" int MPI_Type_create_subarray(int n, const int* sizes, const int* own, const int* starts, int order,
                                        MPI_Datatype old, MPI_Datatype* made) {
  if (n < 1 || sizes == nullptr || own == nullptr || starts == nullptr || made == nullptr || !is_order(order))
    return MPI_ERR_ARG;
  for (int d = 0; d < n; ++d)
    if (own[d] < 1 || starts[d] < 0 || sizes[d] - starts[d] < own[d]) return MPI_ERR_ARG;
  MPI_Aint lower = 0;
  MPI_Aint stride = 0;
  if (old == MPI_DATATYPE_NULL || PMPI_Type_get_extent(old, &lower, &stride) != MPI_SUCCESS) return MPI_ERR_TYPE;
  Building building(old);
  MPI_Aint start = 0;
  for (int i = 0; i < n; ++i) { // begins with the dimension whose elements are adjacent
    const int d = order == MPI_ORDER_C ? n - 1 - i : i;
    building.step([&](MPI_Datatype t, MPI_Datatype* row) { PMPI_Type_create_hvector(own[d], 1, stride, t, row); });
    start += starts[d] * stride;
    stride *= sizes[d];
  }
  place(building, start, stride);
  *made = building.type();
  return MPI_SUCCESS;
}
extern "C" int PMPI_Type_create_subarray(int, const int*, const int*, const int*, int, MPI_Datatype, MPI_Datatype*)
    __attribute__((alias("MPI_Type_create_subarray")));

extern "C" int MPI_Type_create_darray(int size, int rank, int n, int* sizes, int* distributions, int* arguments,
                                      int* processes, int order, MPI_Datatype old, MPI_Datatype* made) {
  if (n < 1 || sizes == nullptr || distributions == nullptr || arguments == nullptr || processes == nullptr ||
      made == nullptr || !is_order(order) || rank < 0 || rank >= size)
    return MPI_ERR_ARG;
  MPI_Aint lower = 0;
  MPI_Aint stride = 0;
  if (old == MPI_DATATYPE_NULL || PMPI_Type_get_extent(old, &lower, &stride) != MPI_SUCCESS) return MPI_ERR_TYPE;
  std::vector<int> own(static_cast<std::size_t>(n)); // coordinates among the processes, in C's order for every `order`
  int left = rank;
  for (int d = n - 1; d >= 0; --d) {
    if (processes[d] < 1) return MPI_ERR_ARG;
    own[static_cast<std::size_t>(d)] = left % processes[d];
    left /= processes[d];
  }
  if (left != 0) return MPI_ERR_ARG;
  Building building(old);
  for (int i = 0; i < n; ++i) {
    const int d = order == MPI_ORDER_C ? n - 1 - i : i;
    bool is_good = sizes[d] > 0;
    auto places =
        owned(sizes[d], distributions[d], arguments[d], processes[d], own[static_cast<std::size_t>(d)], is_good);
    if (!is_good) return MPI_ERR_ARG;
    for (MPI_Aint& place : places) place *= stride;
    building.step([&](MPI_Datatype t, MPI_Datatype* row) {
      PMPI_Type_create_hindexed_block(static_cast<int>(places.size()), 1, places.data(), t, row);
    });
    stride *= sizes[d];
    building.step([&](MPI_Datatype t, MPI_Datatype* row) { PMPI_Type_create_resized(t, 0, stride, row); });
  }
  *made = building.type();
  return MPI_SUCCESS;
}
extern "C" int PMPI_Type_create_darray(int, int, int, int*, int*, int*, int*, int, MPI_Datatype, MPI_Datatype*)
    __attribute__((alias("MPI_Type_create_darray")));
