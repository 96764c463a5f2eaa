// SPDX-License-Identifier: BSD-3-Clause
// The tree that the parameters describe.
#pragma once
#include "base/spec.hpp"
#include "sw/monitors/scms/core/tree.hpp"

namespace hypermon::scms {

/// Of scms.tree, or as scms.partitions and scms.fanout say. Throws UserError if that is none: a node is missing or
/// twice, a list is empty, a partition is larger than scms.largest_partition, the machine has no tree of switches.
Tree tree_of(const Spec& spec);

} // namespace hypermon::scms
