// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of views, datatypes, hints and accesses of one to eight processes, by every strategy, against a file
// that is a vector of bytes. What a request says goes into the file by its regions, what two phases say through buffers
// of the aggregators: a byte that either has wrong is wrong in the file. HYPERMON_TEST_SEQUENCES: how many (1000).
#include "sw/mpiio/core/requests.hpp"
#include "sw/mpiio/core/two_phase.hpp"
#include "tests/catch.hpp"
#include "tests/mpiio/drawn.hpp"

#include <cstdlib>
#include <numeric>

using namespace hypermon;
using namespace hypermon::mpiio;
using namespace hypermon::testing;

namespace {

constexpr std::int64_t file_bytes = 20000;

/// One process: places of its data in the file, byte by byte and as an access.
struct Process {
  Drawn view;
  Drawn in_memory;
  std::int64_t displacement = 0;
  std::vector<char> memory;
  Access access;

  std::int64_t place(std::int64_t byte) const {
    const auto n = static_cast<std::int64_t>(view.bytes.size());
    const std::int64_t i = access.first + byte;
    return displacement + view.bytes[static_cast<std::size_t>(i % n)] + i / n * view.extent;
  }
  char& data(std::int64_t byte) {
    const auto n = static_cast<std::int64_t>(in_memory.bytes.size());
    return access.memory[in_memory.bytes[static_cast<std::size_t>(byte % n)] + byte / n * in_memory.extent];
  }
};

/// Views that have no byte in common: each slot of a tile is one process's, or nobody's.
std::vector<Drawn> disjoint_views(Random& random, std::size_t processes) {
  const std::int64_t slot = random.between(1, 16);
  const std::int64_t slots = random.between(1, 24);
  std::vector<std::vector<Layout::Part>> parts(processes + 1);
  std::vector<Drawn> views(processes + 1);
  const Drawn one = drawn_bytes(slot);
  for (std::int64_t s = 0; s < slots; ++s) {
    const auto whose = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(processes) + 1));
    parts[whose].push_back({s * slot, one.layout});
    append(views[whose], one, s * slot);
  }
  for (std::size_t p = 0; p <= processes; ++p) {
    views[p].extent = slots * slot;
    views[p].layout = Layout::resized(0, slots * slot, Layout::joined(parts[p]));
  }
  views.pop_back();
  return views;
}

Process draw_process(Random& random, Drawn view, std::int64_t displacement) {
  Process p;
  p.view = std::move(view);
  p.displacement = displacement;
  p.in_memory = draw_type(random, 2, true);
  p.access.in_file = Stream(p.view.layout, displacement);
  p.access.in_memory = Stream(p.in_memory.layout);
  const auto n = static_cast<std::int64_t>(p.view.bytes.size());
  const std::int64_t tiles = n == 0 ? 0 : (file_bytes - displacement - p.view.layout->end()) / p.view.extent - 1;
  if (tiles > 0) {
    p.access.first = random.below(tiles * n);
    p.access.bytes = random.below(std::min<std::int64_t>(tiles * n - p.access.first, 1500) + 1);
  }
  const auto elements = p.access.bytes / p.in_memory.layout->size() + 1;
  p.memory.resize(static_cast<std::size_t>(elements * p.in_memory.extent + p.in_memory.layout->end() + 64));
  for (char& c : p.memory) c = static_cast<char>(random.below(256));
  p.access.memory = p.memory.data();
  return p;
}

/// A client's requests, by their regions.
void go_alone(Process& p, Requests requests, FileContents& file, bool writes) {
  std::int64_t done = 0;
  while (const auto request = requests.next()) {
    REQUIRE(request->data.begin == done);
    done = request->data.end;
    std::vector<char> packed(static_cast<std::size_t>(request->data.bytes()));
    const bool sieves = requests.strategy() == Strategy::sieving;
    const std::int64_t in_regions =
        std::transform_reduce(request->regions.begin(), request->regions.end(), std::int64_t{}, std::plus<>(),
                              [](const Run& r) { return r.bytes; });
    if (!sieves) REQUIRE(in_regions == request->data.bytes());
    if (sieves) { // through a buffer of the region
      const Run region = request->regions[0];
      std::vector<char> buffer(static_cast<std::size_t>(region.bytes));
      file.read(region.offset, buffer.data(), region.bytes);
      if (writes) p.access.pack(request->data, packed.data());
      std::size_t at = 0;
      for_each_run(p.access.in_file, p.access.first + request->data.begin, p.access.first + request->data.end,
                   [&](Run run) {
                     REQUIRE(run.offset >= region.offset);
                     REQUIRE(run.offset + run.bytes <= region.offset + region.bytes);
                     for (std::int64_t i = 0; i < run.bytes; ++i, ++at) {
                       char& there = buffer[static_cast<std::size_t>(run.offset - region.offset + i)];
                       (writes ? there : packed[at]) = writes ? packed[at] : there;
                     }
                   });
      if (writes) file.write(region.offset, buffer.data(), region.bytes);
    } else {
      if (writes) p.access.pack(request->data, packed.data());
      char* at = packed.data();
      for (const Run& region : request->regions) {
        if (writes)
          file.write(region.offset, at, region.bytes);
        else
          file.read(region.offset, at, region.bytes);
        at += region.bytes;
      }
    }
    if (!writes) p.access.unpack(request->data, packed.data());
  }
  REQUIRE(done == p.access.bytes);
}

