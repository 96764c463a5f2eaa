/* SPDX-License-Identifier: BSD-3-Clause */
/* <malloc.h> for programs that smpicc compiles: it makes macros of malloc and its like, in the midst of which the C
   library's declarations do not compile. */
#pragma push_macro("malloc")
#pragma push_macro("calloc")
#pragma push_macro("realloc")
#pragma push_macro("free")
#undef malloc
#undef calloc
#undef realloc
#undef free
#include_next <malloc.h>
#pragma pop_macro("malloc")
#pragma pop_macro("calloc")
#pragma pop_macro("realloc")
#pragma pop_macro("free")
