// SPDX-License-Identifier: BSD-3-Clause
// Hints of MPI_Info objects, with ROMIO's names and values (its Users' Guide; ad_hints.c, ad_pvfs2_hints.c).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermon::mpiio {

enum class Switch : std::uint8_t { automatic, enable, disable };

struct Hints {
  Switch cb_read = Switch::automatic; ///< collective buffering: two-phase I/O
  Switch cb_write = Switch::automatic;
  Switch ds_read = Switch::automatic; ///< data sieving
  Switch ds_write = Switch::automatic;
  std::int64_t cb_nodes = 0; ///< number of aggregators; 0: one for each node
  std::int64_t cb_buffer_size = 16777216;
  std::int64_t ind_rd_buffer_size = 4194304;
  std::int64_t ind_wr_buffer_size = 524288;
  std::int64_t striping_unit = 0; ///< 0: the file system's value
  std::int64_t striping_factor = 0;
  bool no_indep_rw = false;
  // PVFS: access to non-contiguous data, if one of these is set: piece by piece, or the datatype in one request.
  bool posix_read = false;
  bool posix_write = false;
  bool listio_read = false;
  bool listio_write = false;
  bool dtype_read = false;
  bool dtype_write = false;

  /// Sets a hint. If its name is unknown or its value bad, returns the reason; MPI ignores such hints.
  std::optional<std::string> take(const std::string& key, const std::string& value);
  /// The hints for MPI_File_get_info.
  std::vector<std::pair<std::string, std::string>> all() const;
};

} // namespace hypermon::mpiio
