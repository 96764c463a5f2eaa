// SPDX-License-Identifier: BSD-3-Clause
// Views, and the positions of the pointers in them.
#include "sw/mpiio/calls.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hypermon::mpiio {
namespace {

MPI_Datatype own_copy(MPI_Datatype type) {
  MPI_Datatype copy = MPI_BYTE;
  if (type != MPI_BYTE) PMPI_Type_dup(type, &copy);
  return copy;
}

/// Checks whether the arguments form a valid view of this file.
int check_view(const Handle& handle, MPI_Offset at, const LayoutPointer& etype, const LayoutPointer& filetype,
               const char* datarep) {
  const bool sequential = handle.has(MPI_MODE_SEQUENTIAL);
  if (at < 0 && at != MPI_DISPLACEMENT_CURRENT) return MPI_ERR_ARG;
  if (sequential != (at == MPI_DISPLACEMENT_CURRENT)) return MPI_ERR_ARG;
  if (etype == nullptr || filetype == nullptr) return MPI_ERR_TYPE;
  if (datarep == nullptr) return MPI_ERR_ARG;
  if (std::strcmp(datarep, "native") != 0 && std::strcmp(datarep, "internal") != 0) return MPI_ERR_UNSUPPORTED_DATAREP;
  const bool fits = etype->size() > 0 && filetype->size() % etype->size() == 0;
  const bool overlaps = !handle.has(MPI_MODE_RDONLY) && !filetype->is_ascending(); // allowed for reading only
  const auto leads_back = [](const LayoutPointer& type) { return type->begin() < 0 || !type->is_nondecreasing(); };
  return !fits || overlaps || leads_back(etype) || leads_back(filetype) ? MPI_ERR_TYPE : MPI_SUCCESS;
}

int set_view(MPI_File file, MPI_Offset at, MPI_Datatype etype, MPI_Datatype filetype, const char* datarep,
             MPI_Info info) {
  Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  const LayoutPointer element = layout_of(etype);
  const LayoutPointer layout = layout_of(filetype);
  const int own = check_view(*handle, at, element, layout, datarep);
  const auto meeting = library().meet(*handle, {.a = own}, [&](Meeting& m) {
    for (const CallArguments& arguments : m.arguments)
      if (arguments.a != MPI_SUCCESS && m.code == MPI_SUCCESS) m.code = static_cast<int>(arguments.a);
    if (m.code != MPI_SUCCESS) return;
    std::fill(m.numbers.begin(), m.numbers.end(), std::exchange(handle->opening->shared_position, 0));
  });
  if (own != MPI_SUCCESS || meeting->code != MPI_SUCCESS) return own != MPI_SUCCESS ? own : meeting->code;
  const std::int64_t shared = meeting->numbers[handle->index]; // the only pointer of a sequential file
  const std::int64_t here = shared == 0 ? handle->displacement : handle->view.at(shared * handle->etype->size()).offset;
  handle->displacement = at == MPI_DISPLACEMENT_CURRENT ? here : at;
  handle->etype = element;
  handle->view = Stream(layout, handle->displacement);
  handle->datarep = datarep;
  handle->position = 0;
  MPI_Datatype old_etype = std::exchange(handle->mpi_etype, own_copy(etype));
  MPI_Datatype old_filetype = std::exchange(handle->mpi_filetype, own_copy(filetype));
  for (MPI_Datatype* type : {&old_etype, &old_filetype})
    if (*type != MPI_BYTE) PMPI_Type_free(type);
  library().take_hints(*handle, info);
  return MPI_SUCCESS;
}

int get_view(MPI_File file, MPI_Offset* at, MPI_Datatype* etype, MPI_Datatype* filetype, char* datarep) {
  const Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (at == nullptr || etype == nullptr || filetype == nullptr || datarep == nullptr) return MPI_ERR_ARG;
  *at = handle->displacement;
  *etype = own_copy(handle->mpi_etype);
  *filetype = own_copy(handle->mpi_filetype);
  std::strcpy(datarep, handle->datarep.c_str());
  return MPI_SUCCESS;
}

/// Target position of a seek; none if it is invalid.
std::optional<std::int64_t> sought(const Handle& handle, std::int64_t position, MPI_Offset by, int whence) {
  if (whence != MPI_SEEK_SET && whence != MPI_SEEK_CUR && whence != MPI_SEEK_END) return std::nullopt;
  const std::int64_t from = whence == MPI_SEEK_SET ? 0 : whence == MPI_SEEK_CUR ? position : handle.end();
  return from + by < 0 ? std::nullopt : std::optional(from + by);
}

int seek(MPI_File file, MPI_Offset by, int whence) {
  Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (handle->has(MPI_MODE_SEQUENTIAL)) return MPI_ERR_UNSUPPORTED_OPERATION;
  const auto to = sought(*handle, handle->position, by, whence);
  if (!to) return MPI_ERR_ARG;
  handle->position = *to;
  return MPI_SUCCESS;
}

int seek_shared(MPI_File file, MPI_Offset by, int whence) {
  Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (handle->has(MPI_MODE_SEQUENTIAL)) return MPI_ERR_UNSUPPORTED_OPERATION;
  return library()
      .meet(*handle, {.a = by, .b = whence},
            [&](Meeting& m) {
              const auto to = sought(*handle, handle->opening->shared_position, by, whence);
              for (const CallArguments& arguments : m.arguments)
                if (!to || arguments.a != by || arguments.b != whence) m.code = MPI_ERR_ARG;
              if (m.code == MPI_SUCCESS) handle->opening->shared_position = *to;
            })
      ->code;
}

int get_position(MPI_File file, MPI_Offset* offset) {
  const Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (offset == nullptr) return MPI_ERR_ARG;
  if (handle->has(MPI_MODE_SEQUENTIAL)) return MPI_ERR_UNSUPPORTED_OPERATION;
  *offset = handle->position;
  return MPI_SUCCESS;
}

int get_position_shared(MPI_File file, MPI_Offset* offset) {
  const Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (offset == nullptr) return MPI_ERR_ARG;
  if (handle->has(MPI_MODE_SEQUENTIAL)) return MPI_ERR_UNSUPPORTED_OPERATION;
  *offset = handle->opening->shared_position;
  return MPI_SUCCESS;
}

int get_byte_offset(MPI_File file, MPI_Offset offset, MPI_Offset* at) {
  const Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (offset < 0 || at == nullptr) return MPI_ERR_ARG;
  if (handle->has(MPI_MODE_SEQUENTIAL)) return MPI_ERR_UNSUPPORTED_OPERATION;
  *at = handle->view.element()->size() == 0 ? handle->displacement
                                            : handle->view.at(offset * handle->etype->size()).offset;
  return MPI_SUCCESS;
}

int get_type_extent(MPI_File file, MPI_Datatype type, MPI_Aint* extent) {
  if (library().find(file) == nullptr) return MPI_ERR_FILE;
  if (extent == nullptr) return MPI_ERR_ARG;
  const LayoutPointer layout = layout_of(type);
  if (layout == nullptr) return MPI_ERR_TYPE;
  *extent = layout->extent();
  return MPI_SUCCESS;
}

} // namespace

void add_view_calls(MpiTable& table) {
  HYPERMON_SET(table, set_view, set_view);
  HYPERMON_SET(table, get_view, get_view);
  HYPERMON_SET(table, seek, seek);
  HYPERMON_SET(table, seek_shared, seek_shared);
  HYPERMON_SET(table, get_position, get_position);
  HYPERMON_SET(table, get_position_shared, get_position_shared);
  HYPERMON_SET(table, get_byte_offset, get_byte_offset);
  HYPERMON_SET(table, get_type_extent, get_type_extent);
}

} // namespace hypermon::mpiio
