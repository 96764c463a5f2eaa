"""Each rule of the contract broken once on purpose, in the text of hw/core."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """`old` occurs exactly once in `file` (below hw/core)."""

    rule: str
    file: str
    old: str
    new: str


MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        "An edge comes before a strobe at its time",
        "capture_board.cpp",
        "in->time < edge",
        "in->time <= edge",
    ),
    Mutation(
        "A strobe that finds its bit set is aliasing",
        "capture_board.cpp",
        "if (sampler_.has(in.index)) {",
        "if (sampler_.has(in.index) && in.index > 0) {",
    ),
    Mutation(
        "The datum that completes a word is the word's strobe",
        "capture_board.cpp",
        "word.data() < data_per_word_)",
        "word.data() + 1 < data_per_word_)",
    ),
    Mutation(
        "After a word that was lost the accumulator starts anew",
        "capture_board.cpp",
        "  word.clear();\n  inputs_.pop(in);",
        "  inputs_.pop(in);",
    ),
    Mutation(
        "What leaves the strobe-vector FIFO at an edge makes no room at it",
        "capture_board.cpp",
        "vectors_.arrive(entry, vectors_before)",
        "vectors_.arrive(entry, vectors_.size())",
    ),
    Mutation(
        "What leaves the frame FIFO at an edge makes no room at it",
        "capture_board.cpp",
        "frames_.arrive(built, frames_before, being_read)",
        "frames_.arrive(built, frames_.size(), being_read)",
    ),
    Mutation(
        "A full frame FIFO that stalls holds the builder",
        "capture_board.cpp",
        " && frames_.takes(frames_before)",
        "",
    ),
    Mutation(
        "The words of a lost window are the newest; of the oldest window, the oldest",
        "capture_board.cpp",
        "lost->window == entry.window",
        "true",
    ),
    Mutation(
        "The timestamp is the number of the window that ends",
        "capture_board.cpp",
        "window_of(edge) - 1}",
        "window_of(edge)}",
    ),
    Mutation(
        "A frame with at least one flagged word is stamped",
        "capture_board.cpp",
        "built.frame.stamped |= word.flagged;",
        "built.frame.stamped = word.flagged;",
    ),
    Mutation(
        "A frame takes builder_cycles",
        "capture_board.cpp",
        "builder_.take(edge + build_time_)",
        "builder_.take(edge + build_time_ + clock_period)",
    ),
    Mutation(
        "Merged are a frame's words beyond the first",
        "capture_board.cpp",
        "popcount(built.frame.vector)) - 1;",
        "popcount(built.frame.vector));",
    ),
    Mutation(
        "An empty frame merges nothing",
        "capture_board.cpp",
        "if (built.frame.vector != 0) counts_.merged",
        "counts_.merged",
    ),
    Mutation(
        "drop_oldest spares the frame that is being read",
        "capture_board.cpp",
        "= drained_by_ == DrainedBy::reader ? (reader_.reading() ? 1 : 0) : claimed_;",
        "= 0;",
    ),
    Mutation(
        "The peak counts the frame that arrives",
        "capture_board.cpp",
        "(counts_.peak_frame_fifo, frames_.size() + not_yet_left(edge + 1_ps))",
        "(counts_.peak_frame_fifo, frames_before)",
    ),
    Mutation(
        "The first overrun is the first",
        "capture_board.cpp",
        "if (counts_.frames_lost++ == 0)",
        "if (++counts_.frames_lost > 0)",
    ),
    Mutation(
        "What is lost while the reader is stopped has that cause",
        "capture_board.cpp",
        "reader_.stopped(edge) ? LossCause::reader_stopped : LossCause::frame_lost",
        "LossCause::frame_lost",
    ),
    Mutation(
        "A wrap frame belongs to the last window before the wrap",
        "capture_board.cpp",
        "= window_of(std::max(now_, origin_)); //",
        "= window_of(std::max(now_, origin_)) + 1; //",
    ),
    Mutation(
        "Wraps go on while a strobe is to come",
        "capture_board.cpp",
        "end <= program_end_ || strobe_to_come()",
        "end <= program_end_",
    ),
    Mutation(
        "Power-on garbage fills the frame FIFO, no more",
        "capture_board.cpp",
        "if (!frames_.full()) frames_.push({frame",
        "frames_.push({frame",
    ),
    Mutation(
        "Garbage is nobody's loss",
        "capture_board.cpp",
        "  if (built.garbage) return;\n",
        "",
    ),
    Mutation(
        "A frame without room in memory is lost",
        "capture_board.cpp",
        "if (outcome.kept)",
        "if (outcome.kept || drain_ != nullptr)",
    ),
    Mutation(
        "A bus error is of one of the frame's words",
        "capture_board.cpp",
        "next_frame_fails(words)",
        "next_frame_fails(4)",
    ),
    Mutation(
        "A program that holds reads nothing",
        "capture_board.cpp",
        "  if (outcome.hold) reader_.hold();\n",
        "",
    ),
    Mutation(
        "What a program does with a frame delays the next",
        "capture_board.cpp",
        "end_frame(read_end, outcome.busy)",
        "end_frame(read_end, 0_ps)",
    ),
    Mutation(
        "An interrupt delays the next frame",
        "capture_board.cpp",
        "edge_at_or_after(drain_->ready(edge))",
        "edge_at_or_before(drain_->ready(edge))",
    ),
    Mutation(
        "A program that is resumed begins then",
        "capture_board.cpp",
        "std::max(at, now_ + clock_period)",
        "now_ + clock_period",
    ),
    Mutation(
        "In bulk: a frame FIFO that fills is left to the rules",
        "capture_board.cpp",
        "  if (frames_.full_at(inside)) return Captured::not_in_bulk;\n",
        "",
    ),
    Mutation(
        "In bulk: an input has a window for each strobe",
        "capture_board.cpp",
        "(in.index == input && first - last < window_)",
        "(in.index == input && first < last)",
    ),
    Mutation(
        "In bulk: the peak counts the frame that is being read",
        "capture_board.cpp",
        "(backlog + frame_time - 1_ps) / frame_time) + 1;",
        "backlog / frame_time) + 1;",
    ),
    Mutation(
        "A reset begins windows and timestamps anew",
        "capture_board.cpp",
        "  origin_ = edge;\n",
        "",
    ),
    Mutation(
        "A reset clears counts and status",
        "capture_board.cpp",
        "  counts_ = {};\n",
        "",
    ),
    Mutation(
        "A reset loses the data of incomplete words",
        "capture_board.cpp",
        "    if (accumulators_[i].data() > 0)",
        "    if (accumulators_[i].data() > 8)",
    ),
    Mutation(
        "The frame count saturates",
        "capture_board.cpp",
        "std::min(waiting(), Reader::largest_count)",
        "waiting()",
    ),
    Mutation(
        "For a bus master, a frame leaves at the first edge after its last word",
        "capture_board.cpp",
        "built.leaves = edge_at_or_after(read.end);",
        "built.leaves = edge_at_or_after(read.end) + clock_period;",
    ),
    Mutation(
        "A window's end may release a held write",
        "capture_board.cpp",
        "const bool any_window = vectors_.policy() == WhenFull::drop_oldest;",
        "const bool any_window = false;",
    ),
    Mutation(
        "A wrap frame may be the next that is read",
        "capture_board.cpp",
        "format_.words(false));\n  const Time edge = wrap_frames_ ? std::min(next_edge_, next_wrap()) : next_edge_;",
        "format_.words(false));\n  const Time edge = next_edge_;",
    ),
    Mutation(
        "After a held strobe the burst goes on at its spacing",
        "strobe_inputs.cpp",
        "in.time = time + in.spacing;",
        "in.time += in.spacing;",
    ),
    Mutation(
        "The highest input is in the first data word",
        "frame.cpp",
        "(data_words() - 1 - i) * fields",
        "i * fields",
    ),
    Mutation(
        "The high word of a timestamp comes first",
        "frame.cpp",
        "32 * (data + timestamp_words() - i)",
        "32 * (i - data - 1)",
    ),
    Mutation(
        "Memory keeps what fits to the last byte",
        "drain_program.cpp",
        "if (destination_ == Destination::memory && buffered_ + bytes > capacity_)",
        "if (destination_ == Destination::memory && buffered_ + bytes >= capacity_)",
    ),
    Mutation(
        "Blocks go at the slower of bus and disks",
        "drain_program.cpp",
        "std::min(p.cfs_scsi_mb_per_s",
        "std::max(p.cfs_scsi_mb_per_s",
    ),
    Mutation(
        "Interrupts come evenly, the last with the block's end",
        "drain_program.cpp",
        "/ n * i)",
        "/ n * (i - 1))",
    ),
    Mutation(
        "A message has its size, the rest is in the next",
        "drain_program.cpp",
        "message_due_ = message_bytes_;",
        "message_due_ = buffered_;",
    ),
    Mutation(
        "Statistics are written for each period that has ended",
        "drain_program.cpp",
        "(begun - periods_) * bytes",
        "bytes",
    ),
    Mutation(
        "The first datum of a word is the lowest",
        "accumulator.hpp",
        "value_ |= datum << data_ * bits;",
        "value_ = data_ == 0 ? datum : value_ << bits | datum;",
    ),
    Mutation(
        "A held write happens when there is room",
        "source_fifos.hpp",
        "if (!inputs_[i].held || fifos_[i].full()) continue;",
        "if (!inputs_[i].held) continue;",
    ),
    Mutation(
        "A frame is complete at its edge",
        "stage.hpp",
        "edge >= complete_",
        "edge > complete_",
    ),
    Mutation(
        "A group is what waits before the look",
        "reader.hpp",
        "left_ = std::min(waiting, largest_count);",
        "left_ = 1;",
    ),
    Mutation(
        "A stopped reader begins again at its last instant",
        "reader.hpp",
        "at < stops_until_;",
        "at <= stops_until_;",
    ),
    Mutation(
        "A reset does not free a program that holds",
        "reader.hpp",
        "if (next_action_ < Time::never()) next_action_ = edge;",
        "next_action_ = edge;",
    ),
    Mutation(
        "In closed form, what leaves the frame FIFO at an edge makes no room at it",
        "closed_form.cpp",
        "backlog >= design.frames_full",
        "backlog > design.frames_full",
    ),
    Mutation(
        "In closed form, what leaves the strobe-vector FIFO at an edge makes no room at it",
        "closed_form.cpp",
        "s.last_pop - s.window_end >= design.vectors_full",
        "s.last_pop - s.window_end > design.vectors_full",
    ),
    Mutation(
        "In closed form, a strobe sees its node FIFO as it is after the edge before it",
        "closed_form.cpp",
        "(s.last_pop - t - 1) / design_.build",
        "(s.last_pop - t) / design_.build",
    ),
    Mutation(
        "In closed form, a node FIFO has a datum of each waiting entry with its bit, and no other",
        "closed_form.cpp",
        "& bit) == 0 && may_lack_it-- == 0",
        "& bit) == 0 && may_lack_it == 0",
    ),
    Mutation(
        "In closed form, successive frames must be two edges apart",
        "closed_form.cpp",
        "ecb.builder_cycles > 1 ||",
        "ecb.builder_cycles > 0 ||",
    ),
    Mutation(
        "In closed form, the datum that is kept of two in a window is the first",
        "closed_form.cpp",
        "datum = aliased ? 0 : datum;",
        "",
    ),
    Mutation(
        "In closed form, what leaves as a frame is pushed is not in the peak",
        "closed_form.cpp",
        "(s.backlog - 1) / design_.frame_time + 1",
        "s.backlog / design_.frame_time + 1",
    ),
)
