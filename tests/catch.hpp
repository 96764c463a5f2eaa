// SPDX-License-Identifier: BSD-3-Clause
// Catch2 2.x (Debian 12) or 3.x (Debian 13).
#pragma once
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
