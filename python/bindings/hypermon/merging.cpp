// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core.capture_generated() and funnel_generated(): the two hardware cores without a machine, with the same
// generated strobes. hypermon_studies.merging uses them to find the activity at which frames need fewer bits than a
// funnel's words.
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/funnel.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/hypermon/bindings.hpp"
#include <random>

namespace py = pybind11;

namespace hypermon {
namespace {

/// Nodes that emit events back to back, with data at a fixed pitch. A random gap of up to one pitch before each event
/// makes phases random and keeps two data of a node at least a pitch apart.
struct Traffic {
  std::uint32_t active;
  std::int64_t pitch_ns;
  std::int64_t event_data;
  std::int64_t duration_us;
  std::uint64_t seed;
  bool in_step; ///< all nodes have the gaps of the first node

  template <class Core> void write_to(Core& core) const {
    const std::vector<std::uint8_t> data(static_cast<std::size_t>(event_data));
    const Time pitch = Time::from_ns(pitch_ns);
    const Time until = Time::from_ns(duration_us * 1000);
    for (std::uint32_t node = 0; node < active; ++node) {
      std::mt19937_64 random(seed * max_inputs + (in_step ? 0 : node));
      const auto gap = [&] { return Time::from_ps(static_cast<std::int64_t>(random() % std::uint64_t(pitch.ps()))); };
      for (Time at = gap(); at < until; at += pitch * event_data + gap()) core.write({node, at, pitch, data});
    }
    core.finish();
  }
};

py::dict capture_generated(const Traffic& traffic) {
  const PortParams port;
  const EcbParams ecb;
  const PbxParams pbx;
  CaptureBoard board(port, ecb, pbx, ReaderParams{});
  std::uint64_t lost = 0;
  board.on_loss([&](const Loss&) { ++lost; });
  traffic.write_to(board);
  const Counts c = board.counts();
  const std::size_t words = board.format().words();
  py::dict d;
  d["strobes"] = c.strobes;
  d["transfers"] = c.frames_built;
  d["transfer_bits"] = words * 32;
  d["transfer_ns"] = static_cast<std::int64_t>(words) * pbx.word_ns.number;
  d["lost"] = lost;
  d["peak"] = c.peak_frame_fifo;
  d["window_ns"] = ecb.window_ns.number;
  return d;
}

py::dict funnel_generated(const Traffic& traffic, bool packed) {
  FunnelParams params;
  params.packed = packed;
  Funnel funnel(PortParams{}, params, PbxParams{}, ReaderParams{});
  std::uint64_t lost = 0;
  funnel.on_loss([&](const Loss&) { ++lost; });
  traffic.write_to(funnel);
  const FunnelCounts c = funnel.counts();
  py::dict d;
  d["strobes"] = c.strobes;
  d["transfers"] = c.passed;
  d["transfer_bits"] = packed ? funnel.word_bits() : (funnel.word_bits() + 31) / 32 * 32;
  d["transfer_ns"] = funnel.word_time().ps() / 1000;
  d["lost"] = lost;
  d["peak"] = c.peak_fifo;
  d["window_ns"] = params.timestamp_ns.number;
  return d;
}

Traffic traffic(std::uint32_t active, std::int64_t pitch_ns, std::int64_t event_data, std::int64_t duration_us,
                std::uint64_t seed, bool in_step) {
  const bool possible = active >= 1 && active <= std::uint32_t(EcbParams{}.inputs) && pitch_ns >= 750 &&
                        event_data >= 1 && duration_us >= 1;
  if (!possible) throw std::invalid_argument("no such traffic");
  return {active, pitch_ns, event_data, duration_us, seed, in_step};
}

} // namespace

void bind_merging(py::module_& m) {
  m.def(
      "capture_generated",
      [](std::uint32_t active, std::int64_t pitch_ns, std::int64_t event_data, std::int64_t duration_us,
         std::uint64_t seed,
         bool in_step) { return capture_generated(traffic(active, pitch_ns, event_data, duration_us, seed, in_step)); },
      py::kw_only(), py::arg("active"), py::arg("pitch_ns"), py::arg("event_data"), py::arg("duration_us"),
      py::arg("seed"), py::arg("in_step"));
  m.def(
      "funnel_generated",
      [](std::uint32_t active, std::int64_t pitch_ns, std::int64_t event_data, std::int64_t duration_us,
         std::uint64_t seed, bool in_step, bool packed) {
        return funnel_generated(traffic(active, pitch_ns, event_data, duration_us, seed, in_step), packed);
      },
      py::kw_only(), py::arg("active"), py::arg("pitch_ns"), py::arg("event_data"), py::arg("duration_us"),
      py::arg("seed"), py::arg("in_step"), py::arg("packed"));
}

} // namespace hypermon
