// SPDX-License-Identifier: BSD-3-Clause
// What the program's own code takes, from a measurement on the host: its regions are the code between two MPI calls,
// known by the calls' places in the object. Measured once (`hypermon calibrate`), charged in later runs, so that these
// do not depend on the host.
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

/// Where two MPI calls return to in the object; `outside` for calls that return elsewhere.
struct Region {
  static constexpr std::int64_t outside = -1;
  std::int64_t from;
  std::int64_t to;
  auto operator<=>(const Region&) const = default;
};

using ObjectOf = std::function<const LoadedObject&(int rank)>;

/// Tells at each call of MPI which region has just ended.
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
  std::vector<std::optional<std::int64_t>> at_; // the last call's place
};

/// The host's CPU time of every region.
class MeasuredRegions final : public RegionObserver {
public:
  MeasuredRegions(int ranks, ObjectOf object_of);
  /// Of the file that `hypermon calibrate` completes: {"regions": [{from, to, count, mean_ns, spread_ns}]}.
  Json to_json() const;

private:
  struct Begin {
    double ns = 0;
    std::uint64_t call = 0;
  };
  struct Sum { // Welford's
    std::uint64_t count = 0;
    double mean = 0;
    double squares = 0;
  };
  void begin(int rank) override;
  void end(int rank, Region region) override;

  double clock_ns_; // of a reading of the clock
  std::vector<Begin> began_;
  std::uint64_t calls_ = 0; // of all ranks: a rank that was not alone in between has not been measured
  std::map<Region, Sum> sums_;
};

/// Charges each region what a calibration says, times a factor; nothing if it does not know the region.
class ChargedRegions final : public RegionObserver {
public:
  /// Throws UserError if the file is no calibration, or one of another object.
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