/// Performs the accesses of all processes through the aggregators' buffers.
void go_together(std::vector<Process>& all, const TwoPhase& plan, FileContents& file, bool writes) {
  std::vector<std::int64_t> moved(all.size());
  for (std::int64_t round = 0; round < plan.rounds(); ++round)
    for (std::int64_t a = 0; a < plan.aggregators(); ++a) {
      const auto region = plan.region(a, round);
      if (!region) continue;
      std::vector<char> buffer(static_cast<std::size_t>(region->run.bytes), '\x5a'); // visible if it is not filled
      if (region->has_holes || !writes) file.read(region->run.offset, buffer.data(), region->run.bytes);
      for (std::size_t p = 0; p < all.size(); ++p) {
        const DataRange part = plan.part(p, a, round);
        moved[p] += part.bytes();
        std::vector<char> message(static_cast<std::size_t>(part.bytes()));
        const Access& access = all[p].access;
        if (writes) access.pack(part, message.data());
        std::size_t at = 0;
        for_each_run(access.in_file, access.first + part.begin, access.first + part.end, [&](Run run) {
          REQUIRE(run.offset >= region->run.offset);
          REQUIRE(run.offset + run.bytes <= region->run.offset + region->run.bytes);
          for (std::int64_t i = 0; i < run.bytes; ++i, ++at) {
            char& there = buffer[static_cast<std::size_t>(run.offset - region->run.offset + i)];
            (writes ? there : message[at]) = writes ? message[at] : there;
          }
        });
        if (!writes) access.unpack(part, message.data());
      }
      if (writes) file.write(region->run.offset, buffer.data(), region->run.bytes);
    }
  for (std::size_t p = 0; p < all.size(); ++p) REQUIRE(moved[p] == all[p].access.bytes);
}

class Sequence {
public:
  explicit Sequence(std::uint64_t seed) : random_(seed), model_(file_bytes) { file_.resize(file_bytes); }

  void run() {
    const auto processes = static_cast<std::size_t>(random_.between(1, 8));
    for (int step = 0; step < 6; ++step) {
      const bool together = random_.one_in(2);
      const bool writes = random_.one_in(2);
      std::vector<Process> all;
      if (together)
        for (Drawn& view : disjoint_views(random_, processes)) {
          if (all.empty()) displacement_ = random_.below(100);
          all.push_back(draw_process(random_, std::move(view), displacement_));
        }
      else
        for (std::size_t p = 0; p < processes; ++p)
          all.push_back(draw_process(random_, draw_type(random_, 3, true), random_.below(100)));
      const std::vector<Process> before = all;
      if (together)
        collectively(all, writes);
      else
        for (Process& p : all) alone(p, writes);
      check(all, before, writes);
    }
  }

private:
  void alone(Process& p, bool writes) {
    const auto strategy = random_.pick({Strategy::pieces, Strategy::lists, Strategy::datatype, Strategy::sieving});
    go_alone(p, Requests(p.access, strategy, {random_.between(1, 8), random_.between(1, 200)}), file_, writes);
    if (writes)
      for (std::int64_t i = 0; i < p.access.bytes; ++i) model_[static_cast<std::size_t>(p.place(i))] = p.data(i);
  }
  void collectively(std::vector<Process>& all, bool writes) {
    std::vector<Access> accesses;
    for (const Process& p : all) accesses.push_back(p.access);
    if (std::ranges::all_of(accesses, [](const Access& a) { return a.bytes == 0; })) return;
    const TwoPhase plan(accesses, {random_.between(1, 5), random_.between(1, 700), random_.pick({0, 0, 64})});
    go_together(all, plan, file_, writes);
    if (writes)
      for (Process& p : all)
        for (std::int64_t i = 0; i < p.access.bytes; ++i) model_[static_cast<std::size_t>(p.place(i))] = p.data(i);
  }
  /// The file is the model; a read has brought the model's bytes, and left others in memory as they were.
  void check(std::vector<Process>& all, std::vector<Process> expected, bool writes) {
    std::vector<char> bytes(file_bytes);
    file_.read(0, bytes.data(), file_bytes);
    REQUIRE(file_.size() == file_bytes);
    REQUIRE(bytes == model_);
    for (std::size_t p = 0; p < all.size(); ++p) {
      Process& e = expected[p];
      e.access.memory = e.memory.data();
      if (!writes)
        for (std::int64_t i = 0; i < e.access.bytes; ++i) e.data(i) = model_[static_cast<std::size_t>(e.place(i))];
      REQUIRE(all[p].memory == e.memory);
    }
  }

  Random random_;
  std::vector<char> model_;
  FileContents file_{true};
  std::int64_t displacement_ = 0;
};

} // namespace

TEST_CASE("what is written by any strategy is what a plain file has, and is read back") {
  const char* setting = std::getenv("HYPERMON_TEST_SEQUENCES");
  const std::uint64_t sequences = setting == nullptr ? 1000 : std::strtoull(setting, nullptr, 10);
  for (std::uint64_t seed = 1; seed <= sequences; ++seed) {
    INFO("seed " << seed);
    Sequence(seed).run();
  }
}

TEST_CASE("a file that was cut and grows again has zeros there") {
  FileContents file(true);
  const std::vector<char> data(200000, 'x');
  file.write(1, data.data(), 200000);
  file.resize(100);
  file.resize(150000);
  std::vector<char> back(150000);
  file.read(0, back.data(), 150000);
  CHECK(back[0] == 0);
  CHECK(back[99] == 'x');
  CHECK(std::count(back.begin(), back.end(), 'x') == 99);
}
