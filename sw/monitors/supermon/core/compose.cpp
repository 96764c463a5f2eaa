#include "sw/monitors/supermon/core/compose.hpp"

namespace hypermon::supermon {

std::string compose(const Query& query, const Gathered& gathered) {
  SexprWriter out;
  out.open("answer").number(query.id);
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
