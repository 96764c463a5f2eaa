// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/file_consumer.hpp"
#include "sw/monitors/tau/file_result_keys.hpp"

namespace hypermon::tau {
namespace {

bool is_of_a_consumer(const std::string& name) { return name.starts_with("dump.") || name.starts_with("profile."); }

} // namespace

void FilePoller::start(Site& site) {
  if (params_.consumer == FileConsumer::off) return;
  SharedFiles& files = *site.shared_files();
  const Place place{params_.place, static_cast<std::uint32_t>(params_.number)};
  // The daemon refuses a place that does not exist.
  site.daemon(
      place, "consumer",
      [this, &site, &files](Daemon& self) {
        const NodeClock clock = site.clock_at(self.place());
        for (Time next = clock.local(self.now()) + Time(params_.period_ms);; next += params_.period_ms) {
          if (const Time now = clock.local(self.now()); next < now) {
            ++late_;
            next = now;
          }
          const Time begin = clock.when(next, self.now());
          self.sleep_until(begin);
          look(self, files);
          longest_look_ = std::max(longest_look_, self.now() - begin);
          ++looks_;
        }
      },
      "tau_files.number = " + std::to_string(params_.number));
  site.linger(site.clock_at(place).stretch(params_.period_ms)); // one more poll after the last dumps
}

void FilePoller::look(Daemon& self, SharedFiles& files) {
  if (params_.consumer == FileConsumer::lists) {
    for (const SharedFiles::Entry& entry : files.list(self.place(), params_.folder))
      if (is_of_a_consumer(entry.name)) look_at(self, files, params_.folder + "/" + entry.name);
    return;
  }
  const auto known = current_; // a copy, because it changes during the poll
  for (const auto& [path, file] : known) look_at(self, files, path);
}

void FilePoller::look_at(Daemon& self, SharedFiles& files, const std::string& path) {
  const auto now_there = files.attributes(self.place(), path);
  if (!now_there || now_there->bytes == 0) return;
  const auto seen = seen_.find(path);
  if (seen != seen_.end() && seen->second == Version{now_there->number, now_there->changed}) return;
  reads_ = path;
  const auto contents = files.read(self.place(), path);
  reads_.clear();
  if (contents && contents->text) {
    self.compute(params_.profile_us);
    ++read_;
    seen_[path] = {contents->file, contents->changed};
    const auto dump = dumps_.extract(contents->file);
    if (!dump.empty()) log_.arrive(dump.mapped(), self.now(), *contents->text);
  }
  for (const SharedFiles::FileNumber file : std::exchange(replaced_now_, {})) lose(file, "overwritten");
}

void FilePoller::is_there(const std::string& path, SharedFiles::FileNumber file) {
  const auto [place, is_new] = current_.try_emplace(path, file);
  if (is_new) return;
  const SharedFiles::FileNumber before = std::exchange(place->second, file);
  if (before == file) return;
  if (reads_ == path) // the file may be replaced during the read, which is known only at its end
    replaced_now_.insert(before);
  else
    lose(before, "overwritten");
}

void FilePoller::lose(SharedFiles::FileNumber file, const char* cause) {
  const auto dump = dumps_.extract(file);
  if (!dump.empty()) log_.lose(dump.mapped(), "server", cause);
}

void FilePoller::finish() {
  for (const SharedFiles::FileNumber file : std::exchange(replaced_now_, {})) lose(file, "overwritten");
  while (!dumps_.empty()) lose(dumps_.begin()->first, "left_behind");
}

ResultValues FilePoller::report() const {
  if (params_.consumer == FileConsumer::off) return {};
  const auto& keys = tau_nfs_keys.consumer;
  return {keys.looks(looks_), keys.late(late_), keys.profiles(read_), keys.longest_look_ms(longest_look_)};
}

} // namespace hypermon::tau
