// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core: frame files and their decoder with NumPy arrays. hypermon.frames is the public interface.
#include "python/bindings/bindings.hpp"
#include "python/bindings/hypermon/bindings.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
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

/// Registers the rows' types with NumPy when a frame file is first read, so that `import hypermon._core` does not load
/// NumPy.
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

constexpr std::size_t at_once = 1 << 16; // a piece has at most one block more than 65 536 frames (chosen)

/// Reads the frames of a file piece by piece.
class FramePieces {
public:
  explicit FramePieces(const std::filesystem::path& path)
      : reader_(path), unwrapper_(static_cast<std::size_t>(reader_.info().timestamp_bits),
                                  Time::from_ns(reader_.info().window_ns), reader_.info().wrap_frames) {}
  py::dict info() const { return info_of(reader_.info()); }
  /// The file's damage; valid after the last piece.
  py::object problem() const { return problem_of(reader_.problem()); }
  /// The next piece; it has no frame at the end of the file or of its readable part.
  py::dict next() {
    const auto inputs = static_cast<std::size_t>(reader_.info().inputs);
    std::vector<std::uint32_t> vector;
    std::vector<std::uint64_t> window;
    std::vector<std::uint8_t> stamped;
    std::vector<std::uint32_t> data;
    while (vector.size() < at_once) {
      const auto frames = reader_.read();
      if (frames.empty()) break;
      for (const EventFrame& frame : frames) {
        vector.push_back(frame.vector);
        window.push_back(unwrapper_.take(frame));
        stamped.push_back(frame.stamped ? 1 : 0);
        data.insert(data.end(), frame.data.begin(), frame.data.begin() + static_cast<std::ptrdiff_t>(inputs));
      }
    }
    py::dict d;
    d["vector"] = array(vector);
    d["window"] = array(window);
    d["stamped"] = array(stamped).attr("view")("bool");
    d["data"] = array(data).reshape({static_cast<py::ssize_t>(vector.size()), static_cast<py::ssize_t>(inputs)});
    return d;
  }

private:
  FrameFileReader reader_;
  WindowUnwrapper unwrapper_;
};

struct Rows final : DecoderSink {
  explicit Rows(const Catalogue& own) : catalogue(own) {}
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

/// Decodes the events of a file piece by piece, in the order in which they are complete.
class EventPieces {
public:
  explicit EventPieces(const std::filesystem::path& path)
      : reader_(path), timing_(reader_.info().timing()), catalogue_(read_catalogue(reader_.info().catalogue)),
        rows_(catalogue_),
        decoder_(NodeId{static_cast<std::uint32_t>(reader_.info().first_node)}, reader_.info().format(), timing_, rows_,
                 reader_.info().wrap_frames, {}, catalogue_) {
    tell_row_types();
    rows_.window_ns = reader_.info().window_ns;
  }
  EventPieces(const EventPieces&) = delete;
  EventPieces& operator=(const EventPieces&) = delete;
  py::dict info() const { return info_of(reader_.info()); }
  /// The file's damage; valid after the last piece.
  py::object problem() const { return problem_of(reader_.problem()); }
  /// The next events and damaged spans; None at the end.
  py::object next() {
    if (finished_) return py::none();
    rows_.events.clear();
    rows_.damage.clear();
    std::vector<DeliveredFrame> delivered; // a file has no reading times, so every timestamp is possible
    for (std::size_t frames = 0; frames < at_once && !finished_; frames += delivered.size()) {
      delivered.clear();
      for (const EventFrame& frame : reader_.read()) delivered.push_back({frame, Time::never()});
      finished_ = delivered.empty();
      finished_ ? decoder_.finish() : decoder_.push(delivered);
    }
    return py::make_tuple(array(rows_.events), array(rows_.damage));
  }

private:
  FrameFileReader reader_;
  StreamTiming timing_;
  Catalogue catalogue_;
  Rows rows_;
  FrameDecoder decoder_;
  bool finished_ = false;
};

} // namespace

void bind_frames(py::module_& m) {
  py::register_exception<FrameFileError>(m, "NotAFrameFileError");
  py::class_<FramePieces>(m, "FramePieces")
      .def_property_readonly("info", &FramePieces::info)
      .def_property_readonly("problem", &FramePieces::problem)
      .def("next", &FramePieces::next);
  py::class_<EventPieces>(m, "EventPieces")
      .def_property_readonly("info", &EventPieces::info)
      .def_property_readonly("problem", &EventPieces::problem)
      .def("next", &EventPieces::next);
  m.def(
      "read_frames", [](const std::string& path) { return std::make_unique<FramePieces>(path); }, py::arg("path"));
  m.def(
      "decode_frames", [](const std::string& path) { return std::make_unique<EventPieces>(path); }, py::arg("path"));
}

} // namespace hypermon
