// SPDX-License-Identifier: BSD-3-Clause
// The NFS server and its clients against the naive ones: random processes on random computers, every mechanism on and
// off, outages. A failure prints the smallest case that RapidCheck finds.
//
//   HYPERMON_TEST_CASES  cases to compare, instead of those of a CI run
//   HYPERMON_TEST_SEED   another seed than the fixed one
#include "tests/nfs/naive_nfs.hpp"

#include "tests/catch.hpp"
#include "tests/random.hpp"
#include "tests/rounds.hpp"

#include <set>
#include <sstream>
#include <string>

using namespace hypermon;
using namespace hypermon::testing;
using nfs::Procedure;
using Request = nfs::Nfs::Request;

namespace {

constexpr std::int64_t reply = 131;

/// Odd numbers of picoseconds, so that only related steps have the same date.
Date way(int client, std::int64_t bytes) { return 1'000'003 + 70'001 * client + 8'009 * bytes; }

struct Case {
  NfsParams params;
  std::vector<nfs::Outage> outages;
  std::vector<Action> actions;
};

Case random_case(Random& r) {
  Case c;
  NfsParams& p = c.params;
  p.threads = r.pick({1, 2, 8});
  p.journal = r.pick({NfsJournal::nothing, NfsJournal::metadata, NfsJournal::changes});
  const auto some_us = [&] { return static_cast<double>(r.between(1, r.pick({50, 3000}))) + 0.0137; };
  for (Microseconds* us : {&p.getattr_us, &p.lookup_us, &p.read_us, &p.readdir_us, &p.write_us, &p.commit_us,
                           &p.create_us, &p.mkdir_us, &p.remove_us, &p.rename_us})
    *us = some_us() + static_cast<double>(r.below(1'000'000)) / 1e6;
  p.scale = r.pick<double>({1, 1, 0.37, 20});
  p.waiting_share = r.pick<double>({0, 0, 0.01, 0.5});
  p.slots = r.pick({1, 2, 16});
  p.directory_lock = r.one_in(2);
  p.timeo_s = static_cast<double>(r.pick({7, 30, 700, 59'000})) / 1e3 + 0.000'000'013;
  p.retrans = r.pick({0, 1, 3});
  std::int64_t end = 0;
  for (std::int64_t i = r.below(4); i > 0; --i) {
    const std::int64_t begin = end + r.between(1, 30'000'000'000);
    end = begin + r.between(1, r.pick({2'000'000'000, 200'000'000'000}));
    c.outages.push_back({Time::from_ps(begin), Time::from_ps(end)});
  }
  const std::int64_t clients = r.between(1, 5);
  const std::int64_t wide = r.pick({1'000'000, 3'000'000'000, 60'000'000'000});
  std::set<Date> dates;
  for (std::int64_t i = r.between(1, 30); i > 0; --i) {
    Action d{r.below(wide), static_cast<int>(r.below(clients)), static_cast<int>(r.between(-1, 1)), {}};
    while (!dates.insert(d.when).second) ++d.when;
    for (std::int64_t n = r.between(1, 3); n > 0; --n) {
      Request request;
      request.procedure = Procedure{static_cast<std::uint8_t>(r.below(nfs::procedures))};
      request.bytes = r.between(60, 9000);
      request.data_bytes = r.one_in(2) ? 0 : r.below(r.pick({100, 40'000}));
      request.stable = r.one_in(2);
      d.calls.push_back(request);
    }
    c.actions.push_back(d);
  }
  return c;
}

std::ostream& operator<<(std::ostream& to, const Case& c) {
  const NfsParams& p = c.params;
  to << "threads " << p.threads << ", journal " << word(p.journal) << ", scale " << p.scale << ", share "
     << p.waiting_share << ", slots " << p.slots << ", lock " << p.directory_lock << ", timeo " << p.timeo_s.number
     << ", retrans " << p.retrans;
  for (const auto& o : c.outages) to << "\n  down from " << o.begin.ps() << " to " << o.end.ps();
  for (const Action& d : c.actions) {
    to << "\n  " << d.when << ": client " << d.client << ", directory " << d.directory << ":";
    for (const Request& r : d.calls)
      to << " " << word(r.procedure) << "(" << r.bytes << ", " << r.data_bytes << (r.stable ? ", stable)" : ")");
  }
  return to << "\n";
}

/// A network without contention.
class World final : public nfs::Nfs::Below {
public:
  explicit World(const Case& c) : case_(c), nfs_(c.params, c.outages, agenda_, *this) {}

  void carry(nfs::Client client, bool, std::int64_t bytes, std::function<void()> arrived) override {
    agenda_.at(agenda_.now() + Time::from_ps(way(static_cast<int>(client), bytes)), std::move(arrived));
  }
  void run() {
    for (std::size_t d = 0; d < case_.actions.size(); ++d)
      agenda_.at(Time::from_ps(case_.actions[d].when), [this, d] { begin(static_cast<int>(d)); });
    while (over_ < case_.actions.size() && agenda_.next() != Time::never()) agenda_.advance(agenda_.next());
  }
  std::vector<Seen> seen;
  const nfs::Counts& counts() const { return nfs_.counts(); }
  std::size_t under_way() const { return nfs_.under_way(); }

private:
  const Action& action(int d) const { return case_.actions[static_cast<std::size_t>(d)]; }
  nfs::Client client(int d) const { return nfs::Client{static_cast<std::uint32_t>(action(d).client)}; }
  std::string directory(int d) const { return std::to_string(action(d).directory); }
  void begin(int d) {
    if (action(d).directory < 0) return ask(d, 0);
    nfs_.lock(client(d), directory(d), [this, d] { ask(d, 0); });
  }
  void ask(int d, int number) {
    if (static_cast<std::size_t>(number) == action(d).calls.size()) {
      ++over_;
      if (action(d).directory >= 0) nfs_.unlock(client(d), directory(d));
      return;
    }
    nfs_.call(
        client(d), action(d).calls[static_cast<std::size_t>(number)],
        [this, d, number] {
          seen.push_back({Seen::done, agenda_.now().ps(), d, number});
          return reply;
        },
        [this, d, number] {
          seen.push_back({Seen::answered, agenda_.now().ps(), d, number});
          ask(d, number + 1);
        });
  }

  const Case& case_;
  Agenda agenda_;
  nfs::Nfs nfs_;
  std::size_t over_ = 0;
};

std::string text(const std::vector<Seen>& all, std::size_t i) {
  if (i >= all.size()) return "nothing";
  const Seen& s = all[i];
  return std::string(s.what == Seen::done ? "done" : "answered") + " call " + std::to_string(s.call) + " of action " +
         std::to_string(s.action) + " at " + std::to_string(s.when);
}

std::string difference(std::vector<Seen> real, std::vector<Seen> naive) {
  for (auto* seen : {&real, &naive})
    std::ranges::sort(*seen, {}, [](const Seen& s) { return std::tuple(s.when, s.action, s.call, s.what); });
  for (std::size_t i = 0; i < std::max(real.size(), naive.size()); ++i)
    if (i >= real.size() || i >= naive.size() || real[i] != naive[i])
      return "NFS: " + text(real, i) + "; naive: " + text(naive, i);
  return "";
}

std::string difference(const nfs::Counts& real, const nfs::Counts& naive) {
  std::ostringstream text;
  const auto compare = [&](const std::string& what, auto a, auto b) {
    if (a != b) text << what << ": NFS " << a << ", naive " << b << "\n";
  };
  for (std::size_t p = 0; p < nfs::procedures; ++p) {
    const std::string name(words_of(Procedure{})[p]);
    const auto& a = real.by_procedure[p];
    const auto& b = naive.by_procedure[p];
    compare(name + " calls", a.calls, b.calls);
    compare(name + " served", a.served.ps(), b.served.ps());
    compare(name + " waited", a.waited.ps(), b.waited.ps());
    compare(name + " longest", a.longest.ps(), b.longest.ps());
  }
  compare("journal", real.journal_busy.ps(), naive.journal_busy.ps());
  compare("longest queue", real.longest_queue, naive.longest_queue);
  compare("retransmissions", real.retransmissions, naive.retransmissions);
  compare("duplicates", real.duplicates, naive.duplicates);
  compare("lost", real.lost, naive.lost);
  compare("not responding", real.not_responding, naive.not_responding);
  compare("first", real.first_not_responding.ps(), naive.first_not_responding.ps());
  compare("longest complaint", real.longest_not_responding.ps(), naive.longest_not_responding.ps());
  return text.str();
}

} // namespace

TEST_CASE("random processes wait for an NFS server as the naive one says") {
  const std::uint64_t wanted = cases_wanted(1000);
  std::uint64_t compared = 0;
  std::uint64_t waited = 0;
  std::uint64_t lost = 0;
  std::uint64_t complained = 0;
  std::uint64_t duplicates = 0;
  const auto one = [&]() -> std::string {
    Random r(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
    const Case c = random_case(r);
    World world(c);
    world.run();
    NaiveNfs naive(c.params, c.outages, way, reply, c.actions);
    naive.run();
    ++compared;
    waited += world.counts().longest_queue > 1 ? 1 : 0;
    lost += world.counts().lost > 0 ? 1 : 0;
    complained += world.counts().not_responding > 0 ? 1 : 0;
    duplicates += world.counts().duplicates > 0 ? 1 : 0;
    std::string what = difference(world.seen, naive.seen);
    if (what.empty()) what = difference(world.counts(), naive.counts);
    if (what.empty() && world.under_way() > 0) what = "somebody is not answered";
    if (what.empty()) return "";
    std::ostringstream text;
    text << c << what;
    return text.str();
  };
  check_in_rounds(
      18, [&] { return compared >= wanted; }, one);
  CHECK(waited > wanted / 2); // every mechanism has been there
  for (const std::uint64_t cases : {lost, complained, duplicates}) CHECK(cases > wanted / 20);
}
