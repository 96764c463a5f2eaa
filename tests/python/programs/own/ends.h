/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef __cplusplus
extern "C" {
#endif
int answer(void);
#ifdef __cplusplus
}
#endif
