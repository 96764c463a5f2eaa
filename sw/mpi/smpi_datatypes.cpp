// SPDX-License-Identifier: BSD-3-Clause
// Applies MPI's rules to SMPI's datatypes where SMPI 3.32 breaks them: bounds of structures (padding), bounds with
// negative strides and displacements, and the positions of data in elements whose extent differs from the end of their
// last block. SMPI calls these internal functions by their symbols, and the definitions in this executable come first
// (as in smpi_requests.cpp). Only the address of an object is used. Sizes and flags, by which SMPI selects its
// algorithms, stay the same.
#include "sw/mpi/buffers.hpp"
#include "sw/mpi/file_library.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/next_definition.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <vector>

namespace hypermon {
namespace {

// SMPI's flags of a datatype.
constexpr int holds_data = 0x100;
constexpr int derived = 0x800;

struct Bounds {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Aint upper() const { return lower + extent; }
};

Bounds bounds_of(MPI_Datatype type) {
  Bounds own;
  PMPI_Type_get_extent(type, &own.lower, &own.extent);
  return own;
}

int data_bytes(MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return size;
}

/// True if the type is derived. SMPI then copies it by its map, even if its data are contiguous.
bool is_derived(MPI_Datatype type) {
  int n = 0;
  int combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &n, &n, &n, &combiner);
  return combiner != MPI_COMBINER_NAMED;
}

/// Bounds of a set of blocks by MPI's rules: blocks without elements have no bounds.
class Hull {
public:
  /// `count` elements from `at` on, with a distance of `stride`.
  void add(MPI_Aint at, MPI_Aint count, const Bounds& element, MPI_Aint stride) {
    if (count <= 0) return;
    const MPI_Aint last = (count - 1) * stride;
    const MPI_Aint lower = at + element.lower + std::min<MPI_Aint>(last, 0);
    const MPI_Aint upper = at + element.upper() + std::max<MPI_Aint>(last, 0);
    lower_ = is_empty_ ? lower : std::min(lower_, lower);
    upper_ = is_empty_ ? upper : std::max(upper_, upper);
    is_empty_ = false;
  }
  void add(MPI_Aint at, MPI_Aint count, const Bounds& element) { add(at, count, element, element.extent); }
  MPI_Aint lower() const { return lower_; }
  MPI_Aint upper() const { return upper_; }
  Bounds bounds() const { return {lower_, upper_ - lower_}; }

private:
  bool is_empty_ = true;
  MPI_Aint lower_ = 0;
  MPI_Aint upper_ = 0;
};

/// Makes an SMPI object with SMPI's constructor. `bytes` is larger than any of SMPI's datatype objects.
template <class Constructor, class... Arguments> MPI_Datatype construct(const char* symbol, Arguments... arguments) {
  constexpr std::size_t bytes = 1024;
  void* const room = ::operator new(bytes);
  next_definition<Constructor>(symbol)(room, arguments...);
  return static_cast<MPI_Datatype>(room);
}

bool are_negative(int count, const int* lengths) {
  return std::any_of(lengths, lengths + count, [](int length) { return length < 0; });
}

int data_size(int count, const int* lengths, MPI_Datatype type) {
  std::int64_t elements = 0;
  for (int i = 0; i < count; ++i) elements += lengths[i];
  return static_cast<int>(elements * data_bytes(type));
}

} // namespace
} // namespace hypermon

using namespace hypermon;

#define BEFORE_SMPI(symbol) asm(symbol) __attribute__((visibility("default")))

// simgrid::smpi::Datatype::create_contiguous, create_vector, create_hvector, create_indexed, create_hindexed,
// create_struct
int make_contiguous(int count, MPI_Datatype old, MPI_Aint lower, MPI_Datatype* made)
    BEFORE_SMPI("_ZN7simgrid4smpi8Datatype17create_contiguousEiPS1_lPS2_");
int make_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype* made)
    BEFORE_SMPI("_ZN7simgrid4smpi8Datatype13create_vectorEiiiPS1_PS2_");
int make_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made)
    BEFORE_SMPI("_ZN7simgrid4smpi8Datatype14create_hvectorEiilPS1_PS2_");
int make_indexed(int count, const int* lengths, const int* at, MPI_Datatype old, MPI_Datatype* made)
    BEFORE_SMPI("_ZN7simgrid4smpi8Datatype14create_indexedEiPKiS3_PS1_PS4_");
