// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/failures.hpp"
#include "base/user_error.hpp"

#include <algorithm>
#include <sstream>

namespace hypermon {

Downtime Downtime::from_seconds(double begin, double duration, const std::function<void(const std::string&)>& refuse) {
  if (!(begin > 0 && begin <= 1e6)) refuse("the time must be more than 0 and at most 1000000 s");
  if (!(duration > 0 && duration <= 1e6)) refuse("it must last more than 0 and at most 1000000 s");
  const Time date = Time::from_seconds_rounded(begin);
  return {date, date + Time::from_seconds_rounded(duration)};
}

std::vector<Failure> failures_of(const std::string& path, const std::string& text, const std::vector<Mortal>& mortals) {
  std::string known;
  for (std::size_t m = 0; m < mortals.size(); ++m)
    known += (m == 0 ? "" : m + 1 == mortals.size() ? " or " : ", ") + mortals[m].word;
  std::vector<Failure> failures;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) {
    const auto refuse = [&](const std::string& why) { throw UserError(path + " = " + part + ": " + why); };
    std::istringstream words(part);
    double begin = 0;
    std::string word;
    std::int64_t number = 0;
    double duration = 0;
    std::string more;
    const bool is_whole = static_cast<bool>(words >> begin >> word >> number >> duration) && !(words >> more);
    const auto mortal = std::find_if(mortals.begin(), mortals.end(), [&](const Mortal& m) { return m.word == word; });
    if (!is_whole || mortal == mortals.end())
      refuse("must be like 10 " + mortals.front().word + " 3 2: the time in s, " + known +
             ", its number, for how many s; several with ; between");
    const Downtime time = Downtime::from_seconds(begin, duration, refuse);
    if (number < 0 || number >= mortal->count)
      refuse("there are " + mortal->plural + " 0 to " + std::to_string(mortal->count - 1));
    failures.push_back({part.substr(part.find_first_not_of(' ')), static_cast<std::size_t>(mortal - mortals.begin()),
                        static_cast<std::uint32_t>(number), time.begin, time.end});
  }
  for (const Failure& failure : failures)
    if (const Mortal& mortal = mortals[failure.kind]; !mortal.busy.empty())
      throw UserError(path + " = " + failure.text + ": a " + mortal.word +
                      " can only die where no program runs: workload must be idle, not " + mortal.busy);
  return failures;
}

} // namespace hypermon
