// SPDX-License-Identifier: BSD-3-Clause
// Maps of datatypes, from what SMPI says of how they were made. Kept with the type, as an attribute of it: SMPI deletes
// that when it deletes the type.
#include "sw/nx2/file_library.hpp"

#include <map>

namespace hypermon {
namespace {

using mpiio::Layout;
using mpiio::LayoutPointer;

int forget(MPI_Datatype, int, void* layout, void*) {
  delete static_cast<LayoutPointer*>(layout);
  return MPI_SUCCESS;
}

int keyval() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &made, nullptr);
    return made;
  }();
  return key;
}

std::int64_t extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return extent;
}

/// How a type was made.
struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<int> numbers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;

  explicit Contents(MPI_Datatype type) {
    int n = 0;
    int a = 0;
    int t = 0;
    PMPI_Type_get_envelope(type, &n, &a, &t, &combiner);
    if (combiner == MPI_COMBINER_NAMED) return;
    numbers.resize(static_cast<std::size_t>(n));
    addresses.resize(static_cast<std::size_t>(a));
    types.resize(static_cast<std::size_t>(t));
    PMPI_Type_get_contents(type, n, a, t, numbers.data(), addresses.data(), types.data());
    if (combiner == MPI_COMBINER_INDEXED && a > 0) combiner = MPI_COMBINER_STRUCT; // SMPI 3.32 says so of both
  }
  ~Contents() { // get_contents has made references
    for (MPI_Datatype& type : types) {
      int n = 0;
      int named = MPI_COMBINER_NAMED;
      PMPI_Type_get_envelope(type, &n, &n, &n, &named);
      if (named != MPI_COMBINER_NAMED) PMPI_Type_free(&type);
    }
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;
};

LayoutPointer block(std::int64_t count, MPI_Datatype type) {
  return Layout::repeated(count, extent_of(type), layout_of(type));
}

LayoutPointer blocks(const Contents& c) {
  std::vector<Layout::Part> parts;
  const auto n = static_cast<std::size_t>(c.numbers[0]);
  const std::int64_t extent = c.types.empty() ? 0 : extent_of(c.types[0]);
  for (std::size_t i = 0; i < n; ++i) {
    switch (c.combiner) {
    case MPI_COMBINER_INDEXED:
      parts.push_back({c.numbers[1 + n + i] * extent, block(c.numbers[1 + i], c.types[0])});
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      parts.push_back({c.numbers[2 + i] * extent, block(c.numbers[1], c.types[0])});
      break;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_INTEGER:
      parts.push_back({c.addresses[i], block(c.numbers[1 + i], c.types[0])});
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      parts.push_back({c.addresses[i], block(c.numbers[1], c.types[0])});
      break;
    default: // a structure
      parts.push_back({c.addresses[i], block(c.numbers[1 + i], c.types[i])});
    }
  }
  return Layout::joined(parts);
}

LayoutPointer made(MPI_Datatype type) {
  const Contents c(type);
  switch (c.combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED:
    return layout_of(c.types[0]);
  case MPI_COMBINER_CONTIGUOUS:
    return block(c.numbers[0], c.types[0]);
  case MPI_COMBINER_VECTOR:
    return Layout::repeated(c.numbers[0], c.numbers[2] * extent_of(c.types[0]), block(c.numbers[1], c.types[0]));
  case MPI_COMBINER_HVECTOR:
  case MPI_COMBINER_HVECTOR_INTEGER:
    return Layout::repeated(c.numbers[0], c.addresses[0], block(c.numbers[1], c.types[0]));
  case MPI_COMBINER_NAMED: {
    int size = 0;
    PMPI_Type_size(type, &size);
    return Layout::bytes(size);
  }
  default:
    return blocks(c);
  }
}

} // namespace

LayoutPointer layout_of(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  if (type == MPI_DATATYPE_NULL || PMPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS) return nullptr;
  LayoutPointer* known = nullptr;
  int found = 0;
  PMPI_Type_get_attr(type, keyval(), static_cast<void*>(&known), &found);
  if (found != 0) return *known;
  LayoutPointer layout = made(type);
  if (layout->lower() != lower || layout->extent() != extent) layout = Layout::resized(lower, extent, layout);
  PMPI_Type_set_attr(type, keyval(), new LayoutPointer(layout));
  return layout;
}

} // namespace hypermon
