// SPDX-License-Identifier: BSD-3-Clause
#include "base/spec.hpp"

#include <algorithm>
#include <stdexcept>

namespace hypermon {
namespace {

/// The sections of all parts, in order.
const std::vector<const SectionKind*>& kinds() {
  static const std::vector<const SectionKind*> all = [] {
    std::vector<const SectionKind*> found;
    for (const Part& part : parts())
      for (const SectionKind& kind : part.sections) found.push_back(&kind);
    return found;
  }();
  return all;
}

/// Name of the part that runs if the specification names none.
std::string default_of(Part::Kind kind) {
  std::string first;
  for (const Part& part : parts()) {
    if (part.kind != kind) continue;
    if (part.is_default) return part.name;
    if (first.empty()) first = part.name;
  }
  return first;
}

std::string about_monitors() {
  std::string text = "Monitor that observes the run.";
  for (const Part& part : parts())
    if (!part.monitor.description.empty()) text += " " + part.name + ": " + part.monitor.description + ".";
  return text;
}

std::string about_workloads() {
  std::string text = "Program that runs.";
  for (const Part& part : parts())
    if (!part.workload.description.empty()) text += " " + part.name + ": " + part.workload.description + ".";
  return text + " Other values: programs that come with hypermon.";
}

std::vector<std::string_view> names_of(Part::Kind kind) {
  std::vector<std::string_view> names;
  for (const Part& part : parts())
    if (part.kind == kind) names.push_back(part.name);
  return names;
}

struct Own {
  FieldInfo nodes{
      "nodes", range(1, 4096), "",
      "Number of compute nodes: a power of two on a hypercube, the product of the dimensions on a torus or fat tree.",
      "HYPERMON sec. 4: eight nodes"};
  FieldInfo seed{"seed", range(0, 2147483647), "", "Seed of clock drifts, phases and the workload's data.", "chosen"};
  std::vector<std::string_view> monitors = names_of(Part::Kind::monitor); // a FieldInfo does not own its choices
  std::string about_monitor = about_monitors();
  FieldInfo monitor{"monitor", one_of(monitors), "", about_monitor, "HYPERMON sec. 5.2"};
  std::vector<std::string_view> workloads = names_of(Part::Kind::workload);
  std::string about_workload = about_workloads();
  FieldInfo workload{"workload", one_of(workloads), "", about_workload,
                     "HYPERMON Table 1, sec. 5.1; a collection beside them"};
};

const Own& own() {
  static const Own fields;
  return fields;
}

} // namespace

Spec::Spec() : monitor(default_of(Part::Kind::monitor)), workload(default_of(Part::Kind::workload)) {
  for (const SectionKind* kind : kinds()) sections_.push_back(kind->make());
}

Spec::Spec(const Spec& other) : nodes(other.nodes), seed(other.seed), monitor(other.monitor), workload(other.workload) {
  for (const auto& section : other.sections_) sections_.push_back(section->copy());
}

Spec& Spec::operator=(Spec other) noexcept {
  nodes = other.nodes;
  seed = other.seed;
  monitor = std::move(other.monitor);
  workload = std::move(other.workload);
  sections_ = std::move(other.sections_);
  return *this;
}

std::size_t Spec::place_of(std::type_index type) {
  const auto found = std::ranges::find_if(kinds(), [&](const SectionKind* kind) { return kind->type == type; });
  if (found == kinds().end()) throw std::logic_error(std::string("no part has parameters of type ") + type.name());
  return static_cast<std::size_t>(found - kinds().begin());
}

void Spec::visit(const VisitField& visit) {
  const Own& fields = own();
  visit("nodes", fields.nodes, &nodes);
  visit("seed", fields.seed, &seed);
  visit("monitor", fields.monitor, &monitor);
  visit("workload", fields.workload, &workload);
  for (std::size_t i = 0; i < sections_.size(); ++i) kinds()[i]->visit(*sections_[i], kinds()[i]->name, visit);
}

} // namespace hypermon
