// SPDX-License-Identifier: BSD-3-Clause
// File actions of a program script: MPI_File_* calls with the recorded arguments.
#pragma once
#include "sw/workloads/trace/trace_types.hpp"
#include <string>

namespace hypermon::workloads {

class ScriptFiles {
public:
  /// The buffers must be large enough for every access; the script gives the size for each rank.
  ScriptFiles(const ScriptFile& script, const void* out, void* in)
      : script_(script), types_(script), out_(out), in_(in) {}

  /// `request`: of a non-blocking access; null for all others.
  void issue(const Action& a, MPI_Comm comm, MPI_Request* request) {
    switch (a.operation) {
    case Operation::file_open:
      return open(a, comm);
    case Operation::file_close:
      MPI_File_close(&file(a));
      return;
    case Operation::file_delete: {
      const Named named(script_, a.list);
      MPI_File_delete(named.name.c_str(), named.info);
      return;
    }
    case Operation::file_set_size:
      MPI_File_set_size(file(a), a.size);
      return;
    case Operation::file_preallocate:
      MPI_File_preallocate(file(a), a.size);
      return;
    case Operation::file_set_info:
      MPI_File_set_info(file(a), Named(script_, a.list).info);
      return;
    case Operation::file_set_view:
      return view(a);
    case Operation::file_sync:
      MPI_File_sync(file(a));
      return;
    case Operation::file_seek:
      MPI_File_seek(file(a), a.size, whence(a));
      return;
    case Operation::file_seek_shared:
      MPI_File_seek_shared(file(a), a.size, whence(a));
      return;
    default:
      const bool starts =
          (a.operation >= Operation::iread && a.operation < Operation::write) || a.operation >= Operation::iwrite;
      if (starts && request == nullptr) script_.fail("an access that does not block, without a request");
      return a.operation < Operation::write ? read(a, request) : write(a, request);
    }
  }

private:
  /// The name and the hints for opening a file, each terminated by 0: a whole list, or the end of one.
  struct Named {
    Named(const ScriptFile& script, std::int64_t list) : Named(script, script.list(list)) {}
    Named(const ScriptFile& script, std::span<const std::int64_t> bytes) {
      std::vector<std::string> words{""};
      for (const auto byte : bytes) {
        if (byte == 0)
          words.emplace_back();
        else
          words.back().push_back(static_cast<char>(byte));
      }
      words.pop_back();
      if (words.size() % 2 != 1) script.fail("a file's name or hint that does not end");
      name = words.front();
      if (words.size() > 1) MPI_Info_create(&info);
      for (std::size_t i = 1; i < words.size(); i += 2) MPI_Info_set(info, words[i].c_str(), words[i + 1].c_str());
    }
    ~Named() {
      if (info != MPI_INFO_NULL) MPI_Info_free(&info);
    }
    Named(const Named&) = delete;
    Named& operator=(const Named&) = delete;
    std::string name;
    MPI_Info info = MPI_INFO_NULL;
  };

  MPI_File& file(const Action& a) {
    const auto number = static_cast<std::size_t>(a.peer);
    if (a.peer < 0 || number >= files_.size() || files_[number] == MPI_FILE_NULL)
      script_.fail("no open file " + std::to_string(a.peer));
    return files_[number];
  }
  int whence(const Action& a) const {
    if (a.tag < 0 || a.tag > 2) script_.fail("a seek from " + std::to_string(a.tag));
    return std::array{MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END}[static_cast<std::size_t>(a.tag)];
  }
  /// Datatype of one item in memory.
  MPI_Datatype memory(const Action& a) {
    if (a.tag < 0) script_.fail("an access to " + std::to_string(a.tag) + " items");
    return a.list < 0 ? types_.bytes(a.element) : types_(script_.list(a.list));
  }

