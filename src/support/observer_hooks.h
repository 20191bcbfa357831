// SPDX-License-Identifier: Apache-2.0
// This file declares what instrumented code calls; the JIT gives generated code the address, the CPU device defines it
// (device/cpu/observation.cpp).
#pragma once

#include <cstdint>

extern "C" {

/// A work-item is about to access memory. `site`: index of the place (compiler::AccessSite); x, y, z: the work-item's
/// global id.
void __clarity_observe_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint64_t x,
                              std::uint64_t y, std::uint64_t z);

}  // extern "C"
