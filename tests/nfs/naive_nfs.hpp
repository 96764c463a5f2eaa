// SPDX-License-Identifier: BSD-3-Clause
// The rules of docs/design/nfs.md once more, in the plainest way: calls have a state each and nobody keeps a queue; at
// every date all calls, requests on their way and outages are looked through for what comes next.
#pragma once
#include "hw/nfs/core/nfs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hypermon::testing {

using Date = std::int64_t;

/// A call of a process. Calls that name a directory hold its lock, one after the other.
struct Action {
  Date when;
  int client;
  int directory; // -1: locks none
  std::vector<nfs::Nfs::Request> calls;
};

struct Seen {
  enum What { done, answered } what;
  Date when;
  int action;
  int call;
  auto operator<=>(const Seen&) const = default;
};

class NaiveNfs {
public:
  NaiveNfs(const NfsParams& params, std::vector<nfs::Outage> outages, std::function<Date(int, std::int64_t)> way,
           std::int64_t reply, const std::vector<Action>& actions)
      : p_(params), outages_(std::move(outages)), way_(std::move(way)), reply_(reply), deeds_(actions),
        progress_(actions.size()) {}

  std::vector<Seen> seen;
  nfs::Counts counts;

  void run() {
    for (std::optional<Date> next = next_date(); next; next = next_date()) {
      now_ = *next;
      step();
    }
  }

private:
  enum State { unborn, waits_slot, asks, queued, has_thread, served, on_way_back, over };
  struct Call {
    State state = unborn;
    int action = 0;
    int number = 0; // in it
    Date begun = 0;
    Date timeout = -1;
    int minor = 0;
    int major = 0;
    bool complained = false;
    bool done = false;
    long arrival = 0; // order at the server
    Date arrived = 0;
    Date begins = 0;
    Date ends = -1;               // end of its service, or of the answer's way
    std::vector<Date> requests{}; // on their way
  };
  struct Progress {
    int next = 0; // call
    bool waits_lock = false;
    long lock_order = 0;
    bool holds = false;
    bool began = false;
  };

  const nfs::Nfs::Request& request(const Call& c) const { return deeds_[c.action].calls[c.number]; }
  int client(const Call& c) const { return deeds_[c.action].client; }
  bool down() const {
    return std::ranges::any_of(outages_, [&](auto& o) { return o.begin.ps() <= now_ && now_ < o.end.ps(); });
  }
  std::optional<Date> next_date() const {
    std::optional<Date> next;
    const auto at = [&](Date d) {
      if (d > now_ && (!next || d < *next)) next = d;
    };
    bool all_over = true;
    for (std::size_t d = 0; d < deeds_.size(); ++d) {
      if (!progress_[d].began) at(deeds_[d].when);
      all_over = all_over && progress_[d].began && progress_[d].next == static_cast<int>(deeds_[d].calls.size());
    }
    if (all_over) return {};
    for (const auto& o : outages_) at(o.begin.ps());
    for (const Call& c : calls_) {
      if (c.timeout >= 0) at(c.timeout);
      if (c.ends >= 0) at(c.ends);
      for (const Date r : c.requests) at(r);
    }
    return next;
  }

  void step() {
    for (const auto& o : outages_)
      if (o.begin.ps() == now_)
        for (Call& c : calls_)
          if (c.state == queued || c.state == has_thread || c.state == served) {
            c.state = asks;
            c.ends = -1;
            ++counts.lost;
          }
    for (std::size_t d = 0; d < deeds_.size(); ++d)
      if (deeds_[d].when == now_ && !progress_[d].began) begin(static_cast<int>(d));
    for (std::size_t i = 0; i < calls_.size(); ++i) { // calls may be added in the loop
      if (calls_[i].state == served && calls_[i].ends == now_) finish(calls_[i]);
      if (calls_[i].state == on_way_back && calls_[i].ends == now_) answer(i);
      if (std::erase(calls_[i].requests, now_) > 0) arrive(calls_[i]);
      if (calls_[i].timeout == now_) time_out(calls_[i]);
    }
    start_services();
  }

