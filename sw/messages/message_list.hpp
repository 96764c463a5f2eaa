// SPDX-License-Identifier: BSD-3-Clause
// messages.csv in a run's directory: every message that the MPI library gives to the network, in the order of their
// ends.
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
  /// Renames the file to its final name.
  void close();

private:
  struct Begun {
    Time at;
    MessageStep step;
  };
  void note_error();

  std::string path_;
  std::ofstream file_;
  std::string why_; // error text of the first write that failed
  std::map<OperationId, Begun> begun_;
};

} // namespace hypermon::messages
