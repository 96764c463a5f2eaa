// SPDX-License-Identifier: BSD-3-Clause
#include "hw/nfs/core/outages.hpp"
#include "base/user_error.hpp"

#include <sstream>

namespace hypermon::nfs {

std::vector<Outage> outages_of(const std::string& text) {
  std::vector<Outage> outages;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) {
    const auto refuse = [&](const std::string& why) { throw UserError("nfs.outages = " + part + ": " + why); };
    std::istringstream words(part);
    double begin = 0;
    double duration = 0;
    std::string more;
    if (!(words >> begin >> duration) || words >> more)
      refuse("must be like 10 2: the time in s, for how many s; several with ; between");
    const Outage outage = Downtime::from_seconds(begin, duration, refuse);
    if (!outages.empty() && outage.begin <= outages.back().end) refuse("must begin after the one before has ended");
    outages.push_back(outage);
  }
  return outages;
}

} // namespace hypermon::nfs
