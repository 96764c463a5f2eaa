// SPDX-License-Identifier: BSD-3-Clause
// Parameters of SCMS/RMS's clients.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

enum class ScmsMode : std::uint8_t { asynchronous, synchronous };
constexpr auto words_of(ScmsMode) { return words("asynchronous", "synchronous"); }
enum class ScmsClientKind : std::uint8_t { reader, scheduler, administrator, program };
constexpr auto words_of(ScmsClientKind) { return words("reader", "scheduler", "administrator", "program"); }
/// How many nodes a request names.
enum class ScmsAsk : std::uint8_t { together, one_by_one };
constexpr auto words_of(ScmsAsk) { return words("together", "one_by_one"); }
enum class ScmsArrival : std::uint8_t { periodic, random };
constexpr auto words_of(ScmsArrival) { return words("periodic", "random"); }
enum class ScmsSession : std::uint8_t { once, every_call };
constexpr auto words_of(ScmsSession) { return words("once", "every_call"); }

/// Who asks for what, how, and when.
struct ScmsClientParams {
  std::int64_t count = 1;
  ScmsClientKind kind = ScmsClientKind::reader;
  std::int64_t clients = 1;
  std::string resources;
  std::string nodes = "all";
  ScmsMode mode = ScmsMode::asynchronous;
  ScmsAsk ask = ScmsAsk::together;
  std::int64_t sma = 0;
  std::string place;
  Seconds period_s = 0;
  ScmsArrival arrival = ScmsArrival::periodic;
  std::int64_t calls = 0;
  std::int64_t outstanding = 1;
  Seconds begin_s = 0;
  Seconds end_s = 0;
  Milliseconds session_ms = 21;
  ScmsSession session = ScmsSession::once;
  Seconds timeout_s = 0;
  std::string program;
};
using ScmsClientSection = Several<ScmsClientParams>;

constexpr auto fields_of(const ScmsClientParams*) {
  using P = ScmsClientParams;
  return fields(
      Field{"count", &P::count, range(0, 64), "kinds",
            "Kinds of clients: scms_client[1].mode is a parameter of the second one.", "chosen"}
          .same_of_all(),
      Field{
          "kind", &P::kind,
          "reader: asks for resources. scheduler: asks for loads, and chooses the node that has least. administrator: "
          "reads every node's table of processes. program: your own (scms_client.program).",
          "SCMS sec. 4: the least loaded node; 11 KB a node"},
      Field{"clients", &P::clients, range(1, 10000), "", "So many of that kind, each with a connection of its own.",
            "chosen"},
      Field{
          "resources", &P::resources, any_value(), "",
          "Its resource vector, blanks between, by name or as <plug-in>:<function>; a scheduler chooses by the first. "
          "Empty: hardware.load, an administrator's process.table.",
          "SCMS sec. 3.2"},
      Field{"nodes", &P::nodes, any_value(), "",
            "That it asks for: all; live: those of RMI's list, which it asks for first; or numbers and ranges like "
            "0,4-7.",
            "SCMS sec. 2"},
      Field{"mode", &P::mode, "From caches, or through them to the CMAs.", "SCMS sec. 3.1"},
      Field{
          "ask", &P::ask,
          "together: one request for all nodes. one_by_one: a request for each node, when the one before is answered.",
          "chosen: Table 2's resource vector; Table 1's calls"},
      Field{"sma", &P::sma, range(0, 65535), "", "That it is attached to: 0 is the root.", "chosen"},
      Field{"place", &P::place, any_value(), "",
            "Where it runs: beside, the first computer beside the machine, or a node's number; empty: beside if the "
            "network reaches one there, else node 0.",
            "chosen: the front end"},
      Field{"period_s", &P::period_s, range(0, 1e6), "From one call to the next, or its mean; 0: no client.", "chosen"},
      Field{"arrival", &P::arrival,
            "periodic: at whole periods from begin_s on; a date that passes while as many calls as may be are "
            "outstanding is missed. random: after exponential times from the seed; who finds no room waits.",
            "chosen"},
      Field{"calls", &P::calls, range(0, 1e9), "", "Then it ends; 0: when the run or end_s does.", "chosen"},
      Field{"outstanding", &P::outstanding, range(1, 1e6), "calls", "At most at the same time; together only.",
            "SCMS sec. 3.3: pipelining"},
      Field{"begin_s", &P::begin_s, range(0, 1e6), "From when on.", "chosen"},
      Field{"end_s", &P::end_s, range(0, 1e6), "No call after that; 0: to the end of the run.", "chosen"},
      Field{"session_ms", &P::session_ms, range(0, 1e6),
            "Opening an RMI session: time that the client waits, before its first request.",
            "SCMS Table 1: calibrated by 33 ms on 8 nodes"},
      Field{"session", &P::session, "Once, at the run's begin, or for every call, as a part of its time.", "chosen"},
      Field{"timeout_s", &P::timeout_s, range(0, 1e6), "After that what has not come is missing; 0: never.", "chosen"},
      Field{"program", &P::program, program(), "",
            "Of kind program: your own client (hypermon_rmi.h), a source in C or C++ or a shared object. It runs once, "
            "from begin_s on.",
            "SCMS sec. 2: RMI"}
          .that_runs(
              "The compiler on a source, then the client. A shared object's code runs as soon as it is loaded."));
}
static_assert(all_members_described<ScmsClientParams>());

} // namespace hypermon
