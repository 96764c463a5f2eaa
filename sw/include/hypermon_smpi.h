/* SPDX-License-Identifier: BSD-3-Clause */
/* After what smpicc includes first: SimGrid's getopt is a macro with arguments there, on which a program's own
 * declaration of getopt stumbles. As a name it is one of smpi_getopt. */
#ifdef SMPI_HELPERS_H
#undef getopt
#undef getopt_long
#undef getopt_long_only
#define getopt smpi_getopt
#define getopt_long smpi_getopt_long
#define getopt_long_only smpi_getopt_long_only
#endif
