// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core.LoneBoard: a single board with NumPy arrays. hypermon.capture is the public interface.
#include "hw/hypermon/core/capture_arrays.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/hypermon/bindings.hpp"
#include "python/bindings/hypermon/rows.hpp"
#include <cstring>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace hypermon {
namespace {

template <class T> using Array = py::array_t<T, py::array::c_style>;
template <class T> std::span<const T> view(const Array<T>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

py::dtype dtype_of(const FrameRows& rows) {
  py::list names;
  py::list formats;
  py::list offsets;
  const auto field = [&](const char* name, py::object format, std::size_t offset) {
    names.append(name);
    formats.append(std::move(format));
    offsets.append(offset);
  };
  field("data", py::make_tuple("<u4", py::make_tuple(rows.format().data_words())), 0);
  field("vector", py::str("<u4"), rows.vector_at());
  field("timestamp", py::str(rows.wide_timestamp() ? "<u8" : "<u4"), rows.timestamp_at());
  field("read_ns", py::str("<i8"), rows.read_end_at());
  return {names, formats, offsets, static_cast<py::ssize_t>(rows.stride())};
}

py::array array_of(FrameRows rows) {
  const py::dtype dtype = dtype_of(rows);
  const auto n = static_cast<py::ssize_t>(rows.size());
  auto bytes = std::make_unique<FrameRows::Bytes>(rows.release());
  const void* first = bytes->get();
  const py::capsule owner(bytes.get(), [](void* p) { delete static_cast<FrameRows::Bytes*>(p); });
  static_cast<void>(bytes.release()); // the capsule owns it now
  return {dtype, py::array::ShapeContainer{n}, first, owner};
}

std::int64_t ns(Time t) { return t.ps() / 1000; }

py::dict dict_of(const Counts& c) {
  py::dict d;
  d["strobes"] = c.strobes;
  d["aliasing"] = c.aliasing;
  d["node_overruns"] = c.node_overruns;
  d["windows_lost"] = c.windows_lost;
  d["discarded"] = c.discarded;
  d["accumulating"] = c.accumulating;
  d["frames_built"] = c.frames_built;
  d["merged"] = c.merged;
  d["frames_lost"] = c.frames_lost;
  d["drained"] = c.drained;
  d["peak_frame_fifo"] = c.peak_frame_fifo;
  d["first_overrun_ns"] = c.first_overrun ? py::object(py::int_(ns(*c.first_overrun))) : py::none();
  d["end_ns"] = ns(c.end);
  return d;
}

/// Captures strobes that arrive in several arrays on a board without a machine.
class BoardRun {
public:
  BoardRun(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader, bool frames)
      : capture_(port, ecb, pbx, reader) {
    if (frames) rows_.emplace(FrameFormat(port, ecb));
  }
  void add(const Array<std::int64_t>& time_ns, const Array<std::uint8_t>& node, const Array<std::uint32_t>& datum) {
    const StrobeArrays strobes{view(time_ns), view(node), view(datum)};
    const py::gil_scoped_release others_go_on;
    capture_.add(strobes, rows_ ? &*rows_ : nullptr);
  }
  py::dict finish() {
    Counts counts;
    {
      const py::gil_scoped_release others_go_on;
      counts = capture_.finish(rows_ ? &*rows_ : nullptr);
    }
    finished_ = true;
    return dict_of(counts);
  }
  /// Complete frames that earlier calls did not return; after finish() all of the rest.
  py::array frames() {
    const std::size_t end = finished_ ? rows_->size() : capture_.complete_rows(*rows_);
    FrameRows taken(rows_->format());
    taken.reserve(end - rows_->gone());
    taken.set_size(end - rows_->gone());
    if (taken.size() > 0) std::memcpy(taken.row(0), rows_->row(rows_->gone()), taken.size() * taken.stride());
    rows_->forget_before(end);
    return array_of(std::move(taken));
  }

private:
  ArrayCapture capture_;
  std::optional<FrameRows> rows_;
  bool finished_ = false;
};

/// The first loss on a board, in bursts that arrive in batches.
class FirstLoss {
public:
  FirstLoss(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader)
      : lines_{0, static_cast<std::uint32_t>(ecb.inputs), {}}, board_(port, ecb, pbx, reader) {
    board_.on_loss([this](const Loss& loss) {
      if (!first_ || loss.time < *first_) first_ = loss.time;
    });
  }
  FirstLoss(const FirstLoss&) = delete;
  FirstLoss& operator=(const FirstLoss&) = delete;

  void add(const BurstRows& rows) {
    in_order_.check(rows);
    if (rows.size() == 0 || first_) return;
    board_.advance(Time::from_ps(rows.first_ps.front()));
    lines_.each_burst(rows, [&](const Burst& burst) {
      Burst flagged = burst;
      flagged.flag_first = true;
      board_.write(flagged);
    });
    board_.clear_delivered();
  }
  void program_ends(Time at) { board_.program_ends(at); }
  bool done() const { return first_.has_value(); }
  std::optional<std::int64_t> finish() {
    if (!first_) board_.finish();
    return first_ ? std::optional(first_->ps()) : std::nullopt;
  }

private:
  RowsInOrder in_order_;
  BoardLines lines_;
  CaptureBoard board_;
  std::optional<Time> first_;
};

template <class T> py::array_t<T> copied(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

struct LoneBoard {
  PortParams port;
  EcbParams ecb;
  PbxParams pbx;
  ReaderParams reader;

  explicit LoneBoard(const std::string& json) {
    const Spec spec = spec_of(json);
    port = spec.get<PortParams>();
    ecb = spec.get<EcbSection>();
    pbx = spec.get<PbxParams>();
    reader = spec.get<ReaderParams>();
  }
  std::unique_ptr<BoardRun> begin(bool frames) const {
    return std::make_unique<BoardRun>(port, ecb, pbx, reader, frames);
  }
  py::tuple capture(const Array<std::int64_t>& time_ns, const Array<std::uint8_t>& node,
                    const Array<std::uint32_t>& datum, bool frames) const {
    const StrobeArrays strobes{view(time_ns), view(node), view(datum)};
    std::optional<FrameRows> rows;
    if (frames) rows.emplace(FrameFormat(port, ecb));
    Counts counts;
    {
      const py::gil_scoped_release others_go_on;
      counts = capture_arrays(port, ecb, pbx, reader, strobes, rows ? &*rows : nullptr);
    }
    return py::make_tuple(dict_of(counts), rows ? py::object(array_of(std::move(*rows))) : py::none());
  }
  std::unique_ptr<FirstLoss> first_loss() const { return std::make_unique<FirstLoss>(port, ecb, pbx, reader); }
  /// The counts, and for each frame that is read: its words, their number, and the time at which the last one ends.
  py::dict play(const Column<std::uint16_t>& node, const Column<std::int64_t>& first_ps,
                const Column<std::int64_t>& spacing_ps, const Column<std::int32_t>& offsets,
                const Column<std::uint8_t>& data, const Column<std::uint8_t>& flagged) const {
    const BurstRows rows{span(node), span(first_ps), span(spacing_ps), span(offsets), span(data)};
    RowsInOrder().check(rows);
    const std::span<const std::uint8_t> flags = span(flagged);
    if (flags.size() != rows.size()) throw std::invalid_argument("a flag for each burst is needed");
    CaptureBoard board(port, ecb, pbx, reader);
    std::size_t row = 0;
    BoardLines{0, static_cast<std::uint32_t>(ecb.inputs), {}}.each_burst(rows, [&](const Burst& burst) {
      Burst with_flag = burst;
      with_flag.flag_first = flags[row++] != 0;
      board.write(with_flag);
    });
    if (row != rows.size()) throw std::invalid_argument("a node beyond the board's inputs");
    board.finish();
    const FrameFormat format(port, ecb);
    std::vector<std::uint32_t> words;
    std::vector<std::uint8_t> lengths;
    std::vector<std::int64_t> end_ps;
    std::array<std::uint32_t, FrameFormat::max_words> packed{};
    for (const DeliveredFrame& delivered : board.delivered()) {
      const std::size_t n = format.pack(delivered.frame, packed);
      words.insert(words.end(), packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(n));
      lengths.push_back(static_cast<std::uint8_t>(n));
      end_ps.push_back(delivered.read_end.ps());
    }
    py::dict found;
    found["counts"] = dict_of(board.counts());
    found["words"] = copied(words);
    found["lengths"] = copied(lengths);
    found["end_ps"] = copied(end_ps);
    return found;
  }
};

} // namespace

void bind_capture(py::module_& m) {
  static py::handle bad_strobe = py::exception<BadStrobe>(m, "BadStrobeError").release(); // (index, message)
  py::register_exception_translator(
      [](std::exception_ptr raised) { // NOLINT(performance-unnecessary-value-param): its type
        try {
          if (raised) std::rethrow_exception(raised);
        } catch (const BadStrobe& error) {
          PyErr_SetObject(bad_strobe.ptr(), py::make_tuple(error.index(), error.what()).ptr());
        }
      });
  py::class_<BoardRun>(m, "BoardRun")
      .def("add", &BoardRun::add, py::arg("time_ns").noconvert(), py::arg("node").noconvert(),
           py::arg("datum").noconvert())
      .def("finish", &BoardRun::finish)
      .def("frames", &BoardRun::frames);
  py::class_<FirstLoss> first_loss(m, "FirstLoss");
  first_loss.def_property_readonly("done", &FirstLoss::done)
      .def("finish", &FirstLoss::finish, py::call_guard<py::gil_scoped_release>());
  bind_add(first_loss);
  py::class_<LoneBoard>(m, "LoneBoard")
      .def(py::init<const std::string&>(), py::arg("spec"))
      .def("begin", &LoneBoard::begin, py::kw_only(), py::arg("frames"))
      .def("capture", &LoneBoard::capture, py::arg("time_ns").noconvert(), py::arg("node").noconvert(),
           py::arg("datum").noconvert(), py::kw_only(), py::arg("frames"))
      .def("first_loss", &LoneBoard::first_loss)
      .def("play", &LoneBoard::play, py::kw_only(), py::arg("node"), py::arg("first_ps"), py::arg("spacing_ps"),
           py::arg("offsets"), py::arg("data"), py::arg("flagged"));
}

} // namespace hypermon
