// SPDX-License-Identifier: BSD-3-Clause
// Makes the tree that the parameters describe.
#pragma once
#include "base/spec.hpp"
#include "sw/monitors/scms/core/tree.hpp"

namespace hypermon::scms {

/// The tree in scms.tree, or the one defined by scms.partitions and scms.fanout. Throws UserError if it is invalid: a
/// node is missing or occurs twice, a list is empty, a partition is larger than scms.largest_partition, or the machine
/// has no tree of switches.
Tree tree_of(const Spec& spec);

} // namespace hypermon::scms
