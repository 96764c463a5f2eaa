// SPDX-License-Identifier: BSD-3-Clause
// messages.csv in a run's directory: every message that MPI's library gives to the network, in the order of their ends.
#pragma once
#include "hw/packets/core/io_observer.hpp"

#include <fstream>
#include <map>
#include <string>

namespace hypermon::messages {

class MessageList : public IoObserver {
public:
  explicit MessageList(const std::string& directory);
  using IoObserver::begins;
  void begins(Time now, const MessageStep& step) override;
  void ends(Time now, OperationId id) override;
  /// Renames it to what it is called.
  void close();

private:
  struct Begun {
    Time at;
    MessageStep step;
  };
  void note_error();

  std::string path_;
  std::ofstream file_;
  std::string why_; // the first write that failed did so
  std::map<OperationId, Begun> begun_;
};

} // namespace hypermon::messages
