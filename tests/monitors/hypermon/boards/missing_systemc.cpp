// SPDX-License-Identifier: BSD-3-Clause
// A board that needs a symbol of another SystemC, as every module does that was built with its headers.
extern int sc_api_version_2_2_0_cxx199711L;
extern int* const systemc_version;
int* const systemc_version = &sc_api_version_2_2_0_cxx199711L;
