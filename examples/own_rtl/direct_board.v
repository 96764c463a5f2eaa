// SPDX-License-Identifier: BSD-3-Clause
// A capture board of our own: at the end of each window with strobes its frame goes straight into the frame FIFO. It has
// no node FIFOs and no frame builder. It keeps the contract of docs/reference/board-pins.md.
`default_nettype none

module direct_board #(
    parameter INPUTS = 16,  // parameters with the names of hypermon's board get the run's values
    parameter WIDTH = 4,
    parameter WINDOW_CYCLES = 16,
    parameter FRAMES = 64
) (
    input wire clock,
    input wire reset,
    input wire [INPUTS-1:0] strobe,
    input wire [INPUTS*WIDTH-1:0] data,
    input wire bus_begin,
    input wire bus_end,
    input wire bus_write,
    input wire [3:0] bus_address,
    input wire [31:0] bus_written,
    output reg [31:0] bus_read,
    output wire idle,
    input wire skip,
    input wire [31:0] skip_cycle,
    input wire [63:0] skip_window,
    output wire [INPUTS-1:0] aliased,
    output wire frame_lost,
    output wire [INPUTS-1:0] frame_lost_of,
    output wire [31:0] frame_lost_at,
    output wire [31:0] frames_waiting
);
  localparam DATA_WORDS = (INPUTS * WIDTH + 31) / 32;
  localparam WORDS = DATA_WORDS + 2;  // data, vector, timestamp

  wire clear = reset || (bus_end && bus_write && bus_address == 4'h0 && bus_written[0]);

  // --- Window

  reg [31:0] cycle;
  reg [31:0] window;
  wire window_ends = cycle == WINDOW_CYCLES - 1;

  always @(posedge clock)
    if (clear) {cycle, window} <= 64'b0;
    else if (skip) {cycle, window} <= {skip_cycle, skip_window[31:0]};
    else begin
      cycle <= window_ends ? 0 : cycle + 1;
      if (window_ends) window <= window + 1;
    end

  reg [INPUTS-1:0] vector;  // inputs with a datum in this window
  reg [INPUTS*WIDTH-1:0] collected;
  wire [INPUTS-1:0] vector_now = vector | strobe;
  wire [INPUTS*WIDTH-1:0] data_now;

  genvar i;
  generate
    for (i = 0; i < INPUTS; i = i + 1) begin : input_field
      wire enters = strobe[i] && !vector[i];
      assign data_now[i*WIDTH+:WIDTH] = enters ? data[i*WIDTH+:WIDTH] : collected[i*WIDTH+:WIDTH];
    end
  endgenerate

  assign aliased = strobe & vector;
  assign idle = ~|vector;
  always @(posedge clock)
    if (clear || window_ends) {vector, collected} <= 0;
    else {vector, collected} <= {vector_now, data_now};

  // --- Frame FIFO

  localparam POINTER = FRAMES > 1 ? $clog2(FRAMES) : 1;
  localparam [POINTER-1:0] LAST = FRAMES - 1;

  reg [(INPUTS*WIDTH)+INPUTS+32-1:0] frames[0:FRAMES-1];
  reg [POINTER-1:0] head, tail;
  reg [31:0] waiting;
  reg reading;  // a word of the oldest frame is on the bus
  reg [5:0] word;
  reg overran;

  wire frame_built = window_ends && |vector_now;
  wire word_ends = bus_end && !bus_write && bus_address == 4'hC && reading;
  wire frame_leaves = word_ends && word == WORDS - 1;
  wire frame_enters = frame_built && !frame_lost;

  assign frame_lost = frame_built && waiting == FRAMES;
  assign frame_lost_of = vector_now;
  assign frame_lost_at = window;
  assign frames_waiting = waiting;

  always @(posedge clock) begin
    if (frame_enters) frames[tail] <= {data_now, vector_now, window};
    if (clear) begin
      {head, tail} <= 0;
      waiting <= 0;
      word <= 0;
      {reading, overran} <= 2'b00;
    end else begin
      if (frame_enters) tail <= tail == LAST ? 0 : tail + 1'b1;
      if (frame_leaves) head <= head == LAST ? 0 : head + 1'b1;
      waiting <= waiting + frame_enters - frame_leaves;
      if (word_ends) word <= frame_leaves ? 0 : word + 1;
      if (bus_begin) reading <= bus_address == 4'hC && waiting != {31'b0, frame_leaves};
      else if (bus_end) reading <= 1'b0;
      overran <= overran || frame_lost;
    end
  end

  // --- Registers

  wire [INPUTS*WIDTH-1:0] read_data;
  wire [INPUTS-1:0] read_vector;
  wire [31:0] read_window;
  assign {read_data, read_vector, read_window} = frames[head];
  wire [DATA_WORDS*32-1:0] data_words = read_data;
  wire [31:0] vector_word = read_vector;
  wire [WORDS*32-1:0] words = {data_words, vector_word, read_window};  // the highest word is read first

  always @* begin
    bus_read = 32'b0;
    case (bus_address)
      4'h4: bus_read = {28'b0, waiting != 0, 2'b00, overran};
      4'h8: bus_read = waiting > 4095 ? 32'd4095 : waiting;
      4'hC: if (reading) bus_read = words[(WORDS-1-word)*32+:32];
      default: ;
    endcase
  end
endmodule

`default_nettype wire
