// SPDX-License-Identifier: BSD-3-Clause
#include "hw/packets/core/piosim.hpp"

#include <utility>

namespace hypermon::piosim {

Piosim::Piosim(const PiosimParams& params, NetworkGraph graph, std::size_t places, const IoObservers& observers,
               std::function<Time()> clock, std::function<void()> asked)
    : params_(params), stations_(graph.stations), clock_(std::move(clock)), asked_(std::move(asked)),
      events_(params.packets.ties), network_(make_network(params.packets, std::move(graph), events_, observers)),
      processors_(params.cpu, stations_, events_, observers) {
  const Station first{static_cast<std::uint32_t>(params.pfs.stations() > 0 ? places : 0)};
  if (has_files())
    files_.emplace(params_.pfs, params_.cache, params_.disk, stations_, first, events_, *network_, processors_,
                   observers);
}

void Piosim::advance(Time until) {
  advancing_ = true;
  events_.advance(until);
  advancing_ = false;
}

template <class Ask> void Piosim::ask(Ask&& what) {
  if (advancing_) return what();
  events_.reach(clock_());
  what();
  asked_();
}

void Piosim::send(Endpoint from, Endpoint to, std::int64_t bytes, OperationId /*cause*/, Done left, Done arrived) {
  ask([&] { network_->send(from, to, bytes, bytes, *this, messages_.add({std::move(left), std::move(arrived)})); });
}

void Piosim::left(std::uint64_t tag) {
  if (const Done done = std::exchange(messages_[static_cast<std::uint32_t>(tag)].left, {})) done();
}

void Piosim::arrived(std::uint64_t tag) {
  const auto number = static_cast<std::uint32_t>(tag);
  const Done done = std::move(messages_[number].arrived);
  messages_.remove(number);
  if (done) done();
}

void Piosim::work(Station at, std::int64_t cycles, Done done) {
  ask([&] { processors_.work(at, cycles, *this, jobs_.add(std::move(done))); });
}

void Piosim::worked(std::uint64_t tag) {
  const auto number = static_cast<std::uint32_t>(tag);
  const Done done = std::move(jobs_[number]);
  jobs_.remove(number);
  if (done) done();
}

FileId Piosim::file(const std::string& name) { return files_->files().number(name); }

void Piosim::submit(FileRequest request, std::function<void(FileAnswer)> done) {
  ask([&] { files_->submit(std::move(request), std::move(done)); });
}

std::int64_t Piosim::size(FileId file) const { return files_->files().size(file); }
void Piosim::resize(FileId file, std::int64_t bytes) { files_->files().resize(file, bytes); }
void Piosim::remove(FileId file) { files_->files().resize(file, 0); }

std::int64_t Piosim::stripe_bytes() const { return params_.pfs.stripe_bytes.number; }

} // namespace hypermon::piosim
