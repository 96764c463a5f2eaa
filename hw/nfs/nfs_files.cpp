// SPDX-License-Identifier: BSD-3-Clause
#include "hw/nfs/nfs_files.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/nfs/core/outages.hpp"
#include "hw/nfs/nfs_server.hpp"
#include "hw/nfs/result_keys.hpp"

#include <stdexcept>

namespace hypermon {
namespace sg4 = simgrid::s4u;
using nfs::Procedure;

NfsFiles::NfsFiles(const Spec& spec, Networks& networks)
    : params_(spec.get<NfsParams>()), networks_(networks), network_(networks.named(params_.network, "nfs.network")),
      server_(nfs_server(params_).value()), nfs_(params_, nfs::outages_of(params_.outages), live_.agenda(), *this) {
  live_.arm(); // for the outages
}

nfs::Client NfsFiles::client(const Place& place) const {
  const Places& places = networks_.places();
  if (!places.reaches(network_, place)) throw std::logic_error(Places::text(place) + " does not reach the file server");
  return nfs::Client{static_cast<std::uint32_t>(*places.find(place))};
}

void NfsFiles::carry(nfs::Client client, bool to_server, std::int64_t bytes, std::function<void()> arrived) {
  const Place place = networks_.places().at(static_cast<std::size_t>(client));
  networks_.start(network_, to_server ? place : server_, to_server ? server_ : place, nfs::on_cable(bytes),
                  [this, arrived = std::move(arrived)] { live_.do_now(arrived); });
}

void NfsFiles::await(const std::function<void(std::function<void()>)>& begin) {
  struct Waiting {
    bool is_over = false;
    sg4::SemaphorePtr bell{};
  };
  const auto waiting = std::make_shared<Waiting>(); // outlives the actor if that is killed meanwhile
  simgrid_compat::in_maestro([&] {
    live_.do_now([&] {
      begin([waiting] {
        waiting->is_over = true;
        if (waiting->bell) waiting->bell->release();
      });
    });
  });
  if (waiting->is_over) return;
  waiting->bell = sg4::Semaphore::create(0);
  waiting->bell->acquire();
}

void NfsFiles::ask(const Place& from, const Request& request, Done done) {
  const nfs::Client own = client(from);
  await([&](std::function<void()> go_on) { nfs_.call(own, request, std::move(done), std::move(go_on)); });
}

void NfsFiles::begin_all(nfs::Client client, Request request, const std::vector<std::int64_t>& parts,
                         std::function<void()> done, std::function<void()> answered) {
  struct Left {
    std::size_t to_do;
    std::size_t to_answer;
    std::function<void()> done;
    std::function<void()> answered;
  };
  const auto left = std::make_shared<Left>(Left{parts.size(), parts.size(), std::move(done), std::move(answered)});
  const bool brings = request.procedure == Procedure::read || request.procedure == Procedure::readdir;
  for (const std::int64_t part : parts) {
    request.data_bytes = part;
    request.bytes = nfs::request_bytes(request.procedure, {}, {}, brings ? 0 : part);
    nfs_.call(
        client, request,
        [left, bytes = nfs::reply_bytes(request.procedure, brings ? part : 0)] {
          if (--left->to_do == 0) left->done();
          return bytes;
        },
        [left] {
          if (--left->to_answer == 0) left->answered();
        });
  }
}

void NfsFiles::ask_for_data(const Place& from, Request request, std::int64_t bytes, const std::function<void()>& done) {
  std::vector<std::int64_t> parts;
  for (; bytes > 0; bytes -= transfer_bytes()) parts.push_back(std::min(bytes, transfer_bytes()));
  const nfs::Client own = client(from);
  await([&](const std::function<void()>& go_on) { begin_all(own, request, parts, done, go_on); });
}

void NfsFiles::call_all(std::uint32_t node, Procedure procedure, const std::vector<std::int64_t>& parts,
                        std::function<void()> answered) {
  std::uint64_t& counted = procedure == Procedure::read ? read_bytes_ : written_bytes_;
  for (const std::int64_t part : parts) counted += static_cast<std::uint64_t>(part);
  simgrid_compat::in_maestro([&] {
    live_.do_now([&] {
      begin_all(
          nfs::Client{node}, {procedure}, parts, [] {}, std::move(answered));
    });
  });
}

template <class Change> void NfsFiles::with_directory(const Place& from, const std::string& path, Change&& change) {
  const nfs::Client own = client(from);
  const std::string directory = nfs::directory_of(path);
  await([&](std::function<void()> go_on) { nfs_.lock(own, directory, std::move(go_on)); });
  change();
  simgrid_compat::in_maestro([&] { live_.do_now([&] { nfs_.unlock(own, directory); }); });
}

Time NfsFiles::call_time(std::int64_t bytes) const {
  return Time(params_.call_us) + Time::from_ps(nearest(static_cast<double>(bytes) / params_.copy_mb_per_s * 1e6));
}

// Changes
// ----------------------------------------------------------------------------------------------------------------

void NfsFiles::make_directory(const Place& from, const std::string& path) {
  with_directory(from, path, [&] {
    ask(from, {Procedure::mkdir, nfs::request_bytes(Procedure::mkdir, nfs::name_of(path))}, [this, path] {
      tree_.make_directory(path);
      return nfs::reply_bytes(Procedure::mkdir);
    });
  });
}

SharedFiles::FileNumber NfsFiles::open(const Place& from, const std::string& path) {
  const std::string name = nfs::name_of(path);
  const auto made = std::make_shared<FileNumber>();
  with_directory(from, path, [&] {
    ask(from, {Procedure::lookup, nfs::request_bytes(Procedure::lookup, name)},
        [] { return nfs::reply_bytes(Procedure::lookup); });
    ask(from, {Procedure::create, nfs::request_bytes(Procedure::create, name)}, [this, path, made] {
      *made = tree_.create(live_.agenda().now(), path).number;
      return nfs::reply_bytes(Procedure::create);
    });
  });
  forget(from, path);
  written_[{from, path}] = {*made};
  return *made;
}

void NfsFiles::write(const Place& from, const std::string& path, std::int64_t bytes, const std::string& text) {
  Written& written = written_.at({from, path});
  written.bytes += bytes;
  written.text += text;
}

void NfsFiles::close(const Place& from, const std::string& path) {
  const auto file = written_.extract({from, path});
  Written& written = file.mapped();
  written_bytes_ += static_cast<std::uint64_t>(written.bytes);
  if (written.bytes == 0) return;
  Contents contents{.file = written.number, .bytes = written.bytes};
  if (!written.text.empty()) contents.text = std::make_shared<const std::string>(std::move(written.text));
  const bool at_once = written.bytes <= params_.transfer_bytes.number;
  ask_for_data(from, {.procedure = Procedure::write, .stable = at_once}, written.bytes,
               [this, contents] { tree_.write(live_.agenda().now(), contents); });
  if (!at_once)
    ask(from, {Procedure::commit, nfs::request_bytes(Procedure::commit, {})},
        [] { return nfs::reply_bytes(Procedure::commit); });
}

void NfsFiles::rename(const Place& from, const std::string& old_path, const std::string& to) {
  with_directory(from, to, [&] {
    const std::int64_t bytes = nfs::request_bytes(Procedure::rename, nfs::name_of(old_path), nfs::name_of(to));
    ask(from, {Procedure::rename, bytes}, [this, old_path, to] {
      tree_.rename(old_path, to);
      return nfs::reply_bytes(Procedure::rename);
    });
  });
  forget(from, old_path);
  forget(from, to);
}

void NfsFiles::remove(const Place& from, const std::string& path) {
  with_directory(from, path, [&] {
    ask(from, {Procedure::remove, nfs::request_bytes(Procedure::remove, nfs::name_of(path))}, [this, path] {
      tree_.remove(path);
      return nfs::reply_bytes(Procedure::remove);
    });
  });
  forget(from, path);
}

// Queries
// ----------------------------------------------------------------------------------------------------------------

std::vector<SharedFiles::Entry> NfsFiles::list(const Place& from, const std::string& directory) {
  const auto now_there = std::make_shared<Directory>();
  ask(from, {Procedure::getattr, nfs::request_bytes(Procedure::getattr, {})}, [this, directory, now_there] {
    now_there->version = tree_.version(directory);
    return nfs::reply_bytes(Procedure::getattr);
  });
  Directory& own = directories_[{from, directory}];
  if (own.version == now_there->version) return own.entries;
  std::int64_t bytes = 0;
  for (const Entry& entry : tree_.list(directory)) bytes += nfs::entry_bytes(entry.name);
  ask_for_data(from, {Procedure::readdir}, std::max<std::int64_t>(bytes, 1), [this, directory, now_there] {
    *now_there = {tree_.version(directory), tree_.list(directory)};
  });
  std::erase_if(known_, [&](const auto& one) {
    return one.first.first == from && nfs::directory_of(one.first.second) == directory;
  });
  own = *now_there;
  return own.entries;
}

std::optional<SharedFiles::Attributes> NfsFiles::attributes(const Place& from, const std::string& path) {
  Known& known = known_[{from, path}];
  const Time now = simgrid_now();
  if (known.asked > Time{} && now - known.asked < Time(params_.attributes_s)) return known.attributes;
  const auto found = look_up(from, path);
  known_[{from, path}] = {found, simgrid_now()};
  return found;
}

std::optional<SharedFiles::Attributes> NfsFiles::look_up(const Place& from, const std::string& path) {
  const auto found = std::make_shared<std::optional<Attributes>>();
  ask(from, {Procedure::lookup, nfs::request_bytes(Procedure::lookup, nfs::name_of(path))}, [this, path, found] {
    *found = tree_.find(path);
    return nfs::reply_bytes(Procedure::lookup);
  });
  return *found;
}

std::optional<SharedFiles::Contents> NfsFiles::read(const Place& from, const std::string& path) {
  const auto found = look_up(from, path);
  if (!found) return {};
  known_[{from, path}] = {found, simgrid_now()};
  const std::int64_t bytes = found->bytes;
  if (bytes == 0) return Contents{.file = found->number};
  const auto contents = std::make_shared<std::optional<Contents>>();
  ask_for_data(from, {Procedure::read}, bytes, [this, number = found->number, contents] {
    if (const Contents* there = tree_.contents(number)) *contents = *there;
  });
  if (contents->has_value())
    read_bytes_ += static_cast<std::uint64_t>(bytes);
  else
    ++stale_; // ESTALE
  return *contents;
}

void NfsFiles::report(Results& results) const {
  const nfs::Counts& counts = nfs_.counts();
  const auto& keys = nfs_keys.procedures;
  ResultRecords by_procedure(keys.list);
  for (std::size_t p = 0; p < nfs::procedures; ++p) {
    const nfs::ProcedureCounts& own = counts.by_procedure[p];
    by_procedure.add({keys.procedure(word(Procedure{static_cast<std::uint8_t>(p)})), keys.calls(own.calls),
                      keys.service_s(own.served), keys.waited_s(own.waited), keys.longest_ms(own.longest)});
  }
  const bool all_responded = counts.not_responding == 0;
  results.set(
      {std::move(by_procedure), nfs_keys.journal_s(counts.journal_busy), nfs_keys.longest_queue(counts.longest_queue),
       nfs_keys.files(tree_.files()), nfs_keys.written_bytes(written_bytes_), nfs_keys.read_bytes(read_bytes_),
       nfs_keys.stale_reads(stale_), nfs_keys.lost_requests(counts.lost),
       nfs_keys.retransmissions(counts.retransmissions), nfs_keys.duplicates(counts.duplicates),
       nfs_keys.not_responding.calls(counts.not_responding),
       nfs_keys.not_responding.first_s(all_responded ? std::nullopt : std::optional(counts.first_not_responding)),
       nfs_keys.not_responding.longest_s(counts.longest_not_responding)});
}

} // namespace hypermon
