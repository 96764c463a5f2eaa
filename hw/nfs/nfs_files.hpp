// SPDX-License-Identifier: BSD-3-Clause
// The shared file system in a run: its calls go over the platform's networks, actors wait for the answers.
#pragma once
#include "base/results.hpp"
#include "hw/cosim/live_agenda.hpp"
#include "hw/machine/networks.hpp"
#include "hw/nfs/core/nfs.hpp"
#include "hw/nfs/core/shared_files.hpp"
#include "hw/nfs/core/tree.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace hypermon {

class NfsFiles final : public SharedFiles, nfs::Nfs::Below {
public:
  NfsFiles(const Spec& spec, Networks& networks);

  Time call_time(std::int64_t bytes) const override;
  void make_directory(const Place& from, const std::string& path) override;
  FileNumber open(const Place& from, const std::string& path) override;
  void write(const Place& from, const std::string& path, std::int64_t bytes, const std::string& text) override;
  void close(const Place& from, const std::string& path) override;
  void rename(const Place& from, const std::string& old_path, const std::string& to) override;
  void remove(const Place& from, const std::string& path) override;
  std::vector<Entry> list(const Place& from, const std::string& directory) override;
  std::optional<Attributes> attributes(const Place& from, const std::string& path) override;
  std::optional<Contents> read(const Place& from, const std::string& path) override;

  // --- from anywhere ---------------------------------------------------------------------------------------------
  std::int64_t transfer_bytes() const { return params_.transfer_bytes.number; }
  /// Calls of a node with so many bytes of data each, all at once; `answered` is called in maestro behind the last one.
  void call_all(std::uint32_t node, nfs::Procedure procedure, const std::vector<std::int64_t>& parts,
                std::function<void()> answered);
  /// Somebody waits for an answer.
  bool under_way() const { return nfs_.under_way() > 0; }

  void report(Results& results) const;

private:
  using Request = nfs::Nfs::Request;
  using Done = std::function<std::int64_t()>;
  /// What a computer keeps of a file: for how long, nfs.attributes_s says.
  struct Known {
    std::optional<Attributes> attributes;
    Time asked;
  };
  struct Directory {
    std::uint64_t version = 0;
    std::vector<Entry> entries{};
  };
  struct Written { // by a process that has the file open
    FileNumber number{};
    std::int64_t bytes = 0;
    std::string text{};
  };
  using At = std::pair<Place, std::string>;

  void carry(nfs::Client client, bool to_server, std::int64_t bytes, std::function<void()> arrived) override;
  nfs::Client client(const Place& place) const;
  /// `begin(go_on)`: in maestro; blocks the actor until it is called.
  void await(const std::function<void(std::function<void()>)>& begin);
  /// A call, to its answer.
  void ask(const Place& from, const Request& request, Done done);
  /// So many bytes of a file, in calls of up to nfs.transfer_bytes, all at once; to the last answer. `done`: the server
  /// has done all of them.
  void ask_for_data(const Place& from, Request request, std::int64_t bytes, const std::function<void()>& done);
  /// In maestro: calls of so many bytes each; `done` when the server has done the last one.
  void begin_all(nfs::Client client, Request request, const std::vector<std::int64_t>& parts,
                 std::function<void()> done, std::function<void()> answered);
  /// The directory of the path is this process's alone on its computer, while `change` runs.
  template <class Change> void with_directory(const Place& from, const std::string& path, Change&& change);
  /// Its client believes nothing of it any more.
  void forget(const Place& from, const std::string& path) { known_.erase({from, path}); }
  /// LOOKUP, to its answer.
  std::optional<Attributes> look_up(const Place& from, const std::string& path);

  NfsParams params_;
  Networks& networks_;
  NetworkId network_;
  Place server_;
  LiveAgenda live_;
  nfs::Nfs nfs_;
  nfs::Tree tree_;
  std::map<At, Written> written_;
  std::map<At, Known> known_;
  std::map<At, Directory> directories_;
  std::uint64_t read_bytes_ = 0;
  std::uint64_t written_bytes_ = 0;
  std::uint64_t stale_ = 0;
};

} // namespace hypermon
