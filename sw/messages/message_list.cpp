// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/message_list.hpp"
#include "base/user_error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hypermon::messages {

MessageList::MessageList(const std::string& directory) : path_(directory + "/messages.csv"), file_(path_ + ".part") {
  if (!file_) throw UserError("packet_messages.list = true: " + path_ + " cannot be written: " + std::strerror(errno));
  file_ << "begin_ps,end_ps,from,to,bytes,algorithm,step,call\n";
}

void MessageList::begins(Time now, const MessageStep& step) { begun_.emplace(step.id, Begun{now, step}); }

void MessageList::ends(Time now, OperationId id) {
  const auto found = begun_.find(id);
  if (found == begun_.end()) return; // not a message
  const MessageStep& step = found->second.step;
  file_ << found->second.at.ps() << ',' << now.ps() << ',' << step.from << ',' << step.to << ',' << step.bytes << ','
        << step.algorithm << ',' << step.step << ',' << (step.cause.number & 0xff'ffff'ffff) << '\n';
  begun_.erase(found);
  note_error();
}

void MessageList::note_error() {
  if (!file_ && why_.empty()) why_ = std::strerror(errno);
}

void MessageList::close() {
  file_.close();
  note_error();
  if (!why_.empty()) throw UserError("packet_messages.list = true: " + path_ + " cannot be written: " + why_);
  std::filesystem::rename(path_ + ".part", path_);
}

} // namespace hypermon::messages
