# SPDX-License-Identifier: BSD-3-Clause
# For Doxygen: what a header begins with, but for its licence, is about the file, and the comments of C, which are plain
# ones, are about what they stand at. Code in a comment is indented by three, of which Markdown makes code from four on. No
# sentence ends before a section's number.
1{
/SPDX/{N;s/^[^\n]*\n//}
s|^// |/// @file\n/// |
s|^/\* |/** @file\n |
}
1,/^#/s|^//\( *\)$|///|
1,/^#/s|^//   |///       |
1,/^#/s|^// |/// |
1,/^#/s|^ \*   | *       |
s|^\( *\)/\* |\1/** |
s|\([^ ]\)  */\* \(.*\) \*/$|\1 /**< \2 */|
/"/!s|\bsec\. |sec.\\ |g