  void open(const Action& a, MPI_Comm comm) {
    const auto number = static_cast<std::size_t>(a.peer);
    if (a.peer < 0) script_.fail("a file's number " + std::to_string(a.peer));
    if (number >= files_.size()) files_.resize(number + 1, MPI_FILE_NULL);
    const Named named(script_, a.list);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL); // for files to be opened: the recorded call succeeded
    MPI_File_open(comm, named.name.c_str(), a.tag, named.info, &files_[number]);
  }
  /// The list has the length of the element type's layout, the layout, the same for the file type, and the hints.
  void view(const Action& a) {
    const auto list = script_.list(a.list);
    std::span<const std::int64_t> left(list);
    const auto take = [&] {
      if (left.empty() || left[0] < 0 || static_cast<std::size_t>(left[0]) >= left.size())
        script_.fail("a view that is not whole");
      const auto layout = left.subspan(1, static_cast<std::size_t>(left[0]));
      left = left.subspan(1 + layout.size());
      return types_(layout);
    };
    const MPI_Datatype etype = take();
    const MPI_Datatype filetype = take();
    MPI_File_set_view(file(a), a.size, etype, filetype, "native", Named(script_, left).info);
  }

  void read(const Action& a, MPI_Request* request) {
    const MPI_Datatype type = memory(a);
    MPI_Status* const ignored = MPI_STATUS_IGNORE;
    MPI_File& f = file(a);
    switch (a.operation) {
    case Operation::read:
      MPI_File_read(f, in_, a.tag, type, ignored);
      break;
    case Operation::read_at:
      MPI_File_read_at(f, a.size, in_, a.tag, type, ignored);
      break;
    case Operation::read_all:
      MPI_File_read_all(f, in_, a.tag, type, ignored);
      break;
    case Operation::read_at_all:
      MPI_File_read_at_all(f, a.size, in_, a.tag, type, ignored);
      break;
    case Operation::read_shared:
      MPI_File_read_shared(f, in_, a.tag, type, ignored);
      break;
    case Operation::read_ordered:
      MPI_File_read_ordered(f, in_, a.tag, type, ignored);
      break;
    case Operation::iread:
      MPI_File_iread(f, in_, a.tag, type, request);
      break;
    case Operation::iread_at:
      MPI_File_iread_at(f, a.size, in_, a.tag, type, request);
      break;
    case Operation::iread_all:
      MPI_File_iread_all(f, in_, a.tag, type, request);
      break;
    case Operation::iread_at_all:
      MPI_File_iread_at_all(f, a.size, in_, a.tag, type, request);
      break;
    default:
      MPI_File_iread_shared(f, in_, a.tag, type, request);
    }
  }
  void write(const Action& a, MPI_Request* request) {
    const MPI_Datatype type = memory(a);
    MPI_Status* const ignored = MPI_STATUS_IGNORE;
    MPI_File& f = file(a);
    switch (a.operation) {
    case Operation::write:
      MPI_File_write(f, out_, a.tag, type, ignored);
      break;
    case Operation::write_at:
      MPI_File_write_at(f, a.size, out_, a.tag, type, ignored);
      break;
    case Operation::write_all:
      MPI_File_write_all(f, out_, a.tag, type, ignored);
      break;
    case Operation::write_at_all:
      MPI_File_write_at_all(f, a.size, out_, a.tag, type, ignored);
      break;
    case Operation::write_shared:
      MPI_File_write_shared(f, out_, a.tag, type, ignored);
      break;
    case Operation::write_ordered:
      MPI_File_write_ordered(f, out_, a.tag, type, ignored);
      break;
    case Operation::iwrite:
      MPI_File_iwrite(f, out_, a.tag, type, request);
      break;
    case Operation::iwrite_at:
      MPI_File_iwrite_at(f, a.size, out_, a.tag, type, request);
      break;
    case Operation::iwrite_all:
      MPI_File_iwrite_all(f, out_, a.tag, type, request);
      break;
    case Operation::iwrite_at_all:
      MPI_File_iwrite_at_all(f, a.size, out_, a.tag, type, request);
      break;
    default:
      MPI_File_iwrite_shared(f, out_, a.tag, type, request);
    }
  }

  const ScriptFile& script_;
  ScriptTypes types_;
  const void* out_;
  void* in_;
  std::vector<MPI_File> files_;
};

} // namespace hypermon::workloads
