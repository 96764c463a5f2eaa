// SPDX-License-Identifier: BSD-3-Clause
// Catalogues as JSON text, for parameters, recordings, headers of frame files, and people.
//
//   {"name": "mpi", "events": [{"name": "send", "point": "mpi.MPI_Send.enter", "class": "message", "code": 12,
//                               "arguments": {"peer": 2, "bytes": 4}, "cost_us": 0}, ...]}
//
// The keys class (default: that of the point), code (assign_codes()), arguments (none) and cost_us (0) are optional.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"
#include "sw/instrumentation/catalogue.hpp"

#include <cstddef>
#include <string>

namespace hypermon {

/// Reads a value of instrumentation.catalogue: `nx2`, or JSON text. Throws UserError with the place of the error in
/// front: `events[3].code = 51: ...`.
Catalogue read_catalogue(const std::string& value);
/// Number of event types in the catalogue of a specification.
std::size_t catalogue_size(const Spec& spec);

/// Canonical value of the catalogue: `nx2` for the built-in one, else JSON text with every key. Equal catalogues have
/// equal values.
std::string catalogue_value(const Catalogue& catalogue);

/// All rows with their sizes and the descriptions of their points, for tables.
Json describe(const Catalogue& catalogue);
/// All points with the data that they have, and all data.
Json describe_points();

} // namespace hypermon
