// SPDX-License-Identifier: BSD-3-Clause
// The shared file system in a run: its calls go over the platform's networks, and actors wait for the answers.
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
  /// Starts calls of a node with the given numbers of data bytes, all at once; calls `answered` in maestro after the
  /// last answer.
  void call_all(std::uint32_t node, nfs::Procedure procedure, const std::vector<std::int64_t>& parts,
                std::function<void()> answered);
  /// Whether a call waits for an answer.
  bool under_way() const { return nfs_.under_way() > 0; }

  void report(Results& results) const;

private:
  using Request = nfs::Nfs::Request;
  using Done = std::function<std::int64_t()>;
  /// Attributes that a computer caches for a file, for nfs.attributes_s.
  struct Known {
    std::optional<Attributes> attributes;
    Time asked;
  };
  struct Directory {
    std::uint64_t version = 0;
    std::vector<Entry> entries{};
  };
  struct Written { // written by a process that has the file open
    FileNumber number{};
    std::int64_t bytes = 0;
    std::string text{};
  };
  using At = std::pair<Place, std::string>;

  void carry(nfs::Client client, bool to_server, std::int64_t bytes, std::function<void()> arrived) override;
  nfs::Client client(const Place& place) const;
  /// Calls begin(go_on) in maestro and blocks the actor until go_on is called.
  void await(const std::function<void(std::function<void()>)>& begin);
  /// Makes a call and returns after its answer.
  void ask(const Place& from, const Request& request, Done done);
  /// Makes calls for `bytes` bytes of a file, each of up to nfs.transfer_bytes, all at once. Returns after the last
  /// answer. `done` is called when the server has completed all of them.
  void ask_for_data(const Place& from, Request request, std::int64_t bytes, const std::function<void()>& done);
  /// Starts calls of the given sizes. Calls `done` when the server has completed the last one. Only maestro may call
  /// this.
  void begin_all(nfs::Client client, Request request, const std::vector<std::int64_t>& parts,
                 std::function<void()> done, std::function<void()> answered);
  /// Runs `change` while this process holds the lock of the path's directory on its computer.
  template <class Change> void with_directory(const Place& from, const std::string& path, Change&& change);
  /// Drops what the client has cached of the file.
  void forget(const Place& from, const std::string& path) { known_.erase({from, path}); }
  /// Makes a LOOKUP call and returns after its answer.
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
