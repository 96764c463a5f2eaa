// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/software/trace_file.hpp"
#include "base/user_error.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <string>

namespace hypermon::software {
namespace {

constexpr std::int64_t never_left = -1;

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw UserError(path.string() + ": cannot be written: " + std::strerror(errno));
}

} // namespace

TraceFile::TraceFile(const std::filesystem::path& folder)
    : folder_(folder), part_(folder / ".trace.part"), rows_(part_, std::ios::binary) {
  if (!rows_) refuse(part_);
}

TraceFile::~TraceFile() {
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

void TraceFile::add(std::uint32_t rank, const std::vector<Record>& records, Time arrived) {
  for (const Record& record : records) {
    const TraceRow row{.made_ps = record.made.ps(),
                       .stamp_ps = record.stamp.ps(),
                       .arrived_ps = arrived == Time::never() ? never_left : arrived.ps(),
                       .argument = record.argument,
                       .rank = rank,
                       .kind = static_cast<std::uint32_t>(record.kind)};
    rows_.write(reinterpret_cast<const char*>(&row), sizeof row);
  }
  if (!rows_) refuse(part_);
}

TimestampError TraceFile::close(const std::vector<ClockLine>& lines) {
  rows_.close();
  if (!rows_) refuse(part_);
  TimestampError errors;
  std::ifstream part(part_, std::ios::binary);
  NpyFile<TraceRow> file(folder_ / "trace.npy");
  std::array<TraceRow, 4096> rows; // NOLINT(cppcoreguidelines-pro-type-member-init)
  while (part) {
    part.read(reinterpret_cast<char*>(rows.data()), sizeof rows);
    const std::span read(rows.data(), static_cast<std::size_t>(part.gcount()) / sizeof(TraceRow));
    for (TraceRow& row : read) {
      const Time right = lines[row.rank].right(Time::from_ps(row.stamp_ps));
      row.stamp_ps = right.ps();
      errors.add(right - Time::from_ps(row.made_ps));
    }
    file.append(read);
  }
  file.close();
  return errors;
}

} // namespace hypermon::software
