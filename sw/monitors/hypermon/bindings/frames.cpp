// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core: frame files and their decoder as NumPy arrays. hypermon.frames is the interface for people.
#include "python/bindings/bindings.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/monitors/hypermon/bindings/bindings.hpp"
#include "sw/monitors/hypermon/decoder.hpp"
#include "sw/monitors/hypermon/frame_file.hpp"
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace hypermon {
namespace {

/// A row of the events' array; names are those of the fields in NumPy.
struct EventFields {
  std::uint32_t node;
  std::uint8_t type;
  std::uint16_t delta_us;
  std::uint32_t args[3];
  std::uint64_t window;
  std::int64_t time_ns;
};
struct DamageRow {
  std::uint32_t node;
  std::uint32_t nibbles;
  std::uint64_t first_window;
  std::uint64_t last_window;
};

/// NumPy's types of the rows, told when a frame file is read first: `import hypermon._core` does not wait for NumPy.
void tell_row_types() {
  [[maybe_unused]] static const bool told = [] {
    PYBIND11_NUMPY_DTYPE(EventFields, node, type, delta_us, args, window, time_ns);
    PYBIND11_NUMPY_DTYPE(DamageRow, node, nibbles, first_window, last_window);
    return true;
  }();
}

template <class T> py::array_t<T> array(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::dict info_of(const FrameFileInfo& info) {
  py::dict d;
  d["inputs"] = info.inputs;
  d["width_bits"] = info.width_bits;
  d["accumulate_bits"] = info.accumulate_bits;
  d["timestamp_bits"] = info.timestamp_bits;
  d["on_request"] = info.on_request;
  d["wrap_frames"] = info.wrap_frames;
  d["window_ns"] = info.window_ns;
  d["pitch_ns"] = info.pitch_ns;
  d["clock_resolution_ns"] = info.clock_resolution_ns;
  d["board"] = info.board;
  d["first_node"] = info.first_node;
  d["catalogue"] = info.catalogue;
  return d;
}

py::object problem_of(const std::optional<FrameFileProblem>& problem) {
  return problem ? py::object(py::make_tuple(problem->frame, problem->reason)) : py::none();
}

py::dict read_frames(const std::filesystem::path& path) {
  FrameFileReader reader(path);
  const FrameFileInfo& info = reader.info();
  const auto inputs = static_cast<std::size_t>(info.inputs);
  WindowUnwrapper unwrapper(static_cast<std::size_t>(info.timestamp_bits), Time::from_ns(info.window_ns),
                            info.wrap_frames);
  std::vector<std::uint32_t> vector;
  std::vector<std::uint64_t> window;
  std::vector<std::uint8_t> stamped;
  std::vector<std::uint32_t> data;
  for (auto frames = reader.read(); !frames.empty(); frames = reader.read())
    for (const EventFrame& frame : frames) {
      vector.push_back(frame.vector);
      window.push_back(unwrapper.take(frame));
      stamped.push_back(frame.stamped ? 1 : 0);
      data.insert(data.end(), frame.data.begin(), frame.data.begin() + static_cast<std::ptrdiff_t>(inputs));
    }
  py::dict d;
  d["info"] = info_of(info);
  d["vector"] = array(vector);
  d["window"] = array(window);
  d["stamped"] = array(stamped).attr("view")("bool");
  d["data"] = array(data).reshape({static_cast<py::ssize_t>(vector.size()), static_cast<py::ssize_t>(inputs)});
  d["problem"] = problem_of(reader.problem());
  return d;
}

struct Rows final : DecoderSink {
  explicit Rows(const Catalogue& of) : catalogue(of) {}
  const Catalogue& catalogue;
  std::vector<EventFields> events;
  std::vector<DamageRow> damage;
  std::int64_t window_ns = 0;
  void event(const DecodedEvent& e) override {
    events.push_back({index(e.node),
                      catalogue.code(e.event.type),
                      e.delta_us,
                      {e.event.args[0], e.event.args[1], e.event.args[2]},
                      e.first_window,
                      static_cast<std::int64_t>(e.first_window) * window_ns});
  }
  void damaged(const DamagedSpan& s) override {
    damage.push_back({index(s.node), s.nibbles, s.first_window, s.last_window});
  }
};

py::dict decode_frames(const std::filesystem::path& path) {
  FrameFileReader reader(path);
  const FrameFileInfo& info = reader.info();
  const StreamTiming timing = info.timing();
  const Catalogue catalogue = read_catalogue(info.catalogue);
  Rows rows(catalogue);
  rows.window_ns = info.window_ns;
  FrameDecoder decoder(NodeId{static_cast<std::uint32_t>(info.first_node)}, info.format(), timing, rows,
                       info.wrap_frames, {}, catalogue);
  std::vector<DeliveredFrame> delivered; // a file does not say when they had been read: any timestamp is possible
  for (auto frames = reader.read(); !frames.empty(); frames = reader.read()) {
    delivered.clear();
    for (const EventFrame& frame : frames) delivered.push_back({frame, Time::never()});
    decoder.push(delivered);
  }
  decoder.finish();
  tell_row_types();
  py::dict d;
  d["info"] = info_of(info);
  d["events"] = array(rows.events);
  d["damaged"] = array(rows.damage);
  d["problem"] = problem_of(reader.problem());
  return d;
}

} // namespace

void bind_frames(py::module_& m) {
  py::register_exception<FrameFileError>(m, "NotAFrameFileError");
  m.def(
      "read_frames", [](const std::string& path) { return read_frames(path); }, py::arg("path"));
  m.def(
      "decode_frames", [](const std::string& path) { return decode_frames(path); }, py::arg("path"));
}

} // namespace hypermon
