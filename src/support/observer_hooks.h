// SPDX-License-Identifier: Apache-2.0
// This file declares what instrumented code calls; the JIT gives generated code the address, the CPU device defines it
// (device/cpu/observation.cpp). `site` is the index of a place (compiler::Site); x, y, z are the work-item's global id,
// or that of a work-group's first work-item.
#pragma once

#include <cstdint>

extern "C" {

/// A work-item is about to access memory.
void __clarity_observe_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint64_t x,
                              std::uint64_t y, std::uint64_t z);

/// Bounds of the memory that an argument points at, and those of whatever contains an address. `access`: 1 to read, 2
/// to write, 3 both; memory that is not for that has no bytes. The answer is the same until the thread executes another
/// slice.
std::uint64_t __clarity_argument_begin(std::uint32_t argument);
std::uint64_t __clarity_argument_bytes(std::uint32_t argument, std::uint32_t access);
std::uint64_t __clarity_object_begin(std::uint64_t address);
std::uint64_t __clarity_object_bytes(std::uint64_t address, std::uint32_t access);

/// A work-item does not access `bytes` at the address, which are not in the object at `begin`, or not aligned.
void __clarity_check_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint64_t begin,
                            std::uint64_t objectBytes, std::uint64_t x, std::uint64_t y, std::uint64_t z);
/// An operand that a division, shift or conversion does not allow: an integer, or the bits of a double.
void __clarity_check_arithmetic(std::uint32_t site, std::uint64_t operand, std::uint64_t x, std::uint64_t y,
                                std::uint64_t z);
/// The work-items of a work-group begin what follows a barrier with these flags; or the kernel (`site` is ~0), or what
/// does not follow a barrier (~0 - 1).
void __clarity_check_region(std::uint32_t site, std::uint32_t flags, std::uint64_t x, std::uint64_t y, std::uint64_t z);
/// `next`: the part of the kernel that each of `items` work-items goes on with, an index in `sites`, or ~0 if it has
/// returned. The answer is the part that runs now: one that follows no barrier if there is one, so that barriers are
/// passed when all work-items wait or have returned.
std::uint32_t __clarity_check_barriers(const std::uint32_t* next, std::uint64_t items, const std::uint32_t* sites,
                                       std::uint64_t x, std::uint64_t y, std::uint64_t z);

}  // extern "C"
