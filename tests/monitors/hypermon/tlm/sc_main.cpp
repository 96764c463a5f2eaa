// SPDX-License-Identifier: BSD-3-Clause
// libsystemc wants this symbol; the tests' main is Catch2's.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
