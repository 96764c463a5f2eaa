#include "platforms/spec/recording.hpp"
#include "platforms/spec/json.hpp"
#include <algorithm>

namespace hypermon {

bool stalls(const Spec& spec) {
  for (std::size_t b = 0; b < spec.boards(); ++b)
    if (spec.ecb_of(b).node_fifo_full == "stall") return true;
  return false;
}

bool acts_back(const Spec& spec) {
  return spec.monitor == "hypermon" && (stalls(spec) || spec.drain.destination == "host");
}

namespace {

std::string_view section_of(std::string_view path) { return path.substr(0, path.find_first_of(".[")); }

bool is_a_workload(std::string_view name) {
  static const Allowed known = [] { // looked up once: this is asked for every parameter of every specification
    Allowed workloads;
    const Spec defaults;
    for_each_field(defaults, "", [&](const std::string& path, const FieldInfo& field, const auto&) {
      if (path == "workload") workloads = field.allowed;
    });
    return workloads;
  }();
  const auto* end = known.choices.begin() + known.n_choices;
  return std::find(known.choices.begin(), end, name) != end;
}

} // namespace

bool is_behind_ports(std::string_view path) {
  return std::apply(
      [&](const auto&... entry) {
        const auto is = [&](const auto& e) {
          if constexpr (is_section<std::remove_cvref_t<decltype(e)>>)
            return e.is_behind_ports && e.name == section_of(path);
          else
            return false;
        };
        return (is(entry) || ...);
      },
      Spec::fields());
}

nlohmann::ordered_json emission_parameters(const Spec& spec) {
  nlohmann::ordered_json parameters;
  for_each_field(spec, "", [&](const std::string& path, const FieldInfo&, const auto& value) {
    const std::string_view section = section_of(path);
    const bool runs = !is_a_workload(section) || section == spec.workload;
    const bool is_there = section != "software" || spec.monitor == "software";
    const bool is_simulated = section != "limits";
    if (is_simulated && !is_behind_ports(path) && runs && is_there) parameters[path] = value;
  });
  return parameters;
}

} // namespace hypermon