int make_hindexed(int count, const int* lengths, const MPI_Aint* at, MPI_Datatype old, MPI_Datatype* made)
    BEFORE_SMPI("_ZN7simgrid4smpi8Datatype15create_hindexedEiPKiPKlPS1_PS6_");
int make_struct(int count, const int* lengths, const MPI_Aint* at, const MPI_Datatype* old, MPI_Datatype* made)
    BEFORE_SMPI("_ZN7simgrid4smpi8Datatype13create_structEiPKiPKlPKPS1_PS6_");

int make_contiguous(int count, MPI_Datatype old, MPI_Aint lower, MPI_Datatype* made) {
  if (!is_derived(old) || count <= 0) {
    static const auto real =
        next_definition<decltype(make_contiguous)>("_ZN7simgrid4smpi8Datatype17create_contiguousEiPS1_lPS2_");
    return real(count, old, lower, made);
  }
  Hull hull;
  hull.add(0, count, bounds_of(old));
  using Constructor = void(void*, int, MPI_Aint, MPI_Aint, int, int, MPI_Datatype);
  *made = construct<Constructor>("_ZN7simgrid4smpi15Type_ContiguousC1EilliiPNS0_8DatatypeE", count * data_bytes(old),
                                 hull.lower(), hull.upper(), derived, count, old);
  return MPI_SUCCESS;
}

namespace {
Hull vector_hull(int count, int length, MPI_Aint stride, MPI_Datatype old) {
  Hull block;
  block.add(0, length, bounds_of(old));
  Hull all;
  if (length > 0) all.add(0, count, block.bounds(), stride);
  return all;
}
} // namespace

// SMPI handles vectors with contiguous data itself and marks them; an algorithm of its broadcasts uses the mark.
int make_vector(int count, int length, int stride, MPI_Datatype old, MPI_Datatype* made) {
  if (length < 0 || (!is_derived(old) && stride == length)) {
    static const auto real =
        next_definition<decltype(make_vector)>("_ZN7simgrid4smpi8Datatype13create_vectorEiiiPS1_PS2_");
    return real(count, length, stride, old, made);
  }
  const Hull hull = vector_hull(count, length, stride * bounds_of(old).extent, old);
  using Constructor = void(void*, int, MPI_Aint, MPI_Aint, int, int, int, int, MPI_Datatype);
  *made =
      construct<Constructor>("_ZN7simgrid4smpi11Type_VectorC1EilliiiiPNS0_8DatatypeE", data_bytes(old) * length * count,
                             hull.lower(), hull.upper(), derived, count, length, stride, old);
  return MPI_SUCCESS;
}

int make_hvector(int count, int length, MPI_Aint stride, MPI_Datatype old, MPI_Datatype* made) {
  if (length < 0 || (!is_derived(old) && stride == length * bounds_of(old).extent)) {
    static const auto real =
        next_definition<decltype(make_hvector)>("_ZN7simgrid4smpi8Datatype14create_hvectorEiilPS1_PS2_");
    return real(count, length, stride, old, made);
  }
  const Hull hull = vector_hull(count, length, stride, old);
  using Constructor = void(void*, int, MPI_Aint, MPI_Aint, int, int, int, MPI_Aint, MPI_Datatype);
  *made = construct<Constructor>("_ZN7simgrid4smpi12Type_HvectorC1EilliiilPNS0_8DatatypeE",
                                 data_bytes(old) * length * count, hull.lower(), hull.upper(), derived, count, length,
                                 stride, old);
  return MPI_SUCCESS;
}

int make_indexed(int count, const int* lengths, const int* at, MPI_Datatype old, MPI_Datatype* made) {
  if (are_negative(count, lengths)) return MPI_ERR_ARG;
  const Bounds element = bounds_of(old);
  Hull hull;
  for (int i = 0; i < count; ++i) hull.add(at[i] * element.extent, lengths[i], element);
  using Constructor = void(void*, int, MPI_Aint, MPI_Aint, int, int, const int*, const int*, MPI_Datatype);
  *made = construct<Constructor>("_ZN7simgrid4smpi12Type_IndexedC1EilliiPKiS3_PNS0_8DatatypeE",
                                 data_size(count, lengths, old), hull.lower(), hull.upper(), derived | holds_data,
                                 count, lengths, at, old);
  return MPI_SUCCESS;
}

