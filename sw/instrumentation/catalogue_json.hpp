// SPDX-License-Identifier: BSD-3-Clause
// Catalogues as text: what a parameter, a recording and a frame file's header hold, and what people read.
//
//   {"name": "mpi", "events": [{"name": "send", "point": "mpi.MPI_Send.enter", "class": "message", "code": 12,
//                               "arguments": {"peer": 2, "bytes": 4}, "cost_us": 0}, ...]}
//
// class (that of the point), code (assign_codes()), arguments (none) and cost_us (0) may be left out.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"
#include "sw/instrumentation/catalogue.hpp"

#include <cstddef>
#include <string>

namespace hypermon {

/// Of a value of instrumentation.catalogue: `nx2`, or JSON text. Throws UserError, whose message begins with the place:
/// `events[3].code = 51: ...`.
Catalogue read_catalogue(const std::string& value);
/// How many event types the catalogue of a specification has.
std::size_t catalogue_size(const Spec& spec);

/// The value that stands for the catalogue: `nx2` for the built-in one, else JSON text with every key. Equal catalogues
/// have equal ones.
std::string catalogue_value(const Catalogue& catalogue);

/// Every row, with sizes, and what its point says, for tables.
Json describe(const Catalogue& catalogue);
/// Every point and the data that it knows; the data.
Json describe_points();

} // namespace hypermon
