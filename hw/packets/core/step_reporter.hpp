// SPDX-License-Identifier: BSD-3-Clause
// Reports steps in the layers of the file system to observers, if there are any, and counts pending operations.
#pragma once
#include "hw/packets/core/events.hpp"
#include "hw/packets/core/io_observers.hpp"

#include <array>
#include <utility>
#include <vector>

namespace hypermon::piosim {

class StepReporter {
public:
  StepReporter(const Events& events, const IoObservers& observers, std::size_t stations)
      : events_(events), observers_(observers), pending_(stations) {}

  bool is_on() const { return !observers_.empty(); }
  /// A pending operation of its layer, or a part of one.
  enum class As : std::uint8_t { pending, part };
  /// Assigns an id to the step and reports it. Without observers it does nothing and returns no id.
  OperationId begin(IoStep step, As as = As::pending) {
    if (!is_on()) [[likely]]
      return {};
    step.id = observers_.number();
    observers_.notify([&](IoObserver& observer) { observer.begins(events_.now(), step); });
    if (as == As::pending) count(step.layer, step.at, 1);
    return step.id;
  }
  /// Reports the end of a step and clears its id.
  void end(OperationId& id, IoLayer layer, Station at, As as = As::pending) {
    if (!id) [[likely]]
      return;
    observers_.notify([&](IoObserver& observer) { observer.ends(events_.now(), id); });
    if (as == As::pending) count(layer, at, -1);
    id = {};
  }
  void busy(Station at, IoObserver::Part part, bool works) const {
    observers_.notify([&](IoObserver& observer) { observer.busy(events_.now(), at, part, works); });
  }

private:
  void count(IoLayer layer, Station at, std::int64_t more) {
    const std::int64_t now = pending_[static_cast<std::size_t>(at)][static_cast<std::size_t>(layer)] += more;
    observers_.notify([&](IoObserver& observer) { observer.pending(events_.now(), layer, at, now); });
  }
  const Events& events_;
  const IoObservers& observers_;
  std::vector<std::array<std::int64_t, 7>> pending_; // by station and layer
};

} // namespace hypermon::piosim
