// SPDX-License-Identifier: BSD-3-Clause
#include "hw/nfs/core/shared_files.hpp"
#include "sw/monitors/tau/file_consumer.hpp"
#include "sw/monitors/tau/file_dumps.hpp"
#include "sw/monitors/tau/system_calls.hpp"
#include "sw/monitors/tau/transports.hpp"
#include "sw/os/execution.hpp"

namespace hypermon::tau {
namespace {

class FileTransport final : public Transport {
public:
  FileTransport(const Spec& spec, ProfileLog& log)
      : params_(spec.get<TauFilesParams>()), log_(log), poller_(params_, log) {}

  void start(Site& site) override {
    files_ = site.shared_files();
    if (!is_fixed()) poller_.start(site);
  }

  void make_directory(RankState& rank, const std::string& path) override {
    system_call(rank, "mkdir", 0, [&] { files_->make_directory(place(rank), below(path)); });
  }
  void open(RankState& rank, const std::string& file) override {
    Open& own = open_[rank.rank];
    own.begin = simgrid_now();
    system_call(rank, "open", 0, [&] { own.file = files_->open(place(rank), below(file)); });
  }
  void write(RankState& rank, const std::string& file, std::string_view text) override {
    const auto bytes = static_cast<std::int64_t>(text.size());
    system_call(rank, "write", bytes, [&] { files_->write(place(rank), below(file), bytes, std::string(text)); });
  }
  void close(RankState& rank, const std::string& file, const Dump& dump) override {
    const SharedFiles::FileNumber number = open_[rank.rank].file;
    if (!is_fixed()) poller_.opened(number, dump);
    system_call(rank, "close", 0, [&] { files_->close(place(rank), below(file)); });
    if (dump.last) is_over(rank, below(file), dump);
  }
  void rename(RankState& rank, const std::string& from, const std::string& to, const Dump& dump) override {
    system_call(rank, "rename", 0, [&] { files_->rename(place(rank), below(from), below(to)); });
    is_over(rank, below(to), dump);
  }

  void finish(Time) override { poller_.finish(); }
  void report(Results& results, Time, Time) const override {
    results.set(times_.report());
    results.set(poller_.report());
  }
  void add_system_calls(ResultRecords& calls) const override { calls_.add_to(calls); }

private:
  struct Open {
    Time begin;
    SharedFiles::FileNumber file{};
  };

  bool is_fixed() const { return Time(params_.fixed_dump_ms) > Time{}; }
  std::string below(const std::string& path) const { return params_.folder + "/" + path; }
  static Place place(const RankState& rank) { return Place::node(rank.kernel->node()); }

  /// The process spends the call's CPU time in the kernel and then waits for the server.
  template <class Call> void system_call(RankState& rank, const char* name, std::int64_t bytes, Call&& call) {
    if (is_fixed()) return;
    const Time begin = simgrid_now();
    execution().kernel_work(rank, [&](NodeKernel& kernel) { kernel.spend(files_->call_time(bytes)); });
    execution().in_system_call(rank, name, call);
    calls_.add(name, simgrid_now() - begin);
  }
  /// Called when the profile is complete under the name that a consumer polls.
  void is_over(RankState& rank, const std::string& path, const Dump& dump) {
    const Open own = open_[rank.rank];
    if (is_fixed()) {
      execution().rest_until(rank, own.begin + Time(params_.fixed_dump_ms));
      log_.lose(dump, "process", "kept");
    } else {
      poller_.is_there(path, own.file);
    }
    if (!dump.last) times_.add(dump.number, own.begin, simgrid_now());
  }

  TauFilesParams params_;
  ProfileLog& log_;
  FilePoller poller_;
  SharedFiles* files_ = nullptr;
  std::map<int, Open> open_; // by rank
  FileDumps times_;
  SystemCalls calls_;
};

} // namespace

std::unique_ptr<Transport> make_file_transport(const MonitorSetting& setting, ProfileLog& log) {
  return std::make_unique<FileTransport>(setting.spec, log);
}

} // namespace hypermon::tau
