// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a part without their struct's type. Code that reads, writes and describes specifications uses this, so
// that it is compiled once and depends on no part.
#pragma once
#include "base/field.hpp"
#include "base/several.hpp"

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <utility>
#include <variant>

namespace hypermon {

class Spec;

/// Reference to a parameter's value.
using ValueAt = std::variant<std::int64_t*, double*, bool*, std::string*, ChoiceAt>;
template <class Value> ValueAt value_at(Value& value) {
  if constexpr (Choice<Value>)
    return ChoiceAt(value);
  else
    return &value;
}
/// Called with a parameter's path, description and value.
using VisitField = std::function<void(const std::string& path, const FieldInfo& field, ValueAt value)>;

/// The values of a part's parameters.
class Section {
public:
  Section() = default;
  Section& operator=(const Section&) = delete;
  virtual ~Section() = default;
  virtual std::unique_ptr<Section> copy() const = 0;
  /// Gives instance `number` parameters of its own. Call this only where the section holds a Several.
  virtual void own(std::size_t /*number*/) {}

protected:
  Section(const Section&) = default;
};

template <class Params> class SectionOf : public Section {
public:
  Params values;
  std::unique_ptr<Section> copy() const override { return std::make_unique<SectionOf>(*this); }
};

template <class Params> class SectionOf<Several<Params>> : public Section {
public:
  Several<Params> values;
  std::unique_ptr<Section> copy() const override { return std::make_unique<SectionOf>(*this); }
  void own(std::size_t number) override { values.own(number); }
};

/// A parameter of a struct of unknown type.
struct AnyField {
  const FieldInfo* info;
  ValueAt (*at)(const FieldInfo& info, void* values);
};

namespace detail {
template <class Struct, class Value> ValueAt value_of(const FieldInfo& info, void* values) {
  const auto& field = static_cast<const Field<Struct, Value>&>(info);
  return value_at(stored(static_cast<Struct*>(values)->*field.member));
}
template <class Struct, class Value> constexpr AnyField any(const Field<Struct, Value>& field) {
  return {&field, value_of<Struct, Value>};
}
} // namespace detail

/// All parameters of a struct, in the order of declaration. A table, because code for each parameter would take
/// compilers long.
template <class Params> std::span<const AnyField> any_fields() {
  static const auto fields = fields_of(static_cast<const Params*>(nullptr));
  static const auto all =
      detail::with_all(fields, [](const auto&... field) { return std::array{detail::any(field)...}; });
  return all;
}

/// Visits every parameter, in the order of declaration, below the path `name`.
inline void visit_fields(std::span<const AnyField> fields, void* values, const std::string& name,
                         const VisitField& visit) {
  for (const AnyField& field : fields)
    visit(detail::path_of(name, field.info->name), *field.info, field.at(*field.info, values));
}
template <class Params> void visit_fields(Params& values, const std::string& name, const VisitField& visit) {
  visit_fields(any_fields<Params>(), &values, name, visit);
}
/// After the common parameters come the instances that differ, with the parameters that may differ.
template <class Params> void visit_fields(Several<Params>& values, const std::string& name, const VisitField& visit) {
  visit_fields(static_cast<Params&>(values), name, visit);
  for (auto& [number, own] : values.differing)
    visit_fields(own, name + "[" + std::to_string(number) + "]",
                 [&](const std::string& path, const FieldInfo& field, ValueAt at) {
                   if (field.may_differ) visit(path, field, at);
                 });
}

/// Properties of a section that do not depend on values.
struct SectionKind {
  std::string name;
  std::string description;
  std::type_index type;
  std::unique_ptr<Section> (*make)();
  /// Visits the parameters of a section made by this kind.
  void (*visit)(Section& section, const std::string& name, const VisitField& visit);
  /// Returns the reason why the machine has no instance of a Several with that number; empty if it has one. `each` is
  /// the name of an instance.
  std::string (*no_such)(const Spec&, std::size_t number) = nullptr;
  std::string each{};
  bool is_several() const { return no_such != nullptr; }
  bool changes_results = true;  ///< false: limits of the simulation itself
  bool is_behind_ports = false; ///< true for hardware that only sees the data that the nodes wrote to their ports
};

/// Call this where the parameters are described (fields_of). Code that only reads them needs no such call.
template <class Params> SectionKind section(std::string name, std::string description) {
  return {std::move(name), std::move(description), typeid(Params),
          [] { return std::unique_ptr<Section>(std::make_unique<SectionOf<Params>>()); },
          [](Section& section, const std::string& below, const VisitField& visit) {
            visit_fields(static_cast<SectionOf<Params>&>(section).values, below, visit);
          }};
}

} // namespace hypermon
