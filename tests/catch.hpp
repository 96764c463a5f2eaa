// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#if __has_include(<catch2/catch_test_macros.hpp>) // Catch2 3.x (Debian 13); else 2.x (Debian 12)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
