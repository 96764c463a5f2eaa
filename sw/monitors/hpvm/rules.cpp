// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hpvm/rules.hpp"
#include "base/user_error.hpp"
#include "sw/monitors/hpvm/schedule.hpp"

#include <algorithm>
#include <sstream>

namespace hypermon::hpvm {
namespace {

bool reads(const std::string& words, const std::string& path, const Named& wanted) {
  const std::vector<Named> all = named_counters(words, path);
  return std::any_of(all.begin(), all.end(), [&](const Named& n) {
    return n.counter == wanted.counter && (n.item.empty() || wanted.item.empty() || n.item == wanted.item);
  });
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

Rule rule_of(const std::string& text) {
  const auto refuse = [&](const std::string& why) { throw UserError("hpvm.rules = " + text + ": " + why); };
  std::istringstream words(text);
  std::string counter;
  std::string compared;
  Rule rule{.text = text, .counter = {}, .below = false, .threshold = 0, .interval = {}, .counters = {}};
  double interval = 0;
  if (!(words >> counter >> compared) || (compared != "<" && compared != ">") ||
      !(words >> rule.threshold >> interval) || !std::getline(words, rule.counters))
    refuse("must be like cpu.user < 0.8 0.2 host mpi_collectives: a counter, < or >, its value, its growth in a second "
           "or, of times, its share, then the interval in s and what is read while it is so; several with ; between");
  if (!(interval >= 1e-6 && interval <= 1e6)) refuse("the interval must be from 1e-6 to 1000000 s");
  rule.below = compared == "<";
  rule.interval = Time::from_seconds_rounded(interval);
  rule.counter = named_counter(counter, "hpvm.rules");
  return rule;
}

} // namespace

std::vector<Rule> rules_of(const HpvmParams& params) {
  std::vector<Rule> rules;
  std::istringstream parts(params.rules);
  for (std::string part; std::getline(parts, part, ';');) {
    const Rule& rule = rules.emplace_back(rule_of(trimmed(part)));
    named_counters(rule.counters, "hpvm.rules");
    for (const Phase& phase : phases_of(params))
      if (!reads(phase.counters, phase.path, rule.counter))
        throw UserError("hpvm.rules = " + rule.text + ": its counter must be one of those polled by " + phase.path +
                        " = " + trimmed(phase.counters) + ", because a rule sees only polled counters");
  }
  return rules;
}

} // namespace hypermon::hpvm
