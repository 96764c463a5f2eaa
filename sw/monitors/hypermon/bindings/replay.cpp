// hypermon._core: runs again from their recordings. hypermon.replaying is the interface for people.
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/port_pace.hpp"
#include "platforms/machine/node_seeds.hpp"
#include "python/bindings/bindings.hpp"
#include "sw/monitors/hypermon/bindings/bindings.hpp"
#include "sw/monitors/hypermon/bindings/fates.hpp"
#include "sw/monitors/hypermon/bindings/rows.hpp"
#include "sw/monitors/hypermon/recorded_run.hpp"
#include "sw/monitors/hypermon/stream_run.hpp"
#include <pybind11/stl.h>

namespace py = pybind11;

namespace hypermon {
namespace {

using Json = nlohmann::ordered_json;

/// A run, fed batch by batch.
class Replay {
public:
  Replay(const std::string& spec, const std::string& directory, bool fates, std::optional<std::uint64_t> cut)
      : fates_(fates ? std::make_unique<FateColumns>(spec_of(spec)) : nullptr),
        run_(rerun(spec_of(spec), directory, fates_.get(), cut ? Cut(*cut) : Cut())) {}

  void program_ends(std::int64_t at_ps) { run_->program_ends(Time::from_ps(at_ps)); }
  /// Row i has the data [offsets[i], offsets[i + 1]).
  void add(const Column<std::uint16_t>& node, const Column<std::int64_t>& first_ps, const Column<std::int32_t>& offsets,
           const Column<std::uint8_t>& data, const Column<std::uint64_t>& message, const Column<std::uint8_t>& side) {
    const std::span bytes(data.data(), static_cast<std::size_t>(data.size()));
    const py::ssize_t rows = node.size();
    if (first_ps.size() != rows || offsets.size() != rows + 1 || message.size() != rows || side.size() != rows)
      throw std::invalid_argument("columns of different lengths");
    const auto nodes = node.unchecked<1>();
    const auto firsts = first_ps.unchecked<1>();
    const auto ends = offsets.unchecked<1>();
    const auto messages = message.unchecked<1>();
    const auto sides = side.unchecked<1>();
    const py::gil_scoped_release unlocked;
    for (py::ssize_t i = 0; i < rows; ++i) {
      const std::int32_t begin = ends(i);
      const std::int32_t end = ends(i + 1);
      if (begin < 0 || end < begin || static_cast<std::size_t>(end) > bytes.size() || sides(i) > 2)
        throw std::invalid_argument("a row that points beyond its data");
      run_->add(NodeId{nodes(i)}, Time::from_ps(firsts(i)),
                bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), messages(i),
                static_cast<MessageSide>(sides(i)));
    }
  }
  /// result.json's text.
  std::string finish(const std::string& recorded, const std::string& scenario, std::int64_t begin_ps,
                     std::int64_t end_ps) {
    const py::gil_scoped_release unlocked;
    return run_->finish(Json::parse(recorded), scenario, Time::from_ps(begin_ps), Time::from_ps(end_ps)).dump(1) + "\n";
  }

  /// What became of every event, after finish().
  py::dict fates() {
    if (!fates_) throw std::logic_error("a replay that was not asked for the events' fates");
    return fates_->take(run_->losses());
  }

private:
  static std::unique_ptr<Rerun> rerun(const Spec& spec, const std::string& directory, FateSink* fates, const Cut& cut) {
    if (!workload_of(spec).workload.is_stream) return std::make_unique<RecordedRun>(spec, directory, fates, cut);
    if (fates != nullptr) throw std::invalid_argument("a stream's events are not decoded");
    return std::make_unique<StreamRun>(spec, directory, cut);
  }

  std::unique_ptr<FateColumns> fates_;
  std::unique_ptr<Rerun> run_;
};

/// By node: from the start of a burst's writing to its first strobe, and from one strobe to the next, in ps.
py::tuple port_timing(const std::string& spec) {
  const Spec of = spec_of(spec);
  std::vector<std::int64_t> datum_cost_ps;
  std::vector<std::int64_t> pitch_ps;
  for (const NodeClock& clock : node_clocks(of)) {
    datum_cost_ps.push_back(datum_cost(of.get<PortParams>(), clock).ps());
    pitch_ps.push_back(datum_pitch(of.get<PortParams>(), clock).ps());
  }
  return py::make_tuple(datum_cost_ps, pitch_ps);
}

} // namespace

void bind_replay(py::module_& m) {
  py::class_<Replay>(m, "Replay")
      .def(py::init<const std::string&, const std::string&, bool, std::optional<std::uint64_t>>(), py::arg("spec"),
           py::arg("directory"), py::kw_only(), py::arg("fates") = false, py::arg("cut") = std::nullopt)
      .def("program_ends", &Replay::program_ends, py::arg("at_ps"))
      .def("add", &Replay::add, py::kw_only(), py::arg("node"), py::arg("first_ps"), py::arg("offsets"),
           py::arg("data"), py::arg("message"), py::arg("side"))
      .def("finish", &Replay::finish, py::kw_only(), py::arg("recorded"), py::arg("scenario"), py::arg("begin_ps"),
           py::arg("end_ps"))
      .def("fates", &Replay::fates);
  m.def("port_timing", &port_timing, py::arg("spec"));
}

} // namespace hypermon
