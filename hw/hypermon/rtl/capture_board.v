// SPDX-License-Identifier: BSD-3-Clause
// HYPERMON's event capture board (Malony and Reed 1990, sec. 3.2) as synthesizable Verilog-2005. Its clock runs at 20 MHz.
//
//   strobe, data -> accumulator -> node FIFO ------------------.
//            `----> window vector -> strobe-vector FIFO -> frame builder -> frame FIFO -> bus
//
// What is sampled at an edge is what happened in the clock period before it. All decisions at an edge rest on the levels
// before that edge: a removal makes no room for an insertion at the same edge.
`default_nettype none

module capture_board #(
    parameter INPUTS = 16,           // 1 to 32; at most 31 with STAMP_ON_REQUEST
    parameter WIDTH = 4,             // data bits of a strobe: 4, 8, 16 or 32
    parameter DATA_PER_WORD = 1,     // strobes whose data form one word; 32 / WIDTH to accumulate 32 bits
    parameter WINDOW_CYCLES = 16,    // clock cycles of a window
    parameter NODE_ENTRIES = 64,     // words in each node FIFO
    parameter VECTOR_ENTRIES = 64,   // windows in the strobe-vector FIFO
    parameter FRAMES = 1024,         // frames in the frame FIFO
    parameter BUILDER_CYCLES = 8, // clock cycles from taking a window to its frame in the FIFO
    parameter TIMESTAMP_BITS = 32,   // 1 to 64
    parameter STAMP_ON_REQUEST = 0,  // 1: only frames with a flagged datum have a timestamp
    parameter NODE_STALLS = 0,       // a full node FIFO: 0 drops the word, 1 holds the node's write
    parameter VECTOR_DROPS_OLDEST = 0,  // a full strobe-vector FIFO drops: 0 the new window, 1 the oldest one
    parameter FRAME_DROPS_OLDEST = 0,   // a full frame FIFO drops: 0 the new frame, 1 the oldest unread one
    parameter FRAME_STALLS = 0       // 1: a full frame FIFO holds the frame builder instead
) (
    input wire clock,
    input wire reset,  // sampled at an edge: that edge becomes edge 0 of window 0

    // Backplane: a strobe and its datum, from the event regeneration board.
    input wire [INPUTS-1:0] strobe,
    input wire [INPUTS*WIDTH-1:0] data,
    input wire [INPUTS-1:0] flag,   // STAMP_ON_REQUEST: this datum wants a timestamp
    output wire [INPUTS-1:0] hold,  // NODE_STALLS: a strobe of this input is not taken; it stays up

    // Register bus. An access begins at the edge at which bus_begin is sampled and ends at the one at which bus_end is.
    input wire bus_begin,
    input wire bus_end,
    input wire bus_write,
    input wire [3:0] bus_address,
    input wire [31:0] bus_written,
    output reg [31:0] bus_read,  // valid before the edge at which a read ends

    // For a simulator that skips silence: until a pin changes nothing but the window counter moves.
    output wire idle,
    input wire skip,                       // sampled at an edge: the window counter takes the next two values
    input wire [31:0] skip_cycle,          // clock cycles since the window began
    input wire [63:0] skip_window,         // windows since the reset

    // What is lost at the next edge, and what is built there: for tests and counters.
    output wire [INPUTS-1:0] aliased,
    output wire [INPUTS-1:0] node_overrun,
    output wire window_lost,
    output wire [INPUTS-1:0] window_lost_of, // inputs whose words are discarded
    output wire [TIMESTAMP_BITS-1:0] window_lost_at,  // timestamp of that window
    output wire frame_built,
    output wire [INPUTS-1:0] frame_built_of,
    output wire frame_lost,
    output wire [INPUTS-1:0] frame_lost_of,
    output wire [TIMESTAMP_BITS-1:0] frame_lost_at,
    output wire [31:0] frames_waiting // number of frames in the frame FIFO, including the one that is being read
);
  localparam WORD = WIDTH * DATA_PER_WORD;
  localparam DATA_WORDS = (INPUTS * WORD + 31) / 32;
  localparam STAMP_WORDS = (TIMESTAMP_BITS + 31) / 32;
  localparam WORDS = DATA_WORDS + 1 + STAMP_WORDS;

  wire control_reset = bus_end && bus_write && bus_address == 4'h0 && bus_written[0];
  wire clear = reset || control_reset;

  // --- Windows and timestamps

  localparam CYCLE = WINDOW_CYCLES > 1 ? $clog2(WINDOW_CYCLES) : 1;

  reg [CYCLE-1:0] cycle;  // since the window began
  reg [TIMESTAMP_BITS-1:0] window;
  wire window_ends = cycle == WINDOW_CYCLES - 1;

  always @(posedge clock)
    if (clear) begin
      cycle <= 0;
      window <= 0;
    end else if (skip) begin
      cycle <= skip_cycle[CYCLE-1:0];
      window <= skip_window[TIMESTAMP_BITS-1:0];
    end else begin
      cycle <= window_ends ? 0 : cycle + 1;
      if (window_ends) window <= window + 1'b1;
    end

  // --- Inputs

  reg [INPUTS-1:0] vector;  // inputs with a word in this window
  wire [INPUTS-1:0] completes;  // a strobe of this input would complete a word
  wire [INPUTS-1:0] node_full;
  wire [INPUTS-1:0] taken_strobe = strobe & ~hold;
  wire [INPUTS-1:0] word_complete = taken_strobe & completes;
  wire [INPUTS-1:0] entered = word_complete & ~vector & ~node_full;
  wire [INPUTS-1:0] vector_now = vector | entered;

  assign hold = NODE_STALLS ? completes & ~vector & node_full : {INPUTS{1'b0}};
  assign aliased = word_complete & vector;
  assign node_overrun = word_complete & ~vector & node_full;

  wire [INPUTS-1:0] pops;
  wire [INPUTS-1:0] discards_newest;
  wire [INPUTS-1:0] discards_oldest;
  wire [INPUTS*WORD-1:0] built_data;
  wire [INPUTS-1:0] built_flags;

  genvar i;
  generate
    for (i = 0; i < INPUTS; i = i + 1) begin : node
      wire [WIDTH-1:0] datum = data[i*WIDTH+:WIDTH];
      wire [WORD-1:0] word;
      wire flagged;

      if (DATA_PER_WORD == 1) begin : direct
        assign word = datum;
        assign flagged = flag[i];
        assign completes[i] = 1'b1;
      end else begin : accumulator
        reg [WORD-WIDTH-1:0] collected;  // the first datum is the lowest
        reg [$clog2(DATA_PER_WORD)-1:0] count;
        reg flag_seen;

        assign word = {datum, collected};
        assign flagged = flag[i] || flag_seen;
        assign completes[i] = count == DATA_PER_WORD - 1;
        always @(posedge clock)
          if (clear) begin
            count <= 0;
            flag_seen <= 1'b0;
          end else if (taken_strobe[i]) begin
            collected <= word[WORD-1:WIDTH];
            count <= completes[i] ? 0 : count + 1'b1;
            flag_seen <= !completes[i] && flagged;
          end
      end

      node_fifo #(
          .ENTRIES(NODE_ENTRIES),
          .BITS(WORD + 1)
      ) fifo (
          .clock(clock),
          .reset(clear),
          .push(entered[i]),
          .word({flagged, word}),
          .pop(pops[i]),
          .discard_newest(discards_newest[i]),
          .discard_oldest(discards_oldest[i]),
          .full(node_full[i]),
          .taken({built_flags[i], built_data[i*WORD+:WORD]})
      );
    end
  endgenerate

  // --- Strobe-vector and timestamp FIFOs

  localparam VECTOR_POINTER = VECTOR_ENTRIES > 1 ? $clog2(VECTOR_ENTRIES) : 1;
  localparam [VECTOR_POINTER-1:0] VECTOR_LAST = VECTOR_ENTRIES - 1;

  function [VECTOR_POINTER-1:0] vector_after;
    input [VECTOR_POINTER-1:0] pointer;
    vector_after = pointer == VECTOR_LAST ? {VECTOR_POINTER{1'b0}} : pointer + 1'b1;
  endfunction

  reg [INPUTS-1:0] vectors[0:VECTOR_ENTRIES-1];
  reg [TIMESTAMP_BITS-1:0] stamps[0:VECTOR_ENTRIES-1];
  reg [VECTOR_POINTER-1:0] vector_tail;
  reg [VECTOR_POINTER-1:0] vector_head;
  reg [$clog2(VECTOR_ENTRIES+1)-1:0] vector_level;

  wire vectors_full = vector_level == VECTOR_ENTRIES;
  wire window_kept = window_ends && |vector_now;  // this window has an entry
  assign window_lost = window_kept && vectors_full;

  wire take; // the frame builder takes an entry
  wire [VECTOR_POINTER-1:0] head_after_take = take ? vector_after(vector_head) : vector_head;
  // There is no entry to drop if the builder takes the only one at this very edge.
  wire oldest_goes = window_lost && VECTOR_DROPS_OLDEST && !(take && vector_level == 1);
  wire newest_goes = window_lost && !oldest_goes;
  wire vector_enters = window_kept && !newest_goes;

  assign pops = take ? vectors[vector_head] : {INPUTS{1'b0}};
  assign discards_newest = newest_goes ? vector_now : {INPUTS{1'b0}};
  assign discards_oldest = oldest_goes ? vectors[head_after_take] : {INPUTS{1'b0}};
  assign window_lost_of = discards_newest | discards_oldest;
  generate  // a board that loses the newest window needs no second read port
    if (VECTOR_DROPS_OLDEST) begin : loses_oldest_window
      assign window_lost_at = oldest_goes ? stamps[head_after_take] : window;
    end else begin : loses_newest_window
      assign window_lost_at = window;
    end
  endgenerate

  always @(posedge clock) begin
    vector <= clear || window_ends ? {INPUTS{1'b0}} : vector_now;
    if (vector_enters) begin
      vectors[vector_tail] <= vector_now;
      stamps[vector_tail] <= window;
    end
    if (clear) begin
      vector_tail <= 0;
      vector_head <= 0;
      vector_level <= 0;
    end else begin
      if (vector_enters) vector_tail <= vector_after(vector_tail);
      vector_head <= oldest_goes ? vector_after(head_after_take) : head_after_take;
      vector_level <= vector_level + vector_enters - take - oldest_goes;
    end
  end

  // --- Frame builder

  reg building;
  reg [$clog2(BUILDER_CYCLES+1)-1:0] cycles_left;
  reg [INPUTS-1:0] built_vector;
  reg [TIMESTAMP_BITS-1:0] built_stamp;

  wire frames_full;
  wire builder_held = building && cycles_left == 0 && FRAME_STALLS && frames_full;
  wire built_stamped = !STAMP_ON_REQUEST || |(built_flags & built_vector);

  assign frame_built = building && cycles_left == 0 && !builder_held;
  assign frame_built_of = built_vector;
  assign take = (!building || frame_built) && vector_level != 0;

  always @(posedge clock)
    if (clear) building <= 1'b0;
    else if (take) begin
      building <= 1'b1;
      cycles_left <= BUILDER_CYCLES - 1;
      built_vector <= vectors[vector_head];
      built_stamp <= stamps[vector_head];
    end else if (frame_built) building <= 1'b0;
    else if (building && cycles_left != 0) cycles_left <= cycles_left - 1;

  wire [INPUTS*WORD-1:0] frame_data;  // fields of other inputs are 0
  generate
    for (i = 0; i < INPUTS; i = i + 1) begin : field
      assign frame_data[i*WORD+:WORD] = built_vector[i] ? built_data[i*WORD+:WORD] : {WORD{1'b0}};
    end
  endgenerate

  // --- Frame FIFO. The frame that is being read is in a register, and counts as one in the FIFO until it has been read.

  localparam FRAME_POINTER = FRAMES > 1 ? $clog2(FRAMES) : 1;
  localparam [FRAME_POINTER-1:0] FRAME_LAST = FRAMES - 1;
  localparam FRAME_BITS = INPUTS * WORD + INPUTS + 1 + TIMESTAMP_BITS;

  function [FRAME_POINTER-1:0] frame_after;
    input [FRAME_POINTER-1:0] pointer;
    frame_after = pointer == FRAME_LAST ? {FRAME_POINTER{1'b0}} : pointer + 1'b1;
  endfunction

  reg [FRAME_BITS-1:0] frames[0:FRAMES-1];
  reg [FRAME_POINTER-1:0] frame_tail;
  reg [FRAME_POINTER-1:0] frame_head;  // the oldest frame that nobody has begun to read
  reg [$clog2(FRAMES+1)-1:0] frames_unread;
  reg reading;
  reg [$clog2(WORDS+1)-1:0] word_index; // word of the frame that is being read
  reg [FRAME_BITS-1:0] frame;

  wire [INPUTS*WORD-1:0] read_data;
  wire [INPUTS-1:0] read_vector;
  wire read_stamped;
  wire [TIMESTAMP_BITS-1:0] read_stamp;
  assign {read_data, read_vector, read_stamped, read_stamp} = frame;

  wire at_fifo = bus_address == 4'hC && !bus_write;
  wire word_ends = bus_end && at_fifo && reading;
  wire frame_leaves = word_ends && word_index == (read_stamped ? WORDS : WORDS - STAMP_WORDS) - 1;
  wire read_begins = bus_begin && at_fifo && (!reading || frame_leaves) && frames_unread != 0;

  assign frames_waiting = frames_unread + reading;
  assign frames_full = frames_waiting == FRAMES;
  assign frame_lost = frame_built && frames_full;

  wire [$clog2(FRAMES+1)-1:0] unread_now = frames_unread - read_begins;
  wire oldest_frame_goes = frame_lost && FRAME_DROPS_OLDEST && unread_now != 0;
  wire frame_enters = frame_built && (!frames_full || oldest_frame_goes);
  wire [FRAME_POINTER-1:0] head_after_read = read_begins ? frame_after(frame_head) : frame_head;
  generate
    if (FRAME_DROPS_OLDEST) begin : loses_oldest_frame
      wire [FRAME_BITS-1:0] oldest = frames[head_after_read];
      assign frame_lost_of = oldest_frame_goes ? oldest[TIMESTAMP_BITS+1+:INPUTS] : built_vector;
      assign frame_lost_at = oldest_frame_goes ? oldest[TIMESTAMP_BITS-1:0] : built_stamp;
    end else begin : loses_newest_frame
      assign frame_lost_of = built_vector;
      assign frame_lost_at = built_stamp;
    end
  endgenerate

  always @(posedge clock) begin
    if (frame_enters) frames[frame_tail] <= {frame_data, built_vector, built_stamped, built_stamp};
    if (read_begins) frame <= frames[frame_head];
    if (clear) begin
      frame_tail <= 0;
      frame_head <= 0;
      frames_unread <= 0;
      reading <= 1'b0;
      word_index <= 0;
    end else begin
      if (frame_enters) frame_tail <= frame_after(frame_tail);
      frame_head <= oldest_frame_goes ? frame_after(head_after_read) : head_after_read;
      frames_unread <= unread_now + frame_enters - oldest_frame_goes;
      reading <= read_begins || (reading && !frame_leaves);
      if (read_begins) word_index <= 0;
      else if (word_ends) word_index <= word_index + 1;
    end
  end

  // --- Registers

  reg frame_overran;
  reg node_overran;
  reg vector_overran;
  always @(posedge clock)
    if (clear) {frame_overran, node_overran, vector_overran} <= 3'b000;
    else begin
      frame_overran <= frame_overran || frame_lost;
      node_overran <= node_overran || |node_overrun;
      vector_overran <= vector_overran || window_lost;
    end

  // A frame is one big number: the highest word is read first.
  wire [DATA_WORDS*32-1:0] data_words = read_data;
  wire [31:0] vector_word = read_vector | (STAMP_ON_REQUEST && read_stamped ? 32'h8000_0000 : 32'b0);
  wire [STAMP_WORDS*32-1:0] stamp_words = read_stamp;
  wire [WORDS*32-1:0] words = {data_words, vector_word, stamp_words};

  always @* begin
    bus_read = 32'b0;
    case (bus_address)
      4'h4: bus_read = {28'b0, frames_waiting != 0, vector_overran, node_overran, frame_overran};
      4'h8: bus_read = frames_waiting > 4095 ? 32'd4095 : frames_waiting;
      4'hC: if (reading) bus_read = words[(WORDS-1-word_index)*32+:32];
      default: ;
    endcase
  end

  assign idle = ~|vector && (building ? builder_held : vector_level == 0);
endmodule

`default_nettype wire
