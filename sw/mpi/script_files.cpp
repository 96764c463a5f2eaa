// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/file_call.hpp"
#include "sw/mpi/script_call.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace hypermon {
namespace {
using mpiio::Layout;
using mpiio::Runs;

/// Lower bound and extent, then offset, bytes, stride and count of each run; the offsets are shifted by `shift`.
std::vector<std::int64_t> numbers_of(const Layout& layout, std::int64_t shift) {
  std::vector<std::int64_t> numbers{layout.lower() + shift, layout.extent()};
  for (const Runs& run : layout.runs())
    numbers.insert(numbers.end(), {run.offset + shift, run.bytes, run.stride, run.count});
  return numbers;
}

bool is_whole(const Layout& layout) {
  return layout.pieces() == 1 && layout.begin() == 0 && layout.lower() == 0 && layout.extent() == layout.size();
}

/// Lowest byte of `count` items.
std::int64_t lowest_byte(const Layout& layout, int count) {
  return layout.begin() + std::min<std::int64_t>(0, (count - 1) * layout.extent());
}

void append(std::vector<std::int64_t>& list, std::string_view text) {
  for (const char c : text) list.push_back(static_cast<unsigned char>(c));
  list.push_back(0);
}

/// A name, followed by the hints as the program gave them.
std::vector<std::int64_t> text_of(std::string_view name, const FileCall& file) {
  std::vector<std::int64_t> list;
  append(list, name);
  for (const auto& [key, value] : file.hints) {
    append(list, key);
    append(list, value);
  }
  return list;
}

std::int32_t whence_of(int whence) { return whence == MPI_SEEK_SET ? 0 : whence == MPI_SEEK_CUR ? 1 : 2; }

} // namespace

bool ScriptRecorder::Call::in_file(Action& a) {
  const auto found = own_.files.find(call_.file()->handle);
  if (found == own_.files.end()) {
    lost("left out, of a file that the script does not have");
    return false;
  }
  a.peer = found->second;
  return true;
}

void ScriptRecorder::Call::opened() {
  const FileCall& file = *call_.file();
  Action a;
  a.operation = Operation::file_open;
  if (file.handle == 0) return lost("left out, of a file system of which only SMPI knows");
  if (!in_comm(a)) return;
  a.peer = new_number(own_.free_files, own_.next_file);
  own_.files[file.handle] = a.peer;
  a.tag = file.amode;
  a.list = script_.shared_list(text_of(file.file, file));
  add(a);
}

void ScriptRecorder::Call::closed() {
  Action a;
  a.operation = Operation::file_close;
  if (!in_file(a)) return;
  own_.files.erase(call_.file()->handle);
  own_.free_files.push_back(a.peer);
  add(a);
}

void ScriptRecorder::Call::deleted() {
  Action a;
  a.operation = Operation::file_delete;
  a.list = script_.shared_list(text_of(call_.file()->file, *call_.file()));
  add(a);
}

void ScriptRecorder::Call::of_file(Operation operation) {
  const FileCall& file = *call_.file();
  Action a;
  a.operation = operation;
  a.size = file.argument.value_or(0);
  if (operation == Operation::file_seek || operation == Operation::file_seek_shared) a.tag = whence_of(file.whence);
  if (operation == Operation::file_set_info) a.list = script_.shared_list(text_of("", file));
  if (in_file(a)) add(a);
}

void ScriptRecorder::Call::viewed() {
  const FileCall& file = *call_.file();
  Action a;
  a.operation = Operation::file_set_view;
  a.size = file.displacement;
  std::vector<std::int64_t> list;
  for (const auto& layout : {file.etype, file.filetype}) {
    const auto numbers = numbers_of(*layout, 0);
    list.push_back(static_cast<std::int64_t>(numbers.size()));
    list.insert(list.end(), numbers.begin(), numbers.end());
  }
  const auto hints = text_of("", file);
  list.insert(list.end(), hints.begin(), hints.end());
  a.list = script_.shared_list(list);
  if (in_file(a)) add(a);
}

void ScriptRecorder::Call::accessed(Operation operation) {
  const FileCall& file = *call_.file();
  Action a;
  a.operation = operation;
  a.size = file.argument.value_or(0);
  a.tag = file.count;
  const Layout& memory = *file.memory;
  if (is_whole(memory) && memory.size() <= std::numeric_limits<std::uint8_t>::max())
    a.element = static_cast<std::uint8_t>(memory.size());
  else // the begin of the memory does not matter: its lowest byte is placed at 0
    a.list = script_.shared_list(numbers_of(memory, -lowest_byte(memory, file.count)));
  const bool known = in_file(a);
  if (call_.new_request()) {
    a.request = known ? new_request() : unsaid;
    own_.requests[*call_.new_request()] = a.request;
  }
  if (known) add(a);
}

} // namespace hypermon