int make_hindexed(int count, const int* lengths, const MPI_Aint* at, MPI_Datatype old, MPI_Datatype* made) {
  if (are_negative(count, lengths)) return MPI_ERR_ARG;
  const Bounds element = bounds_of(old);
  Hull hull;
  for (int i = 0; i < count; ++i) hull.add(at[i], lengths[i], element);
  using Constructor = void(void*, int, MPI_Aint, MPI_Aint, int, int, const int*, const MPI_Aint*, MPI_Datatype);
  *made = construct<Constructor>("_ZN7simgrid4smpi13Type_HindexedC1EilliiPKiPKlPNS0_8DatatypeE",
                                 data_size(count, lengths, old), hull.lower(), hull.upper(), derived | holds_data,
                                 count, lengths, at, old);
  return MPI_SUCCESS;
}

int make_struct(int count, const int* lengths, const MPI_Aint* at, const MPI_Datatype* old, MPI_Datatype* made) {
  if (are_negative(count, lengths)) return MPI_ERR_ARG;
  Hull hull;
  std::optional<MPI_Aint> lower; // given by MPI_LB and MPI_UB
  std::optional<MPI_Aint> upper;
  std::int64_t size = 0;
  MPI_Aint alignment = 1;
  for (int i = 0; i < count; ++i) {
    if (old[i] == MPI_LB) {
      lower = std::min(lower.value_or(at[i]), at[i]);
      continue;
    }
    if (old[i] == MPI_UB) {
      upper = std::max(upper.value_or(at[i]), at[i]);
      continue;
    }
    hull.add(at[i], lengths[i], bounds_of(old[i]));
    size += static_cast<std::int64_t>(lengths[i]) * data_bytes(old[i]);
    if (lengths[i] > 0) alignment = std::max<MPI_Aint>(alignment, alignment_of(old[i]));
  }
  const MPI_Aint from = lower.value_or(hull.lower());
  MPI_Aint to = upper.value_or(hull.upper());
  if (!upper && !lower) to = from + (to - from + alignment - 1) / alignment * alignment; // padding, as compilers add it
  using Constructor = void(void*, int, MPI_Aint, MPI_Aint, int, int, const int*, const MPI_Aint*, const MPI_Datatype*);
  *made = construct<Constructor>("_ZN7simgrid4smpi11Type_StructC1EilliiPKiPKlPKPNS0_8DatatypeE", static_cast<int>(size),
                                 from, to, derived | holds_data, count, lengths, at, old);
  return MPI_SUCCESS;
}

// Virtual functions serialize and unserialize of simgrid::smpi::Datatype and its subclasses.
#define COPIES(Class, Mangled)                                                                                         \
  void serialize_##Class(MPI_Datatype type, const void* data, void* packed, int count)                                 \
      BEFORE_SMPI("_ZN7simgrid4smpi" Mangled "9serializeEPKvPvi");                                                     \
  void serialize_##Class(MPI_Datatype type, const void* data, void* packed, int count) {                               \
    using Real = void(MPI_Datatype, const void*, void*, int);                                                          \
    static const auto real = next_definition<Real>("_ZN7simgrid4smpi" Mangled "9serializeEPKvPvi");                    \
    const mpiio::LayoutPointer layout = layout_of(type);                                                               \
    if (layout == nullptr) return real(type, data, packed, count);                                                     \
    pack(*layout, buffer_at(static_cast<char*>(const_cast<void*>(data))), count, static_cast<char*>(packed));          \
  }                                                                                                                    \
  void unserialize_##Class(MPI_Datatype type, const void* packed, void* data, int count, MPI_Op op)                    \
      BEFORE_SMPI("_ZN7simgrid4smpi" Mangled "11unserializeEPKvPviPNS0_2OpE");                                         \
  void unserialize_##Class(MPI_Datatype type, const void* packed, void* data, int count, MPI_Op op) {                  \
    using Real = void(MPI_Datatype, const void*, void*, int, MPI_Op);                                                  \
    static const auto real = next_definition<Real>("_ZN7simgrid4smpi" Mangled "11unserializeEPKvPviPNS0_2OpE");        \
    if (op == MPI_OP_NULL) return;                                                                                     \
    const mpiio::LayoutPointer layout = layout_of(type);                                                               \
    if (layout == nullptr) return real(type, packed, data, count, op);                                                 \
    void* const place = buffer_at(static_cast<char*>(data));                                                           \
    const char* const from = static_cast<const char*>(packed);                                                         \
    if (op == MPI_REPLACE) return unpack(from, count * layout->size(), *layout, place);                                \
    combine_elements(type, from, place, count, op);                                                                    \
  }
