// SPDX-License-Identifier: BSD-3-Clause
// Time of the program's own code, from a measurement on the host. A region is the code between two MPI calls,
// identified by the positions of the calls in the object. Regions are measured once (`hypermon calibrate`) and charged
// in later runs, so that these do not depend on the host.
#pragma once
#include "base/json_value.hpp"
#include "base/results.hpp"
#include "base/time.hpp"
#include "sw/mpi/observer.hpp"
#include "sw/workloads/loaded_object.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermon {

/// Return addresses of two MPI calls in the object; `outside` for calls that return elsewhere.
struct Region {
  static constexpr std::int64_t outside = -1;
  std::int64_t from;
  std::int64_t to;
  auto operator<=>(const Region&) const = default;
};

using ObjectOf = std::function<const LoadedObject&(int rank)>;

/// Determines at each MPI call which region has just ended.
class RegionObserver : public MpiObserver {
public:
  /// `object_of`: a rank's copy of the program.
  RegionObserver(int ranks, ObjectOf object_of)
      : object_of_(std::move(object_of)), at_(static_cast<std::size_t>(ranks)) {}
  void enter(const RankState& rank, const MpiCall& call) final;
  void leave(const RankState& rank, const MpiCall& call) final;

private:
  virtual void begin(int rank) = 0;
  virtual void end(int rank, Region region) = 0;

  ObjectOf object_of_;
  std::vector<std::optional<std::int64_t>> at_; // position of the last call
};

/// CPU time of every region on the host.
class MeasuredRegions final : public RegionObserver {
public:
  MeasuredRegions(int ranks, ObjectOf object_of);
  /// Contents for the file that `hypermon calibrate` completes: {"regions": [{from, to, count, mean_ns, spread_ns}]}.
  Json to_json() const;

private:
  struct Begin {
    double ns = 0;
    std::uint64_t call = 0;
  };
  struct Sum { // Welford's algorithm
    std::uint64_t count = 0;
    double mean = 0;
    double squares = 0;
  };
  void begin(int rank) override;
  void end(int rank, Region region) override;

  double clock_ns_; // duration of one read of the clock
  std::vector<Begin> began_;
  std::uint64_t calls_ = 0; // calls of all ranks; shows if another rank ran in between
  std::map<Region, Sum> sums_;
};

/// Charges each region the time in a calibration, multiplied by a factor. Unknown regions are not charged.
class ChargedRegions final : public RegionObserver {
public:
  /// Throws UserError if the file is not a calibration, or belongs to another object.
  ChargedRegions(int ranks, ObjectOf object_of, const std::string& file, const std::string& object_sha256,
                 double factor);
  /// {regions, charges, charged_s, unmeasured_regions, unmeasured_passes}
  ResultValues report() const;

private:
  void begin(int) override {}
  void end(int rank, Region region) override;

  std::map<Region, Time> times_;
  std::map<Region, std::uint64_t> passes_;
  Time charged_;
};

} // namespace hypermon
