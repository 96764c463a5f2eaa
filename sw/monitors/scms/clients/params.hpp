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
/// Number of nodes in a request, and number of requests under way in a call.
enum class ScmsAsk : std::uint8_t { together, one_by_one, pipelined };
constexpr auto words_of(ScmsAsk) { return words("together", "one_by_one", "pipelined"); }
enum class ScmsArrival : std::uint8_t { periodic, random };
constexpr auto words_of(ScmsArrival) { return words("periodic", "random"); }
enum class ScmsSession : std::uint8_t { once, every_call };
constexpr auto words_of(ScmsSession) { return words("once", "every_call"); }

/// Contents, form and times of requests.
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
            "Number of kinds of SCMS/RMS clients; scms_client[1].mode belongs to the second kind.", "chosen"}
          .same_of_all(),
      Field{"kind", &P::kind,
            "Kind of the SCMS/RMS client. reader: requests resources. scheduler: requests loads and chooses the least "
            "loaded node. administrator: reads the process table of every node. program: your own client in "
            "scms_client.program.",
            "SCMS sec. 4: the least loaded node; 11 KB a node"},
      Field{"clients", &P::clients, range(1, 10000), "",
            "Number of SCMS/RMS clients of this kind, each with its own connection.", "chosen"},
      Field{"resources", &P::resources, any_value(), "",
            "Resources that the SCMS/RMS client requests, separated by blanks, by name or as <plug-in>:<function>. A "
            "scheduler chooses by the first one. Empty: hardware.load; process.table for an administrator.",
            "SCMS sec. 3.2"},
      Field{"nodes", &P::nodes, any_value(), "",
            "Nodes that the SCMS/RMS client requests. all: every node. live: those in the list of live nodes, which it "
            "requests first. Otherwise numbers and ranges like 0,4-7.",
            "SCMS sec. 2"},
      Field{"mode", &P::mode,
            "Source of the SCMS/RMS client's values. asynchronous: the caches of the partition agents (SMAs). "
            "synchronous: the node agents (CMAs), which read them for the request.",
            "SCMS sec. 3.1"},
      Field{"ask", &P::ask,
            "Form of an SCMS/RMS client's call. together: one request for all nodes. one_by_one: one request per node, "
            "each sent after the reply to the previous one. pipelined: one request per node, all sent at once.",
            "chosen: Table 2's resource vector; Table 1's calls"},
      Field{"sma", &P::sma, range(0, 65535), "",
            "Number of the partition agent (SMA) to which the SCMS/RMS client is attached; 0 is the root.", "chosen"},
      Field{"place", &P::place, any_value(), "",
            "Computer that runs the SCMS/RMS client: beside (the first one beside the machine) or a node's number. "
            "Empty: beside, if the network reaches such a computer; otherwise node 0.",
            "chosen: the front end"},
      Field{"period_s", &P::period_s, range(0, 1e6),
            "Time between two calls of the SCMS/RMS client; the mean time with scms_client.arrival = random. 0: no "
            "client.",
            "chosen"},
      Field{"arrival", &P::arrival,
            "Times of the SCMS/RMS client's calls. periodic: whole periods from scms_client.begin_s on; a call that "
            "would exceed scms_client.outstanding is missed. random: exponential intervals from the seed; a call that "
            "would exceed it waits.",
            "chosen"},
      Field{"calls", &P::calls, range(0, 1e9), "",
            "Number of calls after which the SCMS/RMS client ends. 0: it ends with the run or at scms_client.end_s.",
            "chosen"},
      Field{"outstanding", &P::outstanding, range(1, 1e6), "calls",
            "Largest number of calls of an SCMS/RMS client under way at the same time. It applies with scms_client.ask "
            "= together.",
            "SCMS sec. 3.3: pipelining"},
      Field{"begin_s", &P::begin_s, range(0, 1e6), "Time at which the SCMS/RMS client begins.", "chosen"},
      Field{"end_s", &P::end_s, range(0, 1e6),
            "Time after which the SCMS/RMS client makes no call. 0: it goes on to the end of the run.", "chosen"},
      Field{"session_ms", &P::session_ms, range(0, 1e6),
            "Time for which the SCMS/RMS client waits while it opens a session with the agents (RMI), before its first "
            "request.",
            "SCMS Table 1: calibrated by 33 ms on 8 nodes"},
      Field{"session", &P::session,
            "Lifetime of an SCMS/RMS client's session with the agents (RMI). once: it is opened at the beginning of "
            "the run. every_call: each call opens one, and its time includes that.",
            "chosen"},
      Field{"timeout_s", &P::timeout_s, range(0, 1e6),
            "Time after which the SCMS/RMS client gives up missing parts of an answer. 0: never.", "chosen"},
      Field{"program", &P::program, program(), "",
            "Your own SCMS/RMS client with scms_client.kind = program: a C or C++ source that uses hypermon_rmi.h, or "
            "a shared object. It runs once, from scms_client.begin_s on.",
            "SCMS sec. 2: RMI"}
          .that_runs(
              "The compiler on a source, then the client. A shared object's code runs as soon as it is loaded."));
}
static_assert(all_members_described<ScmsClientParams>());

} // namespace hypermon
