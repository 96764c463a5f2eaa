// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core: counts of many designs, frontier and time line for one recording. hypermon.replaying is the public
// interface.
#include "hw/hypermon/core/count_replay.hpp"
#include "hw/hypermon/core/frontier.hpp"
#include "hw/hypermon/core/level_time_line.hpp"
#include "hw/hypermon/core/occupancy.hpp"
#include "hw/hypermon/wiring/board_designs.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/columns.hpp"
#include "python/bindings/hypermon/bindings.hpp"
#include "python/bindings/hypermon/rows.hpp"
#include <optional>
#include <pybind11/stl.h>
#include <variant>

namespace py = pybind11;

namespace hypermon {
namespace {

BoardDesign board_of(const Spec& spec, std::size_t board) {
  const auto boards = board_designs(spec);
  if (board >= boards.size()) throw std::invalid_argument("no such board");
  return boards[board];
}

class Counting {
public:
  explicit Counting(const std::vector<const Spec*>& specs) : replay_(designs(specs)) {}
  void program_ends(Time at) { replay_.program_ends(at); }
  void add(const BurstRows& rows) { replay_.add(rows); }

  py::dict finish() {
    std::vector<BoardCounts> all;
    {
      const py::gil_scoped_release unlocked;
      all = replay_.finish();
    }
    py::dict d;
    d["design"] = py::array_t<std::int64_t>(static_cast<py::ssize_t>(design_.size()), design_.data());
    d["board"] = py::array_t<std::int64_t>(static_cast<py::ssize_t>(board_.size()), board_.data());
    const auto count = [&](const char* name, auto Counts::*member) {
      d[name] = column(all, [=](const BoardCounts& c) { return c.counts.*member; });
    };
    count("strobes", &Counts::strobes);
    count("accumulating", &Counts::accumulating);
    count("aliasing", &Counts::aliasing);
    count("node_overruns", &Counts::node_overruns);
    count("windows_lost", &Counts::windows_lost);
    count("discarded", &Counts::discarded);
    count("frames_built", &Counts::frames_built);
    count("merged", &Counts::merged);
    count("frames_lost", &Counts::frames_lost);
    count("drained", &Counts::drained);
    count("peak_frame_fifo", &Counts::peak_frame_fifo);
    d["first_overrun_ps"] = column(all, [](const BoardCounts& c) {
      return c.counts.first_overrun ? c.counts.first_overrun->ps() : std::int64_t{-1};
    });
    d["end_ps"] = column(all, [](const BoardCounts& c) { return c.counts.end.ps(); });
    const auto lost = [&](const char* name, LossCause cause) {
      d[name] = column(all, [=](const BoardCounts& c) { return c.lost[static_cast<std::size_t>(cause)]; });
    };
    lost("lost_aliasing", LossCause::aliasing);
    lost("lost_node_overrun", LossCause::node_overrun);
    lost("lost_window_lost", LossCause::window_lost);
    lost("lost_frame_lost", LossCause::frame_lost);
    d["frame_words"] = py::array_t<std::int64_t>(static_cast<py::ssize_t>(frame_words_.size()), frame_words_.data());
    return d;
  }

private:
  std::vector<BoardDesign> designs(const std::vector<const Spec*>& specs) {
    std::vector<BoardDesign> all;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      const Spec& spec = *specs[i];
      if (!counts_apart(spec)) throw std::invalid_argument("design " + std::to_string(i) + " needs a full replay");
      std::int64_t board = 0;
      for (const BoardDesign& d : board_designs(spec)) {
        all.push_back(d);
        design_.push_back(static_cast<std::int64_t>(i));
        board_.push_back(board++);
        frame_words_.push_back(static_cast<std::int64_t>(d.frame_words()));
      }
    }
    return all;
  }

