// SPDX-License-Identifier: BSD-3-Clause
// hypermon._core.Replay. hypermon.replay is the public interface.
#include "python/bindings/replay.hpp"
#include "base/parts.hpp"
#include "python/bindings/columns.hpp"
#include "python/bindings/fates.hpp"
#include <pybind11/stl.h>

#include <map>

namespace py = pybind11;

namespace hypermon {
namespace {

std::map<std::string, MakeRerun>& makers() {
  static std::map<std::string, MakeRerun> all; // by monitor
  return all;
}

std::unique_ptr<Rerun> made(const Spec& spec, const std::string& directory, FateSink* fates, const Cut& cut) {
  const auto found = makers().find(spec.monitor);
  if (found == makers().end()) throw UserError("monitor = " + spec.monitor + ": no recording can drive it");
  if (fates != nullptr && workload_of(spec).workload.is_stream)
    throw std::invalid_argument("a stream's events are not decoded");
  return found->second(spec, directory, fates, cut);
}

/// A replay that is fed batch by batch.
class Replay {
public:
  Replay(const std::string& spec, const std::string& directory, bool fates, std::optional<std::uint64_t> cut)
      : fates_(fates ? std::make_shared<FateLog>(spec_of(spec)) : nullptr),
        run_(made(spec_of(spec), directory, fates_.get(), cut ? Cut(*cut) : Cut())) {}

  void program_ends(std::int64_t at_ps) { run_->program_ends(Time::from_ps(at_ps)); }
  /// Sets how long the nodes take to emit the rows of the next add().
  void emits(const Column<std::uint16_t>& node, const Column<std::int64_t>& emission_ps) {
    if (!fates_ || node.size() != emission_ps.size()) throw std::invalid_argument("columns of different lengths");
    const auto lengths = span(emission_ps);
    for (std::size_t i = 0; i < lengths.size(); ++i) fates_->emits(NodeId{span(node)[i]}, Time::from_ps(lengths[i]));
  }
  void add(const Column<std::uint16_t>& node, const Column<std::int64_t>& first_ps, const Column<std::int32_t>& offsets,
           const Column<std::uint8_t>& data, const Column<std::uint64_t>& message, const Column<std::uint8_t>& side) {
    add_rows(*run_, node, first_ps, offsets, data, message, side);
  }
  /// result.json's text.
  std::string finish(const std::string& recorded, const std::string& scenario, std::int64_t begin_ps,
                     std::int64_t end_ps) {
    const py::gil_scoped_release unlocked;
    return run_->finish(Json::parse(recorded), scenario, Time::from_ps(begin_ps), Time::from_ps(end_ps)).dump(1) + "\n";
  }

  /// After finish(): numbers of events and of spurious events by node, and the places where events can be lost.
  /// fate_reader() reads the events themselves.
  py::tuple fates() const {
    const FateLog& log = fate_log();
    std::vector<std::uint64_t> events;
    std::vector<std::uint64_t> spurious;
    for (std::size_t n = 0; n < log.nodes(); ++n) {
      events.push_back(log.events(n).size());
      spurious.push_back(log.spurious(n).size());
    }
    return py::make_tuple(events, spurious, run_->places());
  }
  FateReader fate_reader() const {
    static_cast<void>(fate_log());
    return FateReader(fates_);
  }

private:
  const FateLog& fate_log() const {
    if (!fates_) throw std::logic_error("a replay that was not asked for the events' fates");
    return *fates_;
  }
  std::shared_ptr<FateLog> fates_;
  std::unique_ptr<Rerun> run_;
};

} // namespace

void add_rows(Rerun& to, const Column<std::uint16_t>& node, const Column<std::int64_t>& first_ps,
              const Column<std::int32_t>& offsets, const Column<std::uint8_t>& data,
              const Column<std::uint64_t>& message, const Column<std::uint8_t>& side) {
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
    to.add(NodeId{nodes(i)}, Time::from_ps(firsts(i)),
           bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), messages(i),
           static_cast<MessageSide>(sides(i)));
  }
}

void add_replays(const std::string& monitor, MakeRerun make) { makers()[monitor] = make; }

void bind_replay(py::module_& m);
void bind_replay(py::module_& m) {
  py::class_<Replay>(m, "Replay")
      .def(py::init<const std::string&, const std::string&, bool, std::optional<std::uint64_t>>(), py::arg("spec"),
           py::arg("directory"), py::kw_only(), py::arg("fates") = false, py::arg("cut") = std::nullopt)
      .def("program_ends", &Replay::program_ends, py::arg("at_ps"))
      .def("add", &Replay::add, py::kw_only(), py::arg("node"), py::arg("first_ps"), py::arg("offsets"),
           py::arg("data"), py::arg("message"), py::arg("side"))
      .def("finish", &Replay::finish, py::kw_only(), py::arg("recorded"), py::arg("scenario"), py::arg("begin_ps"),
           py::arg("end_ps"))
      .def("emits", &Replay::emits, py::kw_only(), py::arg("node"), py::arg("emission_ps"))
      .def("fates", &Replay::fates)
      .def("fate_reader", &Replay::fate_reader);
  py::class_<FateReader>(m, "FateReader")
      .def("events", &FateReader::events, py::arg("nodes"))
      .def("spurious", &FateReader::spurious, py::arg("nodes"));
}

} // namespace hypermon
