// SPDX-License-Identifier: BSD-3-Clause
// Datatypes from a program script's lists: positions of bytes in memory or in a file.
#pragma once
#include "sw/workloads/common/script.hpp"
#include <climits>
#include <map>
#include <mpi.h>
#include <span>
#include <vector>

namespace hypermon::workloads {

/// Makes each datatype once, and frees all of them in the destructor.
class ScriptTypes {
public:
  explicit ScriptTypes(const ScriptFile& file) : file_(file) {}
  ~ScriptTypes() {
    for (auto& [values, type] : made_) MPI_Type_free(&type);
  }
  ScriptTypes(const ScriptTypes&) = delete;
  ScriptTypes& operator=(const ScriptTypes&) = delete;

  /// `layout`: lower bound and extent, then offset, bytes, stride and count of each run.
  MPI_Datatype operator()(std::span<const std::int64_t> layout) {
    std::vector<std::int64_t> values(layout.begin(), layout.end());
    const auto found = made_.find(values);
    if (found != made_.end()) return found->second;
    if (values.size() < 2 || (values.size() - 2) % 4 != 0)
      file_.fail("a datatype of " + std::to_string(values.size()) + " numbers");
    MPI_Datatype type = make(values);
    MPI_Type_commit(&type);
    return made_.emplace(std::move(values), type).first->second;
  }
  MPI_Datatype bytes(std::int64_t bytes) {
    const std::array<std::int64_t, 6> layout{0, bytes, 0, bytes, bytes, 1};
    return (*this)(layout);
  }

private:
  MPI_Datatype make(const std::vector<std::int64_t>& values) const {
    std::vector<int> counts;
    std::vector<MPI_Aint> offsets;
    std::vector<MPI_Datatype> runs;
    for (std::size_t i = 2; i < values.size(); i += 4) {
      const auto bytes = values[i + 1];
      const auto count = values[i + 3];
      if (bytes < 0 || bytes > INT_MAX || count < 0 || count > INT_MAX)
        file_.fail("a datatype of " + std::to_string(count) + " times " + std::to_string(bytes) + " B");
      counts.push_back(1);
      offsets.push_back(values[i]);
      runs.push_back(MPI_DATATYPE_NULL);
      MPI_Type_create_hvector(static_cast<int>(count), static_cast<int>(bytes), values[i + 2], MPI_BYTE, &runs.back());
    }
    MPI_Datatype all = MPI_DATATYPE_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(runs.size()), counts.data(), offsets.data(), runs.data(), &all);
    MPI_Type_create_resized(all, values[0], values[1], &type);
    MPI_Type_free(&all);
    for (auto& run : runs) MPI_Type_free(&run);
    return type;
  }

  const ScriptFile& file_;
  std::map<std::vector<std::int64_t>, MPI_Datatype> made_;
};

} // namespace hypermon::workloads
