#include "sw/monitors/scms/failures.hpp"
#include "sw/model/user_error.hpp"
#include "sw/monitors/scms/params.hpp"

#include <sstream>

namespace hypermon::scms {

std::vector<Failure> failures_of(const Spec& spec, const Tree& tree) {
  std::vector<Failure> failures;
  std::istringstream parts(spec.get<ScmsParams>().failures);
  for (std::string part; std::getline(parts, part, ';');) {
    const auto refuse = [&](const std::string& why) { throw UserError("scms.failures = " + part + ": " + why); };
    std::istringstream words(part);
    double begin = 0;
    std::string kind;
    std::int64_t number = 0;
    double duration = 0;
    std::string more;
    if (!(words >> begin >> kind >> number >> duration) || words >> more ||
        (kind != "agent" && kind != "node" && kind != "sma"))
      refuse("must be like 10 agent 3 2: the date in s, agent, node or sma, its number, for how many s; several with ; "
             "between");
    if (!(begin > 0 && begin <= 1e6)) refuse("the date must be more than 0 and at most 1000000 s");
    if (!(duration > 0 && duration <= 1e6)) refuse("it must last more than 0 and at most 1000000 s");
    const std::int64_t count = kind == "sma" ? tree.smas() : tree.nodes();
    if (number < 0 || number >= count)
      refuse("there are " + std::string(kind == "sma" ? "SMAs" : "nodes") + " 0 to " + std::to_string(count - 1));
    if (kind == "node" && spec.workload != "idle")
      refuse("a node can only die where no program runs: workload must be idle, not " + spec.workload);
    const Time date = Time::from_seconds_rounded(begin);
    failures.push_back({part.substr(part.find_first_not_of(' ')),
                        kind == "agent"  ? Failure::Kind::agent
                        : kind == "node" ? Failure::Kind::node
                                         : Failure::Kind::sma,
                        static_cast<std::uint32_t>(number), date, date + Time::from_seconds_rounded(duration)});
  }
  return failures;
}

} // namespace hypermon::scms
