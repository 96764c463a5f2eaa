// SPDX-License-Identifier: BSD-3-Clause
// What became of the profiles that went into monholes; and their sink, which does what the processes could not: it
// makes directories and files, and renames these.
#pragma once
#include "sw/monitors/supermon/writer.hpp"
#include "sw/monitors/tau/monhole_control.hpp"
#include "sw/monitors/tau/profile_log.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hypermon::tau {

/// (tau (rank 3) (dump 17) (mkdir PATH)... (file PATH TEXT) (rename PATH PATH))
struct ProfileEntry {
  int rank = 0;
  std::uint64_t dump = 0;
  std::vector<std::string> directories; ///< to be made first
  std::string file;
  std::string renamed; ///< to which name; empty: it keeps its own
  std::string text;    ///< TAU's, byte for byte
};
std::string write_entry(const ProfileEntry& entry);
/// Throws SexprError.
ProfileEntry read_entry(const supermon::Sexpr& expression);

class MonholeDumps final : public supermon::Writer {
public:
  /// `folder`: the run's; what the sink makes is in its folder `sink`.
  MonholeDumps(ProfileLog& log, const std::filesystem::path& folder, MonholeControl& control)
      : log_(log), control_(control), folder_(folder / "sink") {}

  // --- from the processes' side ------------------------------------------------------------------------------------
  /// It leaves its process: by this number from now on.
  std::uint64_t send(const Dump& dump);
  /// The node's mon begins to take it.
  void taken(NodeId node, std::uint64_t number) { taking_[node] = number; }
  /// It never came into a buffer.
  void lose(std::uint64_t number, const char* cause) { dumps_.at(number).cause = cause; }

  // --- from Supermon's -----------------------------------------------------------------------------------------------
  void put(NodeId node, std::uint64_t entry, bool is_kept) override;
  void arrive(NodeId node, const supermon::Entry& entry, const supermon::Sexpr& text, std::uint32_t sink,
              Time now) override;
  void miss(NodeId node, const supermon::Entry& entry, const char* cause) override;
  void die(NodeId node, const supermon::Entry& entry) override;
  void stay(NodeId node, const supermon::Entry& entry) override;
  void command(NodeId node, std::string_view expression, Time) override { control_.command(node, expression); }
  std::string command_of(std::uint32_t sink, Time) override { return control_.command_of(sink); }
  /// Each routine's calls, subroutines, exclusive and inclusive time, the latter in nanoseconds.
  std::vector<supermon::Row> rows_of(const supermon::Sexpr& text) override;

  /// Nothing arrives any more: what has not is lost, and the sink's files are written.
  void finish();

private:
  struct UnderWay {
    Dump dump;
    bool has_arrived = false;
    const char* stage = "monhole";
    const char* cause = "unfinished"; ///< if it does not arrive: in the socket until mon takes it
  };
  UnderWay& of(NodeId node, const supermon::Entry& entry) { return dumps_.at(numbers_.at({node, entry.number})); }

  ProfileLog& log_;
  MonholeControl& control_;
  std::filesystem::path folder_;
  std::vector<UnderWay> dumps_; // by number
  std::map<NodeId, std::uint64_t> taking_;
  std::map<std::pair<NodeId, std::uint64_t>, std::uint64_t> numbers_; // by entry
  std::map<std::string, std::string> files_;                          // the sink's, by their names
};

} // namespace hypermon::tau
