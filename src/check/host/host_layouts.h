// SPDX-License-Identifier: Apache-2.0
// This file compares the structures of a kernel with those of the host.
#pragma once

#include "check/host/debug_lines.h"
#include "device/observer.h"

#include <string>

namespace clarity::check {

/// What a number of the kernel's structure meets in the host's variable, as words; empty: all of them meet what they
/// are. `layout` as in KernelArg::layout.
std::string otherNumber(const std::string& layout, const DebugVariable& host);

/// The same of memory in which the host has one of its elements behind the other, and the kernel its own, which the
/// argument points at. What may be raw storage for the other is not compared.
std::string otherElements(const compiler::KernelArg& argument, const DebugVariable& host);

}  // namespace clarity::check
