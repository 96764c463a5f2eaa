// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes: checks them, determines their positions and starts the accesses.
#include "sw/mpi/buffers.hpp"
#include "sw/mpiio/calls.hpp"
#include "sw/mpiio/io_request.hpp"

#include <limits>
#include <type_traits>

namespace hypermon::mpiio {
namespace {

using Kind = FileRequest::Kind;

/// Arguments of an access.
struct AccessArguments {
  Kind kind;
  FilePointer pointer;
  MPI_Offset offset; // for functions with an explicit offset
  const void* data;
  int count;
  MPI_Datatype type;
};

/// Collects the program's arguments, for functions without and with an offset.
template <Kind kind, FilePointer pointer> AccessArguments collect(const void* data, int count, MPI_Datatype type) {
  return {kind, pointer, 0, data, count, type};
}

int check(const Handle* handle, const AccessArguments& arguments) {
  if (handle == nullptr) return MPI_ERR_FILE;
  if (arguments.count < 0) return MPI_ERR_COUNT;
  if (arguments.offset < 0) return MPI_ERR_ARG;
  const LayoutPointer layout = layout_of(arguments.type);
  if (layout == nullptr) return MPI_ERR_TYPE;
  if (arguments.kind == Kind::read && handle->has(MPI_MODE_WRONLY)) return MPI_ERR_ACCESS;
  if (arguments.kind == Kind::write && handle->has(MPI_MODE_RDONLY)) return MPI_ERR_READ_ONLY;
  if (handle->has(MPI_MODE_SEQUENTIAL) && arguments.pointer != FilePointer::shared)
    return MPI_ERR_UNSUPPORTED_OPERATION;
  const std::int64_t bytes = arguments.count * layout->size();
  if (bytes > 0 && handle->view.element()->size() == 0) return MPI_ERR_IO;
  if (bytes % handle->etype->size() != 0) return MPI_ERR_IO;
  // A null pointer or MPI_BOTTOM is a valid buffer only with a datatype of absolute addresses. No valid address is on
  // the first page.
  const bool is_nowhere = address_of(arguments.data) == nullptr && layout->begin() < 4096;
  const bool is_looked_at = library().params().contents == FileBytes::kept || arguments.kind == Kind::read;
  return bytes > 0 && is_nowhere && is_looked_at ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

/// The access from position `place`, in etypes. A read ends at the end of the file.
Access access_at(const Handle& handle, const AccessArguments& arguments, std::int64_t place) {
  const LayoutPointer layout = layout_of(arguments.type);
  Access access;
  access.memory = address_of(arguments.data);
  access.in_memory = Stream(layout);
  access.in_file = handle.view;
  access.first = place * handle.etype->size();
  access.bytes = arguments.count * layout->size();
  if (arguments.kind == Kind::read && access.bytes > 0) access.bytes = access.available(handle.file().contents.size());
  return access;
}

std::int64_t etypes(const Handle& handle, const AccessArguments& arguments) {
  return arguments.count * layout_of(arguments.type)->size() / handle.etype->size();
}

/// Position of a rank's independent access. Advances the shared pointer if the access uses it.
std::int64_t place_of(Handle& handle, const AccessArguments& arguments) {
  if (arguments.pointer == FilePointer::given) return arguments.offset;
  if (arguments.pointer == FilePointer::own) return handle.position;
  return std::exchange(handle.opening->shared_position, handle.opening->shared_position + etypes(handle, arguments));
}

/// Moves the individual pointer behind the accessed data.
void move_pointer(Handle& handle, const AccessArguments& arguments, std::int64_t bytes) {
  if (arguments.pointer == FilePointer::own) handle.position += bytes / handle.etype->size();
}

Outcome alone(Handle& handle, const AccessArguments& arguments) {
  const Access access = access_at(handle, arguments, place_of(handle, arguments));
  const Outcome outcome = access_alone(handle, access, arguments.kind);
  move_pointer(handle, arguments, outcome.bytes);
  return outcome;
}

/// Position by the shared pointer, in the order of the ranks.
std::int64_t place_in_order(Handle& handle, const AccessArguments& arguments) {
  return library()
      .meet(handle, {.a = etypes(handle, arguments)},
            [&](Meeting& m) {
              for (std::size_t i = 0; i < m.arguments.size(); ++i) {
                m.numbers[i] = handle.opening->shared_position;
                handle.opening->shared_position += m.arguments[i].a;
              }
            })
      ->numbers[handle.index];
}

Outcome together(Handle& handle, const AccessArguments& arguments) {
  const bool ordered = arguments.pointer == FilePointer::shared;
  const Access access =
      access_at(handle, arguments, ordered ? place_in_order(handle, arguments) : place_of(handle, arguments));
  const Outcome outcome = access_together(handle, access, arguments.kind);
  move_pointer(handle, arguments, outcome.bytes);
  return outcome;
}

/// A rank with wrong arguments does not take part: as MPI allows, the other ranks then wait for ever.
template <auto How> int blocking(MPI_File file, const AccessArguments& arguments, MPI_Status* status) {
  Handle* handle = library().find(file);
  if (const int code = check(handle, arguments); code != MPI_SUCCESS) return code;
  const Outcome outcome = How(*handle, arguments);
  note_moved(outcome.bytes);
  say(status, outcome.bytes);
  return outcome.code;
}

/// Non-blocking accesses. Each rank performs the collective ones on its own, which MPI allows.
int begin(MPI_File file, const AccessArguments& arguments, MPI_Request* request) {
  Handle* handle = library().find(file);
  if (const int code = check(handle, arguments); code != MPI_SUCCESS) return code;
  if (request == nullptr) return MPI_ERR_REQUEST;
  const Access access = access_at(*handle, arguments, place_of(*handle, arguments));
  move_pointer(*handle, arguments, access.bytes);
  note_moved(access.bytes);
  *request = begin_access(*handle, access, arguments.kind);
  return MPI_SUCCESS;
}

/// A split access is completed when it begins, as in ROMIO.
int begin_split(MPI_File file, const AccessArguments& arguments, const char* name) {
  Handle* handle = library().find(file);
  if (const int code = check(handle, arguments); code != MPI_SUCCESS) return code;
  if (handle->begun != nullptr) return MPI_ERR_IO;
  handle->begun = name;
  const Outcome outcome = together(*handle, arguments);
  note_moved(outcome.bytes);
  handle->begun_code = outcome.code;
  handle->begun_bytes = outcome.bytes;
  return MPI_SUCCESS;
}

int end_split(MPI_File file, MPI_Status* status, const char* name) {
  Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (handle->begun != name) return MPI_ERR_IO;
  handle->begun = nullptr;
  say(status, handle->begun_bytes);
  return handle->begun_code;
}

template <Kind kind> using Data = std::conditional_t<kind == Kind::read, void*, const void*>;

template <Kind kind, auto How>
int at(MPI_File file, MPI_Offset offset, Data<kind> data, int count, MPI_Datatype type, MPI_Status* status) {
  return blocking<How>(file, {kind, FilePointer::given, offset, data, count, type}, status);
}
template <Kind kind, FilePointer pointer, auto How>
int here(MPI_File file, Data<kind> data, int count, MPI_Datatype type, MPI_Status* status) {
  return blocking<How>(file, collect<kind, pointer>(data, count, type), status);
}
template <Kind kind>
int begin_at(MPI_File file, MPI_Offset offset, Data<kind> data, int count, MPI_Datatype type, MPI_Request* request) {
  return begin(file, {kind, FilePointer::given, offset, data, count, type}, request);
}
template <Kind kind, FilePointer pointer>
int begin_here(MPI_File file, Data<kind> data, int count, MPI_Datatype type, MPI_Request* request) {
  return begin(file, collect<kind, pointer>(data, count, type), request);
}

constexpr const char* by_offset[] = {"read_at_all", "write_at_all"};
constexpr const char* by_pointer[] = {"read_all", "write_all"};
constexpr const char* in_order[] = {"read_ordered", "write_ordered"};
constexpr std::size_t n(Kind kind) { return kind == Kind::read ? 0 : 1; }

template <Kind kind> int at_all_begin(MPI_File file, MPI_Offset offset, Data<kind> data, int count, MPI_Datatype type) {
  return begin_split(file, {kind, FilePointer::given, offset, data, count, type}, by_offset[n(kind)]);
}
template <Kind kind> int all_begin(MPI_File file, Data<kind> data, int count, MPI_Datatype type) {
  return begin_split(file, collect<kind, FilePointer::own>(data, count, type), by_pointer[n(kind)]);
}
template <Kind kind> int ordered_begin(MPI_File file, Data<kind> data, int count, MPI_Datatype type) {
  return begin_split(file, collect<kind, FilePointer::shared>(data, count, type), in_order[n(kind)]);
}
template <Kind kind> int at_all_end(MPI_File file, Data<kind>, MPI_Status* status) {
  return end_split(file, status, by_offset[n(kind)]);
}
template <Kind kind> int all_end(MPI_File file, Data<kind>, MPI_Status* status) {
  return end_split(file, status, by_pointer[n(kind)]);
}
template <Kind kind> int ordered_end(MPI_File file, Data<kind>, MPI_Status* status) {
  return end_split(file, status, in_order[n(kind)]);
}

} // namespace

void say(MPI_Status* status, std::int64_t bytes) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->cancelled = 0;
  status->count = static_cast<int>(std::min<std::int64_t>(bytes, std::numeric_limits<int>::max())); // an int in SMPI
}

void add_access_calls(MpiTable& t) {
  constexpr Kind r = Kind::read;
  constexpr Kind w = Kind::write;
  constexpr FilePointer own = FilePointer::own;
  constexpr FilePointer shared = FilePointer::shared;
  HYPERMON_SET(t, read_at, (at<r, alone>));
  HYPERMON_SET(t, read_at_all, (at<r, together>));
  HYPERMON_SET(t, write_at, (at<w, alone>));
  HYPERMON_SET(t, write_at_all, (at<w, together>));
  HYPERMON_SET(t, iread_at, begin_at<r>);
  HYPERMON_SET(t, iread_at_all, begin_at<r>);
  HYPERMON_SET(t, iwrite_at, begin_at<w>);
  HYPERMON_SET(t, iwrite_at_all, begin_at<w>);
  HYPERMON_SET(t, read, (here<r, own, alone>));
  HYPERMON_SET(t, read_all, (here<r, own, together>));
  HYPERMON_SET(t, write, (here<w, own, alone>));
  HYPERMON_SET(t, write_all, (here<w, own, together>));
  HYPERMON_SET(t, iread, (begin_here<r, own>));
  HYPERMON_SET(t, iread_all, (begin_here<r, own>));
  HYPERMON_SET(t, iwrite, (begin_here<w, own>));
  HYPERMON_SET(t, iwrite_all, (begin_here<w, own>));
  HYPERMON_SET(t, read_shared, (here<r, shared, alone>));
  HYPERMON_SET(t, write_shared, (here<w, shared, alone>));
  HYPERMON_SET(t, iread_shared, (begin_here<r, shared>));
  HYPERMON_SET(t, iwrite_shared, (begin_here<w, shared>));
  HYPERMON_SET(t, read_ordered, (here<r, shared, together>));
  HYPERMON_SET(t, write_ordered, (here<w, shared, together>));
  HYPERMON_SET(t, read_at_all_begin, at_all_begin<r>);
  HYPERMON_SET(t, read_at_all_end, at_all_end<r>);
  HYPERMON_SET(t, write_at_all_begin, at_all_begin<w>);
  HYPERMON_SET(t, write_at_all_end, at_all_end<w>);
  HYPERMON_SET(t, read_all_begin, all_begin<r>);
  HYPERMON_SET(t, read_all_end, all_end<r>);
  HYPERMON_SET(t, write_all_begin, all_begin<w>);
  HYPERMON_SET(t, write_all_end, all_end<w>);
  HYPERMON_SET(t, read_ordered_begin, ordered_begin<r>);
  HYPERMON_SET(t, read_ordered_end, ordered_end<r>);
  HYPERMON_SET(t, write_ordered_begin, ordered_begin<w>);
  HYPERMON_SET(t, write_ordered_end, ordered_end<w>);
}

void Library::add_calls(MpiTable& table) {
  messages_ = table;
  add_file_calls(table);
  add_view_calls(table);
  add_access_calls(table);
  add_request_calls(table);
}

} // namespace hypermon::mpiio
