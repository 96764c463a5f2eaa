// SPDX-License-Identifier: BSD-3-Clause
// What the shared file system does, one rule a case, with numbers that the case derives.
#include "base/user_error.hpp"
#include "hw/nfs/core/nfs.hpp"
#include "hw/nfs/core/tree.hpp"

#include "tests/catch.hpp"

#include <string>
#include <vector>

using namespace hypermon;
using nfs::Client;
using nfs::Procedure;

namespace {

constexpr Time flight = 100_us;

/// A network that takes 100 us each way.
struct World final : nfs::Nfs::Below {
  Agenda agenda;
  nfs::Nfs nfs;
  std::vector<std::pair<std::string, Time>> answers;

  explicit World(const NfsParams& params, const std::string& outages = "")
      : nfs(params, nfs::outages_of(outages), agenda, *this) {}
  void carry(Client, bool, std::int64_t, std::function<void()> arrived) override {
    agenda.at(agenda.now() + flight, std::move(arrived));
  }
  void ask(std::uint32_t client, Procedure procedure, const std::string& name, std::int64_t data = 0) {
    nfs.call(
        Client{client}, {procedure, 100, data}, [] { return 100; },
        [this, name] { answers.emplace_back(name, agenda.now()); });
  }
  void run() { agenda.advance(1'000'000'000_ms); }
};

NfsParams plain() {
  NfsParams p;
  p.create_us = 200;
  p.rename_us = 300;
  p.write_us = 100;
  p.scale = 1;
  p.lookup_us = 10;
  p.mb_per_s = 100;
  return p;
}

using Answers = std::vector<std::pair<std::string, Time>>;

} // namespace

TEST_CASE("changes of directories go one after the other, whatever the threads, writes beside them") {
  World w(plain());
  w.ask(0, Procedure::create, "a");
  w.ask(1, Procedure::create, "b");
  w.ask(2, Procedure::write, "c", 1000); // 10 us of data
  w.run();
  CHECK(w.answers == Answers{{"c", 100_us + 110_us + 100_us}, {"a", 400_us}, {"b", 600_us}});
  CHECK(w.nfs.counts().journal_busy == 400_us);
}

TEST_CASE("who waits for the journal keeps its thread") {
  NfsParams p = plain();
  p.threads = 2;
  World w(p);
  w.ask(0, Procedure::create, "a");
  w.ask(1, Procedure::create, "b");
  w.ask(2, Procedure::lookup, "c"); // both threads are taken until a is done
  w.run();
  CHECK(w.answers == Answers{{"a", 400_us}, {"c", 410_us}, {"b", 600_us}});
}

TEST_CASE("with journal = changes a stable write waits for the opens before it") {
  NfsParams p = plain();
  p.journal = NfsJournal::changes;
  World w(p);
  w.ask(0, Procedure::create, "a");
  w.ask(1, Procedure::write, "b");
  w.run();
  CHECK(w.answers == Answers{{"a", 400_us}, {"b", 500_us}});
}

TEST_CASE("service grows with who waits when it begins, if nfs.waiting_share says so") {
  NfsParams p = plain();
  p.waiting_share = 0.5;
  World w(p);
  for (std::uint32_t client = 0; client < 3; ++client) w.ask(client, Procedure::create, std::to_string(client));
  w.run();
  // the first begins at its arrival, when no other waits; the second has one behind it: 300 us; the third is alone
  CHECK(w.answers == Answers{{"0", 400_us}, {"1", 700_us}, {"2", 900_us}});
}

TEST_CASE("a computer has so many calls under way as its table has slots") {
  NfsParams p = plain();
  p.slots = 1;
  World w(p);
  w.ask(0, Procedure::lookup, "a");
  w.ask(0, Procedure::lookup, "b");
  w.ask(1, Procedure::lookup, "c");
  w.run();
  CHECK(w.answers == Answers{{"a", 210_us}, {"c", 210_us}, {"b", 420_us}});
}

TEST_CASE("a directory is locked by one process of a computer at a time, in their order, elsewhere nobody waits") {
  World w(plain());
  std::vector<std::string> held;
  const auto lock = [&](std::uint32_t client, const char* directory, const char* name) {
    w.nfs.lock(Client{client}, directory, [&held, name] { held.emplace_back(name); });
  };
  lock(0, "d", "first");
  lock(0, "d", "second");
  lock(0, "e", "other directory");
  lock(1, "d", "other computer");
  CHECK(held == std::vector<std::string>{"first", "other directory", "other computer"});
  w.nfs.unlock(Client{0}, "d");
  CHECK(held.back() == "second");
}

TEST_CASE("clients of a server that was down ask again after 0.7, 2.1, 4.9, 10.5 s, then from 1.4 s on") {
  World w(plain(), "0.00005 30"); // the server goes down while the request is on its way
  w.ask(0, Procedure::create, "a");
  w.run();
  // 0.7 + 1.4 + 2.8 + 5.6 = 10.5; then 1.4 + 2.8 + 5.6 + 11.2 = 21; the next cascade begins with 31.5 s
  const Time sent = 31'500_ms;
  CHECK(w.answers == Answers{{"a", sent + 400_us}});
  CHECK(w.nfs.counts().retransmissions == 8);
  CHECK(w.nfs.counts().lost == 8); // the last request arrived when the server was up
  CHECK(w.nfs.counts().not_responding == 1);
  CHECK(w.nfs.counts().first_not_responding == 10'500_ms);
  CHECK(w.nfs.counts().longest_not_responding == sent + 400_us);
}

TEST_CASE("what a server was doing when it went was not done, and is done once when it is asked again") {
  World w(plain(), "0.0002 0.1"); // the service began at 100 us
  int done = 0;
  w.nfs.call(
      Client{0}, {Procedure::rename, 100},
      [&] {
        ++done;
        return 100;
      },
      [] {});
  w.run();
  CHECK(done == 1);
  CHECK(w.nfs.counts().lost == 1);
  CHECK(w.nfs.counts().by_procedure[static_cast<std::size_t>(Procedure::rename)].calls == 1);
}

TEST_CASE("a request that the server knows is not done twice") {
  NfsParams p = plain();
  p.create_us = 3e6; // longer than two timeouts
  World w(p);
  w.ask(0, Procedure::create, "a");
  w.run();
  CHECK(w.answers == Answers{{"a", 3'000'200_us}});
  CHECK(w.nfs.counts().duplicates == 2);
}

TEST_CASE("a file keeps its number when it is renamed, and the one that it replaces is no more") {
  nfs::Tree tree;
  const auto old = tree.create(1_us, "d/profile").number;
  const auto made = tree.create(2_us, "d/temp").number;
  tree.write(3_us, {made, {}, 5, std::make_shared<const std::string>("hello")});
  const auto before = tree.version("d");
  CHECK(tree.rename("d/temp", "d/profile"));
  CHECK(tree.version("d") > before);
  CHECK(tree.find("d/profile")->number == made);
  CHECK(tree.find("d/profile")->bytes == 5);
  CHECK(tree.contents(old) == nullptr);
  CHECK(*tree.contents(made)->text == "hello");
  CHECK(tree.contents(made)->changed == 3_us);
  CHECK_FALSE(tree.find("d/temp"));
  CHECK_FALSE(tree.rename("d/temp", "d/profile"));
  CHECK(tree.files() == 1);
}

TEST_CASE("a directory's list has its files, not those below its directories") {
  nfs::Tree tree;
  for (const char* path : {"d/b", "d/a", "d/e/c", "da", "z"}) tree.create(1_us, path);
  std::vector<std::string> names;
  for (const auto& entry : tree.list("d")) names.push_back(entry.name);
  CHECK(names == std::vector<std::string>{"a", "b"});
  CHECK(tree.list("").size() == 2);
}

TEST_CASE("messages have the bytes of RFC 1813") {
  // call 24, AUTH_UNIX 36, no verifier 8: 68; a handle 36; answers 28; attributes 84, or none 4 + 84; wcc_data 116
  CHECK(nfs::request_bytes(Procedure::getattr, "") == 68 + 36);
  CHECK(nfs::reply_bytes(Procedure::getattr) == 28 + 84);
  CHECK(nfs::request_bytes(Procedure::rename, "abc", "abcde") == 68 + 2 * 36 + 8 + 12);
  CHECK(nfs::reply_bytes(Procedure::rename) == 28 + 2 * 116);
  CHECK(nfs::request_bytes(Procedure::write, "", "", 4001) == 68 + 36 + 8 + 4 + 4 + 4 + 4004);
  CHECK(nfs::reply_bytes(Procedure::read, 5) == 28 + 88 + 12 + 8);
  CHECK(nfs::on_cable(1472) == 1472 + 66);
  CHECK(nfs::on_cable(1473) == 1473 + 2 * 66);
}

TEST_CASE("outages that cannot be are refused by their words") {
  const auto refusal = [](const char* text) {
    try {
      nfs::outages_of(text);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal("10 2; 60 0.5").empty());
  CHECK(refusal("10").find("nfs.outages = 10: must be like 10 2") == 0);
  CHECK(refusal("0 2").find("time must be more than 0") != std::string::npos);
  CHECK(refusal("1 0").find("must last more than 0") != std::string::npos);
  CHECK(refusal("1 2; 3 4").find("must begin after the one before has ended") != std::string::npos);
}
