// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpiio/core/access.hpp"

#include <cstring>

namespace hypermon::mpiio {
namespace {

/// Calls f(in memory, in the file, bytes) for each piece of the range that is contiguous in both.
template <class F> void for_each_pair(const Access& access, DataRange part, F&& f) {
  Run memory{};
  Run file{};
  while (part.begin < part.end) {
    if (memory.bytes == 0) memory = access.memory_run(part.begin, part.end);
    if (file.bytes == 0) file = access.file_run(part.begin, part.end);
    const std::int64_t bytes = std::min(memory.bytes, file.bytes);
    f(access.memory + memory.offset, file.offset, bytes);
    part.begin += bytes;
    memory = {memory.offset + bytes, memory.bytes - bytes};
    file = {file.offset + bytes, file.bytes - bytes};
  }
}

} // namespace

DataRange Access::within(std::int64_t begin, std::int64_t end) const {
  const auto data = [&](std::int64_t offset) {
    return std::clamp<std::int64_t>(in_file.below(offset) - first, 0, bytes);
  };
  return {data(begin), data(end)};
}

std::int64_t Access::available(std::int64_t size) const {
  if (in_file.is_ascending()) return within(0, size).end;
  std::int64_t found = 0;
  while (found < bytes) { // up to the first byte that is beyond the size
    const Run run = file_run(found, bytes);
    const std::int64_t there = std::clamp<std::int64_t>(size - run.offset, 0, run.bytes);
    found += there;
    if (there < run.bytes) break;
  }
  return found;
}

void Access::write(FileContents& file, DataRange part) const {
  file.begin_pieces();
  for_each_pair(*this, part,
                [&](const char* data, std::int64_t offset, std::int64_t n) { file.write(offset, data, n); });
  file.end_pieces();
}

void Access::read(FileContents& file, DataRange part) const {
  file.begin_pieces();
  for_each_pair(*this, part, [&](char* data, std::int64_t offset, std::int64_t n) { file.read(offset, data, n); });
  file.end_pieces();
}

void Access::pack(DataRange part, char* packed) const {
  for_each_run(in_memory, part.begin, part.end, [&](Run run) {
    std::memcpy(packed, memory + run.offset, static_cast<std::size_t>(run.bytes));
    packed += run.bytes;
  });
}

void Access::unpack(DataRange part, const char* packed) const {
  for_each_run(in_memory, part.begin, part.end, [&](Run run) {
    std::memcpy(memory + run.offset, packed, static_cast<std::size_t>(run.bytes));
    packed += run.bytes;
  });
}

void Access::write_packed(FileContents& file, DataRange part, const char* packed) const {
  file.begin_pieces();
  for_each_run(in_file, first + part.begin, first + part.end, [&](Run run) {
    file.write(run.offset, packed, run.bytes);
    packed += run.bytes;
  });
  file.end_pieces();
}

void Access::read_packed(FileContents& file, DataRange part, char* packed) const {
  file.begin_pieces();
  for_each_run(in_file, first + part.begin, first + part.end, [&](Run run) {
    file.read(run.offset, packed, run.bytes);
    packed += run.bytes;
  });
  file.end_pieces();
}

} // namespace hypermon::mpiio
