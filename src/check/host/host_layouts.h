// SPDX-License-Identifier: Apache-2.0
// This file compares the structures of a kernel with those of the host.
#pragma once

#include "check/host/debug_lines.h"
#include "device/observer.h"

#include <string>

namespace clarity::check {

/// The number of the host's variable that one of the kernel's structure meets, as words; empty: all meet their like.
/// `layout` as in KernelArg::layout.
std::string otherNumber(const std::string& layout, const DebugVariable& host);

/// The same of memory in which the host has one of its elements behind the other, and the kernel its own, which the
/// argument points at. Numbers that may be raw storage for the other side are not compared.
std::string otherElements(const compiler::KernelArg& argument, const DebugVariable& host);

}  // namespace clarity::check
