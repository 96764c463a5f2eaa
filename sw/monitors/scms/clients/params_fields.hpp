// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "hw/core/field.hpp"
#include "sw/monitors/scms/clients/params.hpp"

namespace hypermon {

inline auto fields_of(const ScmsClientParams*) {
  using P = ScmsClientParams;
  return std::tuple{
      Field{"period_s", &P::period_s, range(0, 1e6), "From one request to the next; 0: no client.", "chosen"},
      Field{"mode", &P::mode, "From caches, or through them to the CMAs.", "SCMS sec. 3.1"},
      Field{"resources", &P::resources, any_value(), "", "Its resource vector, blanks between.", "chosen"},
      Field{"nodes", &P::nodes, any_value(), "", "That it asks for: all, or numbers and ranges like 0,4-7.", "chosen"},
      Field{"sma", &P::sma, range(0, 65535), "", "That it is attached to: 0 is the root.", "chosen"}};
}
static_assert(all_members_described<ScmsClientParams>());

} // namespace hypermon
