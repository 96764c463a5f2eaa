// SPDX-License-Identifier: BSD-3-Clause
// Functions for the files themselves: opening, closing, sizes, properties of an open file, error handlers.
#include "sw/mpi/errors.hpp"
#include "sw/mpiio/calls.hpp"

namespace hypermon::mpiio {
namespace {

/// MPI_SUCCESS, or the error of an invalid access mode.
int check_mode(int amode) {
  const int kinds = ((amode & MPI_MODE_RDONLY) != 0 ? 1 : 0) + ((amode & MPI_MODE_WRONLY) != 0 ? 1 : 0) +
                    ((amode & MPI_MODE_RDWR) != 0 ? 1 : 0);
  const bool makes = (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0;
  if (kinds != 1 || ((amode & MPI_MODE_RDONLY) != 0 && makes) ||
      ((amode & MPI_MODE_RDWR) != 0 && (amode & MPI_MODE_SEQUENTIAL) != 0))
    return MPI_ERR_AMODE;
  return MPI_SUCCESS;
}

/// Called when all ranks have arrived: finds or makes the file.
int open_file(Opening& opening, const Meeting& m, const std::string& name, int amode) {
  for (const CallArguments& arguments : m.arguments)
    if (arguments.b != MPI_SUCCESS) return static_cast<int>(arguments.b);
  for (const CallArguments& arguments : m.arguments)
    if (arguments.a != amode) return MPI_ERR_NOT_SAME;
  const bool exists = library().exists(name);
  if (!exists && (amode & MPI_MODE_CREATE) == 0) return MPI_ERR_NO_SUCH_FILE;
  if (exists && (amode & MPI_MODE_EXCL) != 0) return MPI_ERR_FILE_EXISTS;
  if (const int code = library().make(name, (amode & MPI_MODE_RDONLY) == 0, opening.file); code != MPI_SUCCESS)
    return code;
  opening.amode = amode;
  ++opening.file->openings;
  ++opening.file->opened;
  if ((amode & MPI_MODE_APPEND) != 0) opening.shared_position = opening.file->contents.size();
  return MPI_SUCCESS;
}

int open(MPI_Comm comm, const char* name, int amode, MPI_Info info, MPI_File* file) {
  if (file == nullptr || name == nullptr) return MPI_ERR_ARG;
  *file = MPI_FILE_NULL;
  int rank = 0;
  if (comm == MPI_COMM_NULL || library().messages().Comm_rank(comm, &rank) != MPI_SUCCESS) return MPI_ERR_COMM;
  Handle& handle = library().open(rank_table().self(), comm);
  const auto meeting = library().meet(handle, {.a = amode, .b = check_mode(amode)},
                                      [&](Meeting& m) { m.code = open_file(*handle.opening, m, name, amode); });
  if (meeting->code != MPI_SUCCESS) {
    library().close(handle);
    return meeting->code;
  }
  library().take_hints(handle, info);
  if (handle.has(MPI_MODE_APPEND)) handle.position = handle.opening->shared_position;
  *file = mpi_file(handle);
  return MPI_SUCCESS;
}

int close(MPI_File* file) {
  Handle* handle = file == nullptr ? nullptr : library().find(*file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (handle->begun != nullptr) return MPI_ERR_IO;
  library().meet(*handle, {}, [&](Meeting&) {
    const auto& opening = *handle->opening;
    --opening.file->openings;
    if ((opening.amode & MPI_MODE_DELETE_ON_CLOSE) != 0 && library().is_there(*opening.file))
      library().remove(opening.file->name);
    library().rest(*opening.file);
  });
  library().close(*handle);
  *file = MPI_FILE_NULL;
  return MPI_SUCCESS;
}

int remove(const char* name, MPI_Info) {
  if (name == nullptr) return MPI_ERR_ARG;
  return library().exists(name) ? library().remove(name) : MPI_ERR_NO_SUCH_FILE;
}

/// Collective; all ranks give the same size. `longer`: the file is never shortened.
int resize(MPI_File file, MPI_Offset size, bool longer) {
  Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (size < 0) return MPI_ERR_ARG;
  if (handle->has(MPI_MODE_RDONLY)) return MPI_ERR_READ_ONLY;
  return library()
      .meet(*handle, {.a = size},
            [&](Meeting& m) {
              for (const CallArguments& arguments : m.arguments)
                if (arguments.a != size) m.code = MPI_ERR_ARG;
              FileContents& contents = handle->file().contents;
              if (m.code != MPI_SUCCESS || (longer && size <= contents.size())) return;
              contents.resize(size);
              library().file_system().resize(handle->file().id, size);
            })
      ->code;
}
int set_size(MPI_File file, MPI_Offset size) { return resize(file, size, false); }
int preallocate(MPI_File file, MPI_Offset size) { return resize(file, size, true); }

/// Stores a property of an open file in `*result`.
template <class Result, class Get> int get(MPI_File file, Result* result, Get&& what) {
  const Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (result == nullptr) return MPI_ERR_ARG;
  *result = what(*handle);
  return MPI_SUCCESS;
}

int get_size(MPI_File file, MPI_Offset* size) {
  return get(file, size, [](const Handle& h) { return h.file().contents.size(); });
}
int get_amode(MPI_File file, int* amode) {
  return get(file, amode, [](const Handle& h) { return h.opening->amode; });
}
int get_atomicity(MPI_File file, int* flag) {
  return get(file, flag, [](const Handle& h) { return h.opening->is_atomic ? 1 : 0; });
}
int get_group(MPI_File file, MPI_Group* group) {
  const Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  return library().messages().Comm_group(handle->comm, group);
}

int set_atomicity(MPI_File file, int flag) {
  Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  return library()
      .meet(*handle, {.a = flag != 0 ? 1 : 0},
            [&](Meeting& m) {
              for (const CallArguments& arguments : m.arguments)
                if (arguments.a != m.arguments[0].a) m.code = MPI_ERR_ARG;
              if (m.code == MPI_SUCCESS) handle->opening->is_atomic = flag != 0;
            })
      ->code;
}

int sync(MPI_File file) {
  Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (!handle->has(MPI_MODE_RDONLY)) submit_and_wait(request_for(*handle, FileRequest::Kind::flush));
  library().meet(*handle);
  return MPI_SUCCESS;
}

int set_info(MPI_File file, MPI_Info info) {
  Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  library().take_hints(*handle, info);
  return MPI_SUCCESS;
}

int get_info(MPI_File file, MPI_Info* info) {
  const Handle* handle = library().find(file);
  if (handle == nullptr) return MPI_ERR_FILE;
  if (info == nullptr) return MPI_ERR_ARG;
  PMPI_Info_create(info);
  for (const auto& [key, value] : handle->hints.all()) PMPI_Info_set(*info, key.c_str(), value.c_str());
  return MPI_SUCCESS;
}

int create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handler) {
  const int code = smpi().File_create_errhandler(function, handler);
  if (code == MPI_SUCCESS) library().handlers[*handler] = function;
  return code;
}

int set_errhandler(MPI_File file, MPI_Errhandler handler) {
  Handle* handle = library().find(file);
  if (handle == nullptr && file != MPI_FILE_NULL) return MPI_ERR_FILE;
  if (handler == MPI_ERRHANDLER_NULL) return MPI_ERR_ARG;
  (handle == nullptr ? library().default_handler : handle->handler) = handler;
  return MPI_SUCCESS;
}

int get_errhandler(MPI_File file, MPI_Errhandler* handler) {
  if (library().find(file) == nullptr && file != MPI_FILE_NULL) return MPI_ERR_FILE;
  if (handler == nullptr) return MPI_ERR_ARG;
  *handler = library().handler(file);
  return MPI_SUCCESS;
}

int call_errhandler(MPI_File file, int code) {
  if (library().find(file) == nullptr && file != MPI_FILE_NULL) return MPI_ERR_FILE;
  raise_error(rank_table().self(), code, {.file = file});
  return MPI_SUCCESS;
}

} // namespace

void add_file_calls(MpiTable& table) {
  HYPERMON_SET(table, open, open);
  HYPERMON_SET(table, close, close);
  HYPERMON_SET(table, delete, remove);
  HYPERMON_SET(table, set_size, set_size);
  HYPERMON_SET(table, preallocate, preallocate);
  HYPERMON_SET(table, get_size, get_size);
  HYPERMON_SET(table, get_group, get_group);
  HYPERMON_SET(table, get_amode, get_amode);
  HYPERMON_SET(table, set_info, set_info);
  HYPERMON_SET(table, get_info, get_info);
  HYPERMON_SET(table, set_atomicity, set_atomicity);
  HYPERMON_SET(table, get_atomicity, get_atomicity);
  HYPERMON_SET(table, sync, sync);
  table.File_create_errhandler = create_errhandler;
  table.File_set_errhandler = set_errhandler;
  table.File_get_errhandler = get_errhandler;
  table.File_call_errhandler = call_errhandler;
}

} // namespace hypermon::mpiio
