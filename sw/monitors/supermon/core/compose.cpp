// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/compose.hpp"

namespace hypermon::supermon {

namespace {

void combine(const Query& query, const Gathered& gathered, Surroundings& around, SexprWriter& out) {
  Combined all(query.combine);
  std::size_t before = 0;
  for (const Document& answer : gathered.answers)
    for (const Sexpr part : answer.root()) {
      const bool is_sample = part.is_named("sample");
      if (is_sample) {
        all.add_sample(part, [&](const Sexpr& text) { return around.rows_of(text); });
        around.lose(serial_of(part), Loss::combined);
      } else if (part.is_named("combined")) {
        all.add_combined(part);
      } else {
        continue;
      }
      before += part.text().size();
    }
  if (all.nodes() == 0) return;
  const std::size_t begin = out.size();
  all.write(out);
  around.combined(before, out.size() - begin);
}

} // namespace

std::string compose(const Query& query, const Gathered& gathered, Surroundings& around) {
  SexprWriter out;
  out.open("answer").number(query.id);
  if (query.combine != Combining::none)
    combine(query, gathered, around, out);
  else
    for (const Document& answer : gathered.answers)
      each_sample(answer.root(), [&](const Sexpr& sample) { out.as_it_is(sample.text()); });
  if (!gathered.missing.empty()) {
    out.open("missing");
    gathered.missing.write(out);
    out.close();
  }
  return out.close().take();
}

} // namespace hypermon::supermon
