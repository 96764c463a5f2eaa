// SPDX-License-Identifier: BSD-3-Clause
// Maps of datatypes, from SMPI's data about their construction. A map is kept until SMPI deletes the type, which may be
// long after the program has freed it. An attribute of the type reports the deletion.
#include "sw/mpi/buffers.hpp"
#include "sw/mpi/file_library.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/next_definition.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace hypermon {
namespace {

using mpiio::Layout;
using mpiio::LayoutPointer;

std::unordered_map<MPI_Datatype, LayoutPointer>& known() {
  static std::unordered_map<MPI_Datatype, LayoutPointer> all;
  return all;
}

int forget(MPI_Datatype type, int, void*, void*) {
  known().erase(type);
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

/// How a type was constructed (MPI_Type_get_contents).
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
  }
  ~Contents() { // get_contents adds references, and PMPI_Type_free would mark the types as freed by the program
    static const auto release = next_definition<void(MPI_Datatype)>("_ZN7simgrid4smpi8Datatype5unrefEPS1_");
    for (MPI_Datatype type : types) release(type);
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;
};

LayoutPointer block(std::int64_t count, MPI_Datatype type) {
  return Layout::repeated(count, extent_of(type), layout_of(type));
}

/// Adjacent elements of one type.
struct Block {
  MPI_Aint at;
  int count;
  MPI_Datatype type;
};

std::vector<Block> blocks_of(const Contents& c) {
  if (c.combiner == MPI_COMBINER_DUP || c.combiner == MPI_COMBINER_RESIZED) return {{0, 1, c.types[0]}};
  if (c.combiner == MPI_COMBINER_CONTIGUOUS) return {{0, c.numbers[0], c.types[0]}};
  std::vector<Block> blocks;
  const auto n = static_cast<std::size_t>(c.numbers[0]);
  const MPI_Aint extent = c.types.empty() ? 0 : extent_of(c.types[0]);
  for (std::size_t i = 0; i < n; ++i) {
    const auto step = static_cast<MPI_Aint>(i);
    switch (c.combiner) {
    case MPI_COMBINER_VECTOR:
      blocks.push_back({step * c.numbers[2] * extent, c.numbers[1], c.types[0]});
      break;
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_HVECTOR_INTEGER:
      blocks.push_back({step * c.addresses[0], c.numbers[1], c.types[0]});
      break;
    case MPI_COMBINER_INDEXED:
      blocks.push_back({c.numbers[1 + n + i] * extent, c.numbers[1 + i], c.types[0]});
      break;
    case MPI_COMBINER_INDEXED_BLOCK:
      blocks.push_back({c.numbers[2 + i] * extent, c.numbers[1], c.types[0]});
      break;
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_HINDEXED_INTEGER:
      blocks.push_back({c.addresses[i], c.numbers[1 + i], c.types[0]});
      break;
    case MPI_COMBINER_HINDEXED_BLOCK:
      blocks.push_back({c.addresses[i], c.numbers[1], c.types[0]});
      break;
    default: // a structure
      blocks.push_back({c.addresses[i], c.numbers[1 + i], c.types[i]});
    }
  }
  return blocks;
}

int size_of(MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return size;
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
  case MPI_COMBINER_NAMED:
    return Layout::bytes(size_of(type));
  default: {
    std::vector<Layout::Part> parts;
    for (const Block& b : blocks_of(c)) parts.push_back({b.at, block(b.count, b.type)});
    return Layout::joined(parts);
  }
  }
}

/// Combines one element whose data begin at `from`; returns the begin of the next element's data.
const char* combine_element(MPI_Datatype type, const char* from, char* to, MPI_Op op) {
  const Contents c(type);
  if (c.combiner == MPI_COMBINER_NAMED) {
    smpi().Reduce_local(from, to, 1, type, op);
    return from + size_of(type);
  }
  for (const Block& b : blocks_of(c))
    for (int i = 0; i < b.count && size_of(b.type) > 0; ++i)
      from = combine_element(b.type, from, to + b.at + i * extent_of(b.type), op);
  return from;
}

} // namespace

void combine_elements(MPI_Datatype type, const char* from, void* data, int count, MPI_Op op) {
  for (int i = 0; i < count; ++i) from = combine_element(type, from, address_of(data) + i * extent_of(type), op);
}

MPI_Aint alignment_of(MPI_Datatype type) {
  const Contents c(type);
  MPI_Aint most = 1;
  if (c.combiner != MPI_COMBINER_NAMED) {
    for (const Block& b : blocks_of(c))
      if (b.count > 0) most = std::max(most, alignment_of(b.type));
    return most;
  }
  // Pairs and complex numbers are aligned like the larger of their halves.
  struct Half {
    MPI_Datatype type;
    std::size_t bytes;
  };
  const Half halves[] = {{MPI_SHORT_INT, alignof(int)},
                         {MPI_2INT, alignof(int)},
                         {MPI_FLOAT_INT, alignof(float)},
                         {MPI_LONG_INT, alignof(long)},
                         {MPI_DOUBLE_INT, alignof(double)},
                         {MPI_LONG_DOUBLE_INT, alignof(long double)},
                         {MPI_C_FLOAT_COMPLEX, alignof(float)},
                         {MPI_C_DOUBLE_COMPLEX, alignof(double)},
                         {MPI_C_LONG_DOUBLE_COMPLEX, alignof(long double)},
                         {MPI_COMPLEX8, alignof(float)},
                         {MPI_COMPLEX16, alignof(double)},
                         {MPI_COMPLEX32, alignof(long double)}};
  for (const Half& half : halves)
    if (half.type == type) return static_cast<MPI_Aint>(half.bytes);
  const auto size = static_cast<std::size_t>(size_of(type));
  if (size == 0 || !std::has_single_bit(size)) return most;
  return static_cast<MPI_Aint>(std::min(size, alignof(std::max_align_t)));
}

LayoutPointer layout_of(MPI_Datatype type) {
  if (const auto own = known().find(type); own != known().end()) return own->second;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  if (type == MPI_DATATYPE_NULL || PMPI_Type_get_extent(type, &lower, &extent) != MPI_SUCCESS) return nullptr;
  LayoutPointer layout = made(type);
  if (layout->lower() != lower || layout->extent() != extent) layout = Layout::resized(lower, extent, layout);
  PMPI_Type_set_attr(type, keyval(), nullptr);
  known()[type] = layout;
  return layout;
}

} // namespace hypermon
