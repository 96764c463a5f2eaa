// SPDX-License-Identifier: BSD-3-Clause
// What observers are told of the file system's layers.
#include "hw/packets/core/rate.hpp"
#include "tests/catch.hpp"
#include "tests/piosim/world.hpp"
#include "tests/random.hpp"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace hypermon;
using namespace hypermon::piosim;
using hypermon::testing::Random;

namespace {

using Kind = FileRequest::Kind;

/// Records all notifications, and checks that they are consistent.
class Book : public IoObserver {
public:
  struct Entry {
    IoStep step;
    Time begin;
    Time end = Time::never();
  };
  std::map<OperationId, Entry> steps;
  std::map<std::pair<IoLayer, Station>, std::int64_t> most;
  std::map<std::pair<Station, Part>, Time> worked;

  void begins(Time now, const IoStep& step) override {
    CHECK(steps.emplace(step.id, Entry{step, now}).second);
    if (step.cause.number >> 63U) CHECK(steps.at(step.cause).end == Time::never()); // the step's cause has not ended
  }
  void ends(Time now, OperationId id) override {
    CHECK(steps.at(id).end == Time::never());
    steps.at(id).end = now;
  }
  void pending(Time, IoLayer layer, Station at, std::int64_t operations) override {
    pending_[{layer, at}] = operations;
    std::int64_t open = 0;
    for (const auto& [id, entry] : steps)
      open += entry.step.layer == layer && entry.step.at == at && entry.end == Time::never() && !is_state(entry.step);
    CHECK(open == operations); // exact, not sampled
    most[{layer, at}] = std::max(most[{layer, at}], operations);
  }
  void busy(Time now, Station at, Part part, bool works) override {
    Time& since = since_.try_emplace({at, part}, Time::never()).first->second;
    CHECK(works == (since == Time::never()));
    if (!works) worked[{at, part}] += now - since;
    since = works ? now : Time::never();
  }
  void is_over() const {
    for (const auto& [id, entry] : steps) CHECK(entry.end != Time::never());
    for (const auto& [place, operations] : pending_) CHECK(operations == 0);
    for (const auto& [place, since] : since_) CHECK(since == Time::never());
  }
  /// Layers from the step up to the first one without a cause.
  std::vector<IoLayer> way_up(OperationId id) const {
    std::vector<IoLayer> layers;
    for (; steps.contains(id); id = steps.at(id).step.cause) layers.push_back(steps.at(id).step.layer);
    return layers;
  }
  OperationId origin(OperationId id) const {
    while (steps.contains(id)) id = steps.at(id).step.cause;
    return id;
  }
  std::vector<Entry> on_layer(IoLayer layer) const {
    std::vector<Entry> found;
    for (const auto& [id, entry] : steps)
      if (entry.step.layer == layer) found.push_back(entry);
    return found;
  }

private:
  /// True for a state machine's step, which is a part of an operation that is already pending.
  bool is_state(const IoStep& step) const {
    const auto cause = steps.find(step.cause);
    return step.layer == IoLayer::server && cause != steps.end() && cause->second.step.layer == IoLayer::server;
  }
  std::map<std::pair<IoLayer, Station>, std::int64_t> pending_;
  std::map<std::pair<Station, Part>, Time> since_; // time since which it works; never: it does not work
};

PiosimParams random_params(Random& r) {
  PiosimParams params = paper();
  params.pfs.servers = r.between(1, 3);
  params.pfs.stripe_bytes = r.pick({65536, 1000});
  params.pfs.protocol = r.pick({FileProtocol::simulator, FileProtocol::pvfs});
  params.pfs.flow_until = r.pick({FlowUntil::accepted, FlowUntil::written});
  params.pfs.place = r.one_in(3) ? ServerPlace::nodes : ServerPlace::own;
  params.cache.model =
      r.pick({CacheModel::none, CacheModel::write_behind, CacheModel::aggregation, CacheModel::aggregation_reorder});
  params.cache.memory_mib = r.pick({2, 100});
  params.cache.concurrent = r.pick({1, 3});
  params.disk.order = r.pick({DiskOrder::position, DiskOrder::fifo, DiskOrder::elevator, DiskOrder::deadline});
  params.disk.mib_per_s = static_cast<double>(r.pick({20, 100}));
  return params;
}

FileRequest random_request(World& world, Random& r, std::uint32_t client, std::int64_t call) {
  FileRequest request;
  request.kind = r.one_in(8) ? Kind::flush : r.one_in(3) ? Kind::read : Kind::write;
  request.node = client;
  request.file = world->file("file" + std::to_string(r.below(2)));
  request.cause = OperationId::of_call(static_cast<int>(client), static_cast<std::uint64_t>(call));
  if (request.kind == Kind::flush) return request;
  std::int64_t at = r.below(1'000'000);
  for (std::int64_t regions = r.pick({1, 1, 3, 70}); regions > 0; --regions) {
    request.regions.push_back({at, r.pick({1, 8, 512, 20'000, 700'000})});
    at += request.regions.back().bytes + r.pick({0, 8, 100'000});
  }
  return request;
}

/// Three clients that call one after the other; when each call has returned.
std::vector<Time> random_calls(World& world, Random& r) {
  std::vector<Time> returned;
  std::array<std::vector<FileRequest>, 3> calls;
  const std::function<void(std::uint32_t)> go_on = [&](std::uint32_t client) {
    if (calls[client].empty()) return;
    const FileRequest next = calls[client].back();
    calls[client].pop_back();
    world->submit(next, [&, client](FileAnswer) {
      returned.push_back(world.now());
      go_on(client);
    });
  };
  world->resize(world->file("file0"), 3'000'000);
  for (std::uint32_t client = 0; client < 3; ++client) {
    for (std::int64_t n = r.between(1, 6); n > 0; --n) calls[client].push_back(random_request(world, r, client, n));
    world.at(Time::from_ns(r.below(1000) * 1000), [&, client] { go_on(client); });
  }
  world.run();
  return returned;
}

} // namespace

TEST_CASE("a write's steps are told from the client's call down to the disk") {
  World world(paper());
  Book book;
  world.observers().add(book);
  FileRequest request;
  request.file = world->file("file");
  request.regions = {{0, 250'000}};
  request.cause = OperationId::of_call(0, 7);
  world->submit(request, [](FileAnswer) {});
  world.run();
  book.is_over();
  const auto disk = book.on_layer(IoLayer::disk);
  REQUIRE(disk.size() == 2); // the first packet; while the arm moves two more come
  CHECK(disk[0].step.bytes == 100'000);
  CHECK(std::string(disk[0].step.name) == "seek");
  CHECK(disk[1].step.bytes == 150'000);
  CHECK(std::string(disk[1].step.name) == "continue");
  CHECK(book.way_up(disk[0].step.id) ==
        std::vector{IoLayer::disk, IoLayer::trove, IoLayer::flow, IoLayer::server, IoLayer::req, IoLayer::client});
  CHECK(book.origin(disk[1].step.id) == request.cause);
  const auto trove = book.on_layer(IoLayer::trove);
  REQUIRE(trove.size() == 3);
  CHECK(trove[2].step.offset == 200'000);
  CHECK(trove[2].step.bytes == 50'000);
  CHECK(trove[2].end == disk[1].end);
  CHECK(book.most[{IoLayer::trove, Station{1}}] == 3);
  std::set<std::string> bmi;
  for (const auto& entry : book.on_layer(IoLayer::bmi)) bmi.insert(entry.step.name);
  CHECK(bmi == std::set<std::string>{"receive", "send"});
  std::vector<std::string> machine;
  for (const auto& entry : book.on_layer(IoLayer::server)) machine.emplace_back(entry.step.name);
  CHECK(machine == std::vector<std::string>{"write_sm", "flow", "acknowledge"});
  const DiskCounts& counts = world->file_clients().servers().front().cache().disk();
  CHECK(book.worked[{Station{1}, IoObserver::Part::disk}] == counts.busy);
  CHECK(book.worked[{Station{0}, IoObserver::Part::processor}] == Time::from_ns(3 * 1001));
}

TEST_CASE("small I/O of PVFS has no flow, and its own state machine") {
  PiosimParams params = paper();
  params.pfs.protocol = FileProtocol::pvfs;
  World world(params);
  Book book;
  world.observers().add(book);
  world.write("file", 0, 512);
  world.read("file", 0, 512);
  world.run();
  book.is_over();
  CHECK(book.on_layer(IoLayer::flow).empty());
  CHECK(std::string(book.on_layer(IoLayer::server).front().step.name) == "small_io_sm");
}

TEST_CASE("random calls: what is told fits together, ends, and changes no time") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Random first(seed);
    World watched(random_params(first), 3);
    Book book;
    watched.observers().add(book);
    const std::vector<Time> told = random_calls(watched, first);
    book.is_over();
    for (const auto& [id, entry] : book.steps) CHECK(!(book.origin(id).number >> 63U)); // an MPI call's
    Random second(seed);
    World alone(random_params(second), 3);
    CHECK(random_calls(alone, second) == told);
    // Every byte that was written is on a disk, or was written over in its cache.
    for (const FileServer& server : alone->file_clients().servers()) {
      const CacheCounts& cache = server.cache().counts();
      CHECK(server.cache().disk().operations + cache.joined == cache.jobs);
    }
  }
}

TEST_CASE("a computer's interfaces work while one of them does") {
  PiosimParams params = paper();
  const auto worked = [&](const std::vector<std::uint32_t>& interfaces) {
    NetworkGraph graph = star_of(params, 2);
    graph.interfaces = interfaces;
    World world(params, graph, 2);
    Book book;
    world.observers().add(book);
    for (std::uint32_t rank = 0; rank < 2; ++rank)
      world->send({Station{0}, rank}, Station{1}, params.packets.packet_bytes.number, {}, {}, {});
    world.run();
    book.is_over();
    return book.worked[{Station{0}, IoObserver::Part::interface}];
  };
  const Time of_a_packet =
      time_of(params.packets.packet_bytes.number, Rate::of_mib_per_s(params.packets.interface_mib_per_s));
  CHECK(worked({}) == 2 * of_a_packet);
  CHECK(worked({2}) == of_a_packet); // both at once
}

TEST_CASE("a call's messages pass the interface of the rank that calls") {
  PiosimParams params = paper();
  params.pfs.servers = 2;
  const auto busiest = [&](const std::vector<std::uint32_t>& interfaces) {
    NetworkGraph graph = star_of(params, 1);
    graph.interfaces = interfaces;
    World world(params, graph, 1);
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      FileRequest request;
      request.rank = rank;
      request.file = world->file("file" + std::to_string(rank));
      request.regions = {{0, 4 * params.pfs.stripe_bytes.number}};
      world->submit(request, [](FileAnswer) {});
    }
    world.run();
    return world->network().counts().interface_busy;
  };
  CHECK(busiest({}) == 2 * busiest({2})); // a server's interface also has half of all
}

TEST_CASE("a disk without an arm has no seeks") {
  for (const DiskModel model : {DiskModel::refined, DiskModel::simple, DiskModel::ideal}) {
    PiosimParams params = paper();
    params.disk.model = model;
    World world(params);
    Book book;
    world.observers().add(book);
    const Time until_written = Milliseconds(100);
    world.write("file", 0, 1000);
    world.rest(until_written);
    world.write("file", 5'000, 1000); // near
    world.rest(until_written);
    world.write("other", 0, 1000);
    world.rest(until_written);
    const bool has_arm = model == DiskModel::refined;
    const DiskCounts counts = world->file_clients().servers().front().cache().disk();
    CHECK(counts.operations == 3);
    CHECK(counts.average_seeks == (has_arm ? 2 : 0));
    CHECK(counts.short_seeks == (has_arm ? 1 : 0));
    std::vector<std::string> names;
    for (const auto& entry : book.on_layer(IoLayer::disk)) names.emplace_back(entry.step.name);
    CHECK(names == (has_arm ? std::vector<std::string>{"seek", "track_to_track", "seek"}
                            : std::vector<std::string>(3, "access")));
  }
}
