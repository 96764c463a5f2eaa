#include "sw/instrumentation/event_volume.hpp"

#include "tests/catch.hpp"

using namespace hypermon;

TEST_CASE("an event belongs to the millisecond in which it is emitted, its first instant included") {
  EventVolume volume;
  volume.add(3_ms - 1_ps, 7);
  volume.add(3_ms, 11);
  volume.add(4_ms - 1_ps, 4);
  CHECK(volume.most_in(1) == 11 + 4);
  CHECK(volume.total() == 7 + 11 + 4);
}

TEST_CASE("a burst is the fullest run of intervals, in whatever order the nodes' events come") {
  EventVolume volume;
  constexpr auto burst = static_cast<std::int64_t>(EventVolume::burst);
  volume.add(5_ms * burst, 1); // far from the others
  volume.add(1_ms * burst, 5);
  volume.add(1_ms, 3);   // burst - 1 intervals before the 5: in one run with it
  volume.add(0_ms, 100); // just out of that run
  CHECK(volume.most_in(EventVolume::burst) == 100 + 3);
  volume.add(1_ms * burst, 100);
  CHECK(volume.most_in(EventVolume::burst) == 3 + 5 + 100);
}

TEST_CASE("without events there is no volume") {
  CHECK(EventVolume{}.total() == 0);
  CHECK(EventVolume{}.most_in(EventVolume::burst) == 0);
}