COPIES(plain, "8Datatype")
COPIES(contiguous, "15Type_Contiguous")
COPIES(hvector, "12Type_Hvector")
COPIES(hindexed, "13Type_Hindexed")
COPIES(structure, "11Type_Struct")
#undef COPIES

/// simgrid::smpi::Type_Indexed::clone reads the displacements with a shorter integer type than they have.
int clone_indexed(MPI_Datatype type, MPI_Datatype* made)
    BEFORE_SMPI("_ZN7simgrid4smpi12Type_Indexed5cloneEPPNS0_8DatatypeE");
int clone_indexed(MPI_Datatype type, MPI_Datatype* made) {
  using Clone = int(MPI_Datatype, MPI_Datatype*);
  static const auto plain = next_definition<Clone>("_ZN7simgrid4smpi8Datatype5cloneEPPS1_");
  return plain(type, made);
}

// Data of a datatype that SMPI does not report, or reports wrongly.
extern "C" int MPI_Type_commit(MPI_Datatype* type) {
  static const auto real = next_definition<decltype(::PMPI_Type_commit)>("PMPI_Type_commit");
  if (type == nullptr) return MPI_ERR_ARG;
  const int status = real(type);
  if (status == MPI_SUCCESS) layout_of(*type); // the map stays known after the program has freed the type
  return status;
}
extern "C" int PMPI_Type_commit(MPI_Datatype*) __attribute__((alias("MPI_Type_commit")));

extern "C" int MPI_Type_get_true_extent(MPI_Datatype type, MPI_Aint* lower, MPI_Aint* extent) {
  static const auto real = next_definition<decltype(::PMPI_Type_get_true_extent)>("PMPI_Type_get_true_extent");
  const int status = real(type, lower, extent);
  if (status != MPI_SUCCESS) return status;
  const mpiio::LayoutPointer layout = layout_of(type);
  *lower = layout->begin();
  *extent = layout->end() - layout->begin();
  return MPI_SUCCESS;
}
extern "C" int PMPI_Type_get_true_extent(MPI_Datatype, MPI_Aint*, MPI_Aint*)
    __attribute__((alias("MPI_Type_get_true_extent")));

extern "C" int MPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count* lower, MPI_Count* extent) {
  MPI_Aint l = 0;
  MPI_Aint e = 0;
  const int status = MPI_Type_get_true_extent(type, &l, &e);
  if (status != MPI_SUCCESS) return status;
  *lower = l;
  *extent = e;
  return MPI_SUCCESS;
}
extern "C" int PMPI_Type_get_true_extent_x(MPI_Datatype, MPI_Count*, MPI_Count*)
    __attribute__((alias("MPI_Type_get_true_extent_x")));

extern "C" int MPI_Type_get_envelope(MPI_Datatype type, int* numbers, int* addresses, int* types, int* combiner) {
  static const auto real = next_definition<decltype(::PMPI_Type_get_envelope)>("PMPI_Type_get_envelope");
  const int status = real(type, numbers, addresses, types, combiner);
  if (status == MPI_SUCCESS && *combiner == MPI_COMBINER_INDEXED && *addresses > 0) *combiner = MPI_COMBINER_STRUCT;
  return status;
}
extern "C" int PMPI_Type_get_envelope(MPI_Datatype, int*, int*, int*, int*)
    __attribute__((alias("MPI_Type_get_envelope")));

// When unpacking, SMPI does not handle MPI_BOTTOM, and takes the size of the whole buffer for the size of its rest.
extern "C" int MPI_Unpack(const void* packed, int size, int* position, void* data, int count, MPI_Datatype type,
                          MPI_Comm comm) {
  static const auto real = next_definition<decltype(::PMPI_Unpack)>("PMPI_Unpack");
  const mpiio::LayoutPointer layout = layout_of(type);
  if (data != MPI_BOTTOM || layout == nullptr || packed == nullptr || position == nullptr || count < 0)
    return real(packed, size, position, data, count, type, comm);
  char nothing = 0;
  int unused = 0; // SMPI checks the other arguments
  if (const int status = real(packed, size, &unused, &nothing, 0, type, comm); status != MPI_SUCCESS) return status;
  if (*position + count * layout->size() > size) return MPI_ERR_TRUNCATE;
  unpack(static_cast<const char*>(packed) + *position, count * layout->size(), *layout, data);
  *position += static_cast<int>(count * layout->size());
  return MPI_SUCCESS;
}
extern "C" int PMPI_Unpack(const void*, int, int*, void*, int, MPI_Datatype, MPI_Comm)
    __attribute__((alias("MPI_Unpack")));
