// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/replay.hpp"
#include "base/json.hpp"
#include "base/user_error.hpp"
#include "platforms/worker/registry.hpp"
#include "sw/monitors/rerun.hpp"

#include <span>
#include <stdexcept>
#include <vector>

namespace hypermon {

namespace {

template <class T> std::vector<T> column(std::istream& from, std::size_t n) {
  std::vector<T> values(n);
  from.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(n * sizeof(T)));
  if (!from) throw std::runtime_error("the rows of the recording end within a batch");
  return values;
}

void add_batch(Rerun& run, std::istream& from, std::size_t rows, std::size_t bytes) {
  const auto node = column<std::uint16_t>(from, rows);
  const auto first = column<std::int64_t>(from, rows);
  const auto offsets = column<std::int32_t>(from, rows + 1);
  const auto data = column<std::uint8_t>(from, bytes);
  const auto message = column<std::uint64_t>(from, rows);
  const auto side = column<std::uint8_t>(from, rows);
  for (std::size_t i = 0; i < rows; ++i) {
    if (offsets[i] < 0 || offsets[i + 1] < offsets[i] || static_cast<std::size_t>(offsets[i + 1]) > bytes ||
        side[i] > 2)
      throw std::invalid_argument("a row that points beyond its data");
    const auto begin = static_cast<std::size_t>(offsets[i]);
    run.add(NodeId{node[i]}, Time::from_ps(first[i]),
            std::span(data).subspan(begin, static_cast<std::size_t>(offsets[i + 1]) - begin), message[i],
            static_cast<MessageSide>(side[i]));
  }
}

} // namespace

Json replay(const Spec& spec, const std::string& directory, const Json& request, std::istream& rows,
            const Json& waves) {
  const MonitorKind& kind = monitor_kind(spec);
  if (kind.make_rerun == nullptr) throw UserError("monitor = " + spec.monitor + ": has no replay in SystemC");
  const auto time = [&](const char* name) { return Time::from_ps(request.at(name).get<std::int64_t>()); };
  const auto run = kind.make_rerun(spec, directory, waves);
  run->program_ends(time("program_end_ps"));
  while (rows.peek() != std::istream::traits_type::eof()) {
    const auto sizes = column<std::uint64_t>(rows, 2);
    add_batch(*run, rows, sizes[0], sizes[1]);
  }
  return run->finish(request.at("recorded"), request.at("scenario").get<std::string>(), time("begin_ps"),
                     time("end_ps"));
}

} // namespace hypermon