  std::vector<std::int64_t> design_; // index of the design by row of the result
  std::vector<std::int64_t> board_;
  std::vector<std::int64_t> frame_words_;
  CountReplay replay_;
};

py::dict frontier_of(Frontier& frontier) {
  std::vector<Frontier::Point> points;
  {
    const py::gil_scoped_release unlocked;
    frontier.finish();
    points = frontier.points();
  }
  py::dict d;
  d["word_ns"] = column(points, [](const auto& p) { return p.word_ns; });
  d["least_depth"] = column(points, [](const auto& p) { return p.least_depth; });
  d["depth_bound"] = column(points, [](const auto& p) { return p.depth_bound; });
  d["bytes_per_second"] = column(points, [](const auto& p) { return p.bytes_per_second; });
  d["frames_built"] = frontier.counts().frames_built;
  return d;
}

/// Without a histogram: the quickest kind of time line that gives the design's intervals.
class TimeLine {
public:
  TimeLine(const std::string& json, std::int64_t interval_ns, std::size_t board, bool histogram)
      : interval_ns_(interval_ns), histogram_(histogram) {
    if (interval_ns <= 0 || interval_ns % 50 != 0) throw std::invalid_argument("interval_ns: whole periods of 50 ns");
    const BoardDesign d = board_of(spec_of(json), board);
    if (!d.drains_apart()) throw std::invalid_argument("time line: needs a full replay");
    lines_ = d.lines;
    data_per_word_ = d.data_per_word();
    line_ = line_of(d, Time::from_ns(interval_ns) / clock_period);
    front_ = FramePushes::make(d.port, d.ecb, d.reset_earlier_by,
                               [this](std::span<const FramePush> pushes) { push(pushes); });
    if (!histogram) front_->count_on_request();
  }
  void program_ends(Time at) { front_->program_ends(at); }
  void add(const BurstRows& rows) {
    order_.check(rows);
    lines_.each_burst(rows, [this](const Burst& burst) { front_->write(burst); });
  }
  py::dict finish() {
    {
      const py::gil_scoped_release unlocked;
      front_->finish();
      std::visit([](auto& line) { line.finish(); }, *line_);
    }
    const auto& intervals = std::visit(
        [](auto& line) -> const std::vector<OccupancyTimeLine::Interval>& { return line.intervals(); }, *line_);
    py::dict d;
    d["interval_ns"] = interval_ns_;
    d["frames_built"] = column(intervals, [](const auto& i) { return i.frames_built; });
    d["frames_lost"] = column(intervals, [](const auto& i) { return i.frames_lost; });
    d["lost"] = column(intervals, [this](const auto& i) { return i.words_lost * data_per_word_; });
    d["most"] = column(intervals, [](const auto& i) { return i.most; });
    d["least"] = column(intervals, [](const auto& i) { return std::min(i.least, i.most); }); // 0 if there was none
    if (!histogram_) return d;
    const auto& line = std::get<OccupancyTimeLine>(*line_);
    d["peak_ns"] = cycles(line.peak_edge()).ps() / 1000;
    d["histogram_frames"] = line.frames_of_bin();
    d["histogram_ns"] = column(line.histogram(), [](std::int64_t edges) { return cycles(edges).ps() / 1000; });
    return d;
  }

private:
  using Line = std::variant<OccupancyTimeLine, LevelTimeLine<BacklogLevels>, LevelTimeLine<ReaderLevels>>;

  Line line_of(const BoardDesign& d, std::int64_t edges) const {
    const std::int64_t depth = d.ecb.frame_fifo_frames;
    if (!histogram_ && d.drains_by_backlog()) return LevelTimeLine(BacklogLevels(depth, d.frame_edges()), edges);
    if (!histogram_ && d.ecb.frame_fifo_full == WhenFull::drop_newest)
      return LevelTimeLine(ReaderLevels(depth, d.new_reader(), d.frame_edges()), edges);
    return OccupancyTimeLine(FrameDrain(depth, d.ecb.frame_fifo_full, d.new_reader(), d.frame_edges()), edges);
  }
  void push(std::span<const FramePush> pushes) {
    if (auto* line = std::get_if<OccupancyTimeLine>(&*line_)) {
      if (!histogram_) front_->count_data();
      return line->push(pushes);
    }
    const auto count_data = [this] { front_->count_data(); };
    if (auto* line = std::get_if<LevelTimeLine<BacklogLevels>>(&*line_)) return line->push(pushes, count_data);
    std::get<LevelTimeLine<ReaderLevels>>(*line_).push(pushes, count_data);
  }

  RowsInOrder order_;
  BoardLines lines_{};
  std::int64_t interval_ns_;
  bool histogram_;
  std::uint64_t data_per_word_;
  std::optional<Line> line_;
  std::unique_ptr<FramePushes> front_;
};

} // namespace

void bind_drains(py::module_& m) {
  m.def("counts_apart", py::overload_cast<const Spec&>(&counts_apart), py::arg("spec"));
  py::class_<Counting> counting(m, "CountReplay");
  counting.def(py::init<const std::vector<const Spec*>&>(), py::arg("specs")).def("finish", &Counting::finish);
  bind_add(counting);
  py::class_<Frontier> frontier(m, "Frontier");
  frontier
      .def(py::init([](const std::string& spec, const std::vector<std::int64_t>& word_ns, std::size_t board) {
             return std::make_unique<Frontier>(board_of(spec_of(spec), board), word_ns);
           }),
           py::arg("spec"), py::arg("word_ns"), py::arg("board") = 0)
      .def("finish", &frontier_of);
  bind_add(frontier);
  py::class_<TimeLine> line(m, "TimeLine");
  line.def(py::init<const std::string&, std::int64_t, std::size_t, bool>(), py::arg("spec"), py::arg("interval_ns"),
           py::arg("board") = 0, py::arg("histogram") = true)
      .def("finish", &TimeLine::finish);
  bind_add(line);
}

} // namespace hypermon
