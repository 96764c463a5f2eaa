// SPDX-License-Identifier: BSD-3-Clause
// Fate of the profiles that were written into monholes, and their sink. The sink does what the processes could not do:
// it makes directories and files, and renames the files.
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
  std::vector<std::string> directories; ///< made first
  std::string file;
  std::string renamed; ///< new name; empty: keeps its name
  std::string text;    ///< TAU's text, byte for byte
};
std::string write_entry(const ProfileEntry& entry);
/// Throws SexprError.
ProfileEntry read_entry(const supermon::Sexpr& expression);

class MonholeDumps final : public supermon::Writer {
public:
  /// `folder`: the run's folder; the sink writes into its subfolder `sink`.
  MonholeDumps(ProfileLog& log, const std::filesystem::path& folder, MonholeControl& control)
      : log_(log), control_(control), folder_(folder / "sink") {}

  // --- from the processes' side ------------------------------------------------------------------------------------
  /// The profile leaves its process. Returns the number that identifies it from now on.
  std::uint64_t send(const Dump& dump);
  /// The node's mon begins to read the profile.
  void taken(NodeId node, std::uint64_t number) { taking_[node] = number; }
  /// The profile was lost before it reached a buffer.
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
  /// Calls, subroutines, exclusive and inclusive time of each routine; times are in nanoseconds.
  std::vector<supermon::Row> rows_of(const supermon::Sexpr& text) override;

  /// No more profiles arrive: the others are lost, and the sink's files are written.
  void finish();

private:
  struct UnderWay {
    Dump dump;
    bool has_arrived = false;
    const char* stage = "monhole";
    /// cause of the loss if it does not arrive; until the mon reads it, the profile is in the socket
    const char* cause = "unfinished";
  };
  UnderWay& under_way(NodeId node, const supermon::Entry& entry) {
    return dumps_.at(numbers_.at({node, entry.number}));
  }

  ProfileLog& log_;
  MonholeControl& control_;
  std::filesystem::path folder_;
  std::vector<UnderWay> dumps_; // by number
  std::map<NodeId, std::uint64_t> taking_;
  std::map<std::pair<NodeId, std::uint64_t>, std::uint64_t> numbers_; // by entry
  std::map<std::string, std::string> files_;                          // files of the sink, by name
};

} // namespace hypermon::tau