  void begin(int d) {
    Progress& own = progress_[d];
    own.began = true;
    if (deeds_[d].directory < 0 || !p_.directory_lock) {
      ask(d);
      return;
    }
    own.waits_lock = true;
    own.lock_order = ++orders_;
    grant(deeds_[d].client, deeds_[d].directory);
  }
  void grant(int client, int directory) {
    int first = -1;
    for (std::size_t d = 0; d < deeds_.size(); ++d) {
      if (deeds_[d].client != client || deeds_[d].directory != directory) continue;
      if (progress_[d].holds) return;
      if (progress_[d].waits_lock && (first < 0 || progress_[d].lock_order < progress_[first].lock_order))
        first = static_cast<int>(d);
    }
    if (first < 0) return;
    progress_[first].waits_lock = false;
    progress_[first].holds = true;
    ask(first);
  }
  void ask(int d) {
    Call c;
    c.state = waits_slot;
    c.action = d;
    c.number = progress_[d].next;
    c.begun = now_;
    calls_.push_back(c);
    take_slots(deeds_[d].client);
  }
  void take_slots(int number) {
    std::int64_t used = 0;
    for (const Call& c : calls_) used += client(c) == number && c.state > waits_slot && c.state < over ? 1 : 0;
    for (Call& c : calls_) {
      if (client(c) != number || c.state != waits_slot || used == p_.slots) continue;
      ++used;
      c.state = asks;
      send(c);
    }
  }
  Date patience(const Call& c) const {
    const double doubled = p_.timeo_s.number * std::pow(2, c.major + c.minor);
    return std::llround(std::min(doubled, 60.0) * 1e12);
  }
  void send(Call& c) {
    c.requests.push_back(now_ + way_(client(c), request(c).bytes));
    c.timeout = now_ + patience(c);
  }
  void time_out(Call& c) {
    if (c.minor == p_.retrans) {
      if (!c.complained) {
        c.complained = true;
        ++counts.not_responding;
        counts.first_not_responding = std::min(counts.first_not_responding, Time::from_ps(now_));
      }
      ++c.major;
      c.minor = 0;
    } else {
      ++c.minor;
    }
    ++counts.retransmissions;
    send(c);
  }
  void arrive(Call& c) {
    if (c.state != asks) {
      ++counts.duplicates;
    } else if (down()) {
      ++counts.lost;
    } else {
      c.state = queued;
      c.arrival = ++orders_;
      c.arrived = now_;
    }
    const auto there = std::ranges::count_if(calls_, [](auto& o) { return o.state >= queued && o.state <= served; });
    counts.longest_queue = std::max(counts.longest_queue, static_cast<std::uint64_t>(there));
  }
  bool alone(const Call& c) const {
    using nfs::Procedure;
    switch (request(c).procedure) {
    case Procedure::create:
    case Procedure::mkdir:
    case Procedure::remove:
    case Procedure::rename:
      return p_.journal != NfsJournal::nothing;
    case Procedure::write:
      return p_.journal == NfsJournal::changes && request(c).stable;
    case Procedure::commit:
      return p_.journal == NfsJournal::changes;
    default:
      return false;
    }
  }
  Call* first_in(State state) {
    Call* first = nullptr;
    for (Call& c : calls_)
      if (c.state == state && (first == nullptr || c.arrival < first->arrival)) first = &c;
    return first;
  }
  /// A call that waits for the journal gets it before a thread is given to the next one.
  void start_services() {
    for (bool changed = true; changed;) {
      changed = false;
      const bool taken = std::ranges::any_of(calls_, [&](auto& c) { return c.state == served && alone(c); });
      if (Call* c = first_in(has_thread); c != nullptr && !taken) {
        serve(*c);
        changed = true;
        continue;
      }
      const auto busy =
          std::ranges::count_if(calls_, [](auto& c) { return c.state == has_thread || c.state == served; });
      if (Call* c = first_in(queued); c != nullptr && busy < p_.threads) {
        c->state = has_thread;
        if (!alone(*c) || !taken) serve(*c);
        changed = true;
      }
    }
  }
  void serve(Call& c) {
    const Microseconds base[]{p_.getattr_us, p_.lookup_us, p_.read_us,  p_.readdir_us, p_.write_us,
                              p_.commit_us,  p_.create_us, p_.mkdir_us, p_.remove_us,  p_.rename_us};
    c.state = served;
    const auto waiting =
        std::ranges::count_if(calls_, [](auto& o) { return o.state == queued || o.state == has_thread; });
    const double ps = static_cast<double>(Time(base[static_cast<int>(request(c).procedure)]).ps()) +
                      static_cast<double>(request(c).data_bytes) / p_.mb_per_s * 1e6;
    c.begins = now_;
    c.ends = now_ + std::llround(ps * p_.scale * (1 + p_.waiting_share * static_cast<double>(waiting)));
    procedure_counts(c).waited += Time::from_ps(now_ - c.arrived);
  }
  nfs::ProcedureCounts& procedure_counts(const Call& c) {
    return counts.by_procedure[static_cast<std::size_t>(request(c).procedure)];
  }
  void finish(Call& c) {
    ++procedure_counts(c).calls;
    procedure_counts(c).served += Time::from_ps(now_ - c.begins);
    if (alone(c)) counts.journal_busy += Time::from_ps(now_ - c.begins);
    seen.push_back({Seen::done, now_, c.action, c.number});
    c.state = on_way_back;
    c.ends = now_ + way_(client(c), reply_);
  }
  void answer(std::size_t i) {
    Call& c = calls_[i];
    const int d = c.action;
    const Time took = Time::from_ps(now_ - c.begun);
    procedure_counts(c).longest = std::max(procedure_counts(c).longest, took);
    if (c.complained) counts.longest_not_responding = std::max(counts.longest_not_responding, took);
    seen.push_back({Seen::answered, now_, d, c.number});
    c.state = over;
    c.ends = c.timeout = -1;
    take_slots(client(c));
    if (++progress_[d].next < static_cast<int>(deeds_[d].calls.size())) {
      ask(d);
    } else if (progress_[d].holds) {
      progress_[d].holds = false;
      grant(deeds_[d].client, deeds_[d].directory);
    }
  }

  NfsParams p_;
  std::vector<nfs::Outage> outages_;
  std::function<Date(int, std::int64_t)> way_;
  std::int64_t reply_;
  const std::vector<Action>& deeds_;
  std::vector<Progress> progress_;
  std::vector<Call> calls_;
  Date now_ = -1;
  long orders_ = 0;
};

} // namespace hypermon::testing
