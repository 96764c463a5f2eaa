// SPDX-License-Identifier: BSD-3-Clause
// The processes' records in the run's folder: `trace.npy` has one row per record, in the order in which the records
// left their buffers. Timestamps are corrected at the end, when the clocks' lines are known. Until then the rows are in
// a temporary file, so that memory does not grow with the run.
#pragma once
#include "base/npy_file.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/monitors/software/core/clock_line.hpp"
#include "sw/monitors/software/core/trace_buffer.hpp"

#include <filesystem>
#include <memory>
#include <vector>

namespace hypermon::software {

struct TraceRow {
  std::int64_t made_ps;
  std::int64_t stamp_ps;
  std::int64_t arrived_ps; ///< time of arrival on its server; -1: it stayed in memory
  std::uint64_t argument;
  std::uint32_t rank;
  std::uint32_t kind;
};

class TraceFile {
public:
  explicit TraceFile(const std::filesystem::path& folder);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  void add(std::uint32_t rank, const std::vector<Record>& records, Time arrived);
  /// Writes trace.npy with the clock line of each rank. Returns the error of the corrected timestamps.
  TimestampError close(const std::vector<ClockLine>& lines);

private:
  std::filesystem::path folder_;
  std::filesystem::path part_;
  std::ofstream rows_;
};

} // namespace hypermon::software

namespace hypermon {
template <>
inline constexpr const char* npy_type<software::TraceRow> =
    "[('made_ps', '<i8'), ('stamp_ps', '<i8'), ('arrived_ps', '<i8'), ('of', '<u8'), ('rank', '<u4'), ('kind', '<u4')]";
} // namespace hypermon
