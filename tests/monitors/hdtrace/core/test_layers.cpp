// SPDX-License-Identifier: BSD-3-Clause
// The layers of servers, told in random order: every operation leads to the one that it was done for, and what is
// pending is what has begun and not ended.
#include "sw/monitors/hdtrace/layers.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <set>

using namespace hypermon;
using namespace hypermon::hdtrace;

namespace {

constexpr std::size_t places = 3; // two nodes and a host

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct World {
  explicit World(const std::string& name)
      : folder(testing::scratch_path("hdtrace_" + name)),
        recording((std::filesystem::remove_all(folder), spec()), folder, {NodeClock{}, NodeClock{}}, 1, false),
        processes(recording, {{0, 0}, {1, 1}}),
        layers(
            recording, processes, places, [this](NodeId, Time work) { interrupted += work; },
            [](Station) { return InterfaceTraffic{}; }) {}
  ~World() { std::filesystem::remove_all(folder); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  static Spec spec() {
    Spec spec;
    spec.nodes = 2;
    spec.workload = "w";
    spec.get<HdtraceParams>().sample_ms = 0;
    return spec;
  }
  void call(int rank, std::uint64_t number, Time now) {
    Process& process = *processes.find(rank);
    process.call = number;
    process.name = "File_write";
    process.begin = now;
  }
  /// Closes the files as at the end of the processes.
  void close(Time now) {
    layers.close(now);
    for (const auto& process : processes.all()) {
      process->relations.delivered(process->relations.take());
      process->relations.output().close(relations_begin(process->path.front(), process->number(), 0, {}),
                                        relations_end);
    }
  }

  std::filesystem::path folder;
  Time interrupted;
  Recording recording;
  Processes processes;
  Layers layers;
};

IoStep step(std::uint64_t id, OperationId cause, IoLayer layer, std::uint32_t at, const char* name) {
  return {.id = {id}, .cause = cause, .layer = layer, .at = Station{at}, .name = name, .bytes = 8};
}

} // namespace

TEST_CASE("an operation of a disk leads over server and client to the MPI call") {
  World world("chain");
  world.call(1, 7, 1_us);
  world.layers.begins(2_us, step(1, OperationId::of_call(1, 7), IoLayer::client, 1, "write"));
  world.layers.begins(3_us, step(2, {1}, IoLayer::server, places, "write_sm"));
  world.layers.begins(4_us, step(3, {2}, IoLayer::disk, places, "transfer"));
  for (const std::uint64_t id : {3, 2, 1}) world.layers.ends(10_us, {id});
  world.close(11_us);
  const auto files = world.recording.folder();
  CHECK(text_of(files / "w_node01_1_0.rel").find("<rel t=\"0\" time=\"0.000002\"/><s name=\"File_write\"") !=
        std::string::npos);
  CHECK(text_of(files / "w_node01_1_0_CLIENT.rel").find(" p=\"0:0\"/><s name=\"write\"") != std::string::npos);
  CHECK(text_of(files / "w_server0_SERVER.rel").find(" r=\"node01:1001:1:0\"/><s name=\"write_sm\"") !=
        std::string::npos);
  CHECK(text_of(files / "w_server0_DISK.rel").find(" p=\"2:0\"/><s name=\"transfer\"") != std::string::npos);
  CHECK(world.interrupted > Time{}); // by the client only
}

TEST_CASE("an operation whose call nobody knows is counted as unrelated, and has no cause in the file") {
  World world("unrelated");
  world.layers.begins(1_us, step(1, OperationId::of_call(1, 7), IoLayer::server, places, "write_sm"));
  world.layers.ends(2_us, {1});
  world.close(3_us);
  CHECK(world.layers.summaries().at(0).unrelated == 1);
  CHECK(text_of(world.recording.folder() / "w_server0_SERVER.rel").find("<rel t=\"0\" time=\"0.000001\"/>") !=
        std::string::npos);
}

TEST_CASE("relations resolve, and pending counts are the operations under way, whatever is told in which order") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    World world("random");
    Time now = 1_us;
    world.call(0, 1, now);
    world.call(1, 1, now);
    std::vector<std::uint64_t> open;
    std::vector<std::uint64_t> all;
    std::map<std::uint64_t, IoLayer> layer_of;
    std::map<IoLayer, std::int64_t> pending;
    std::map<IoLayer, std::int64_t> most;
    for (int i = 0; i < 60; ++i) {
      now += 1_us * static_cast<std::int64_t>(below(3));
      if (!open.empty() && below(2) == 0) {
        const std::size_t place = below(open.size());
        const std::uint64_t id = open[place];
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
        world.layers.ends(now, {id});
        world.layers.pending(now, layer_of[id], Station{places}, --pending[layer_of[id]]);
        continue;
      }
      const std::uint64_t id = all.size() + 1;
      const auto layer = static_cast<IoLayer>(2 + below(5)); // a layer of a server
      const OperationId cause = all.empty() || below(3) == 0 ? OperationId::of_call(static_cast<int>(below(2)), 1)
                                                             : OperationId{all[below(all.size())]};
      world.layers.begins(now, step(id, cause, layer, places, "step"));
      layer_of[id] = layer;
      world.layers.pending(now, layer, Station{places}, ++pending[layer]);
      most[layer] = std::max(most[layer], pending[layer]);
      all.push_back(id);
      open.push_back(id);
    }
    world.close(now);
    // Every cause is an operation that is made in the file that it names.
    std::map<std::string, std::set<std::string>> made; // by host:process:topology
    std::vector<std::pair<std::string, std::string>> causes;
    std::size_t operations = 0;
    for (const auto& entry : std::filesystem::directory_iterator(world.recording.folder())) {
      if (entry.path().extension() != ".rel") continue;
      const std::string text = text_of(entry.path());
      std::smatch head;
      REQUIRE(
          std::regex_search(text, head, std::regex("hostID=\"(.*?)\" localToken=\"(.*?)\" topologyNumber=\"(.*?)\"")));
      const std::string process = head[1].str() + ":" + head[2].str();
      const std::string file = process + ":" + head[3].str();
      const std::regex rel("<rel t=\"(\\d+)\" time=\"[\\d.]+\"(?: ([plr])=\"(.*?)\")?/>");
      for (std::sregex_iterator i(text.begin(), text.end(), rel), end; i != end; ++i) {
        made[file].insert((*i)[1]);
        if (head[1] == "server0") ++operations;
        if (!(*i)[2].matched) continue;
        const std::string token = (*i)[3];
        const std::string full = (*i)[2] == "r"   ? token
                                 : (*i)[2] == "l" ? head[1].str() + ":" + token
                                                  : process + ":" + token;
        const auto colon = full.rfind(':');
        causes.emplace_back(full.substr(0, colon), full.substr(colon + 1));
      }
    }
    CHECK(operations == all.size());
    CHECK(causes.size() == all.size());
    for (const auto& [file, number] : causes) CHECK(made[file].contains(number));
    std::map<std::string, std::int64_t> reported;
    for (const Layers::Summary& one : world.layers.summaries()) reported[one.path.back()] = one.most_pending;
    constexpr const char* names[]{"CLIENT", "BMI", "FLOW", "REQ", "SERVER", "TROVE", "DISK"};
    for (const auto& [layer, n] : most) CHECK(reported[names[static_cast<std::size_t>(layer)]] == n);
  }
}
