// SPDX-License-Identifier: BSD-3-Clause
// The resolved specification of one simulation: every parameter of every part, under one tree of paths.
#pragma once
#include "base/parts.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hypermon {

class Spec {
public:
  std::int64_t nodes = 8;
  std::int64_t seed = 1;
  std::string monitor;
  std::string workload;

  /// Gives every parameter its default.
  Spec();
  Spec(const Spec& other);
  Spec(Spec&&) = default;
  Spec& operator=(Spec other) noexcept;
  ~Spec() = default;

  /// A section by its struct.
  template <class Params> const Params& get() const {
    // The place is the same for all specifications. It is looked up once, because replays call this for each event.
    static const std::size_t place = place_of(typeid(Params));
    return static_cast<const SectionOf<Params>&>(*sections_[place]).values;
  }
  template <class Params> Params& get() { return const_cast<Params&>(std::as_const(*this).template get<Params>()); }

  /// Visits every parameter, in the order in which they are shown.
  void visit(const VisitField& visit);
  /// Visits every parameter for reading: f(path, FieldInfo, const value&). A choice is passed as its word (a string).
  template <class F> void for_each_field(F&& f) const {
    const_cast<Spec*>(this)->visit(
        [&f](const std::string& path, const FieldInfo& field, ValueAt at) { // f changes no value
          std::visit(
              [&](const auto& value) {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, ChoiceAt>)
                  f(path, field, std::string(value.word()));
                else
                  f(path, field, std::as_const(*value));
              },
              at);
        });
  }
  /// The section of that type, or at that index among the sections of all parts().
  Section& section(std::type_index type) { return *sections_[place_of(type)]; }
  const Section& section(std::type_index type) const { return *sections_[place_of(type)]; }

private:
  static std::size_t place_of(std::type_index type);

  std::vector<std::unique_ptr<Section>> sections_;
};

} // namespace hypermon
