// SPDX-License-Identifier: BSD-3-Clause
#include "hw/nfs/core/nfs.hpp"

#include <algorithm>

namespace hypermon::nfs {
namespace {

// nfs(5): timeouts within a cascade double, and the next cascade begins with twice the first timeout of the one before;
// none exceeds this limit.
constexpr Time longest_timeout = 60'000_ms;

Time doubled(Time time, std::int64_t times) {
  for (; times > 0 && time < longest_timeout; --times) time += time;
  return std::min(time, longest_timeout);
}

bool changes_a_directory(Procedure procedure) { return procedure >= Procedure::create; }

} // namespace

Nfs::Nfs(const NfsParams& params, std::vector<Outage> outages, Agenda& agenda, Below& below)
    : params_(params), agenda_(agenda), below_(below), free_threads_(params.threads) {
  for (const Outage& outage : outages) {
    agenda_.at(outage.begin, [this] { go_down(); });
    agenda_.at(outage.end, [this] { is_down_ = false; });
  }
}

// Clients
// ----------------------------------------------------------------------------------------------------------------

void Nfs::call(Client client, const Request& request, std::function<std::int64_t()> done,
               std::function<void()> answered) {
  const auto made = std::make_shared<Call>(Call{client, request, std::move(done), std::move(answered)});
  made->begun = agenda_.now();
  ++under_way_;
  Table& table = tables_[client];
  if (table.used == params_.slots) {
    table.waiting.push_back(made);
    return;
  }
  ++table.used;
  begin(made);
}

void Nfs::begin(const Ptr& call) {
  call->patience = params_.timeo_s;
  send(call);
  arm(call);
}

void Nfs::send(const Ptr& call) {
  below_.carry(call->client, true, call->request.bytes, [this, call] { arrive(call); });
}

void Nfs::arm(const Ptr& call) {
  agenda_.at(agenda_.now() + call->patience, [this, call] {
    if (!call->is_answered) time_out(call);
  });
}

void Nfs::time_out(const Ptr& call) {
  if (call->sent_again == params_.retrans) { // a major timeout
    if (!std::exchange(call->not_responding, true)) {
      ++counts_.not_responding;
      counts_.first_not_responding = std::min(counts_.first_not_responding, agenda_.now());
    }
    ++call->cascade;
    call->sent_again = 0;
  } else {
    ++call->sent_again;
  }
  call->patience = doubled(params_.timeo_s, call->cascade + call->sent_again);
  ++counts_.retransmissions;
  send(call);
  arm(call);
}

void Nfs::answer(const Ptr& call) {
  call->is_answered = true;
  --under_way_;
  const Time took = agenda_.now() - call->begun;
  counts_of(*call).longest = std::max(counts_of(*call).longest, took);
  if (call->not_responding) counts_.longest_not_responding = std::max(counts_.longest_not_responding, took);
  Table& table = tables_[call->client];
  if (table.waiting.empty()) {
    --table.used;
  } else {
    const Ptr next = table.waiting.front();
    table.waiting.pop_front();
    begin(next);
  }
  const auto answered = std::move(call->answered);
  answered();
}

void Nfs::lock(Client client, const std::string& directory, std::function<void()> granted) {
  if (!params_.directory_lock) return granted();
  auto& waiting = locks_[{client, directory}];
  waiting.push_back(granted);
  if (waiting.size() == 1) granted();
}

void Nfs::unlock(Client client, const std::string& directory) {
  if (!params_.directory_lock) return;
  auto& waiting = locks_.at({client, directory});
  waiting.pop_front();
  if (waiting.empty()) return;
  const auto next = waiting.front();
  next();
}

// The server
// ----------------------------------------------------------------------------------------------------------------

void Nfs::arrive(const Ptr& call) {
  if (call->is_done || call->is_at_server) { // the server remembers received and answered calls (nfsd's reply cache)
    ++counts_.duplicates;
    return;
  }
  if (is_down_) {
    ++counts_.lost;
    return;
  }
  call->is_at_server = true;
  call->arrived = agenda_.now();
  queue_.push_back(call);
  const std::size_t there = queue_.size() + for_journal_.size() + served_.size();
  counts_.longest_queue = std::max<std::uint64_t>(counts_.longest_queue, there);
  dispatch();
}

bool Nfs::needs_journal(const Call& call) const {
  const Request& request = call.request;
  if (params_.journal == NfsJournal::nothing) return false;
  if (changes_a_directory(request.procedure)) return true;
  return params_.journal == NfsJournal::changes &&
         (request.procedure == Procedure::commit || (request.procedure == Procedure::write && request.stable));
}

void Nfs::dispatch() {
  for (; free_threads_ > 0 && !queue_.empty(); --free_threads_) {
    const Ptr call = queue_.front();
    queue_.pop_front();
    if (!needs_journal(*call)) {
      serve(call);
    } else if (journal_taken_) {
      for_journal_.push_back(call);
    } else {
      journal_taken_ = true;
      serve(call);
    }
  }
}

Time Nfs::service(const Call& call) const {
  const Time base[procedures]{params_.getattr_us, params_.lookup_us, params_.read_us,   params_.readdir_us,
                              params_.write_us,   params_.commit_us, params_.create_us, params_.mkdir_us,
                              params_.remove_us,  params_.rename_us};
  const double data_ps = static_cast<double>(call.request.data_bytes) / params_.mb_per_s * 1e6;
  const double alone = static_cast<double>(base[static_cast<std::size_t>(call.request.procedure)].ps()) + data_ps;
  const double waiting = static_cast<double>(queue_.size() + for_journal_.size());
  return Time::from_ps(nearest(alone * params_.scale * (1 + params_.waiting_share * waiting)));
}

void Nfs::serve(const Ptr& call) {
  const Time takes = service(*call);
  ProcedureCounts& counts = counts_of(*call);
  counts.waited += agenda_.now() - call->arrived;
  served_.push_back(call);
  agenda_.at(agenda_.now() + takes, [this, call, takes, life = life_] {
    if (life != life_) return; // the server went down during the call
    counts_of(*call).served += takes;
    if (needs_journal(*call)) counts_.journal_busy += takes;
    finish(call);
  });
}

void Nfs::finish(const Ptr& call) {
  std::erase(served_, call);
  call->is_at_server = false;
  call->is_done = true;
  ++counts_of(*call).calls;
  ++free_threads_;
  if (needs_journal(*call)) {
    journal_taken_ = !for_journal_.empty();
    if (journal_taken_) {
      const Ptr next = for_journal_.front();
      for_journal_.pop_front();
      serve(next);
    }
  }
  const auto done = std::move(call->done); // releases the objects that the callback keeps alive
  below_.carry(call->client, false, done(), [this, call] { answer(call); });
  dispatch();
}

void Nfs::go_down() {
  is_down_ = true;
  ++life_;
  const auto forget = [this](auto& calls) {
    for (const Ptr& call : calls) call->is_at_server = false;
    counts_.lost += calls.size();
    calls.clear();
  };
  forget(queue_);
  forget(for_journal_);
  forget(served_);
  free_threads_ = params_.threads;
  journal_taken_ = false;
}

} // namespace hypermon::nfs
