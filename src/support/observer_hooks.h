// SPDX-License-Identifier: Apache-2.0
// This file declares what instrumented code calls; the JIT gives generated code the address, the CPU device defines it
// (device/cpu/observation.cpp). `site` is the index of a place (compiler::Site); x, y, z are the work-item's global id,
// or that of a work-group's first work-item.
#pragma once

#include <cstdint>

/// The place of the cl_mem_fence_flags in the order of a fence.
inline constexpr unsigned fenceFlagsShift = 8;
/// Bits of cl_mem_fence_flags: CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE.
inline constexpr std::uint32_t localFenceFlag = 1, globalFenceFlag = 2;
inline constexpr std::uint32_t allFences = localFenceFlag | globalFenceFlag;
/// In place of the event of a copy of the work-group: code does not know which one it is.
inline constexpr std::uint64_t unknownEvent = ~std::uint64_t{0};

extern "C" {
/// Code for Instrumentation::Count ends a slice: device::ObservedCounts.
void __clarity_counts(std::uint64_t floats, std::uint64_t doubles, std::uint64_t halves, std::uint64_t integers,
                      std::uint64_t read, std::uint64_t written, std::uint64_t local);

/// A work-item is about to access memory.
void __clarity_observe_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint64_t x,
                              std::uint64_t y, std::uint64_t z);

/// The same of a write, which leaves what is there or does not.
void __clarity_observe_write(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint32_t isSame,
                             std::uint64_t x, std::uint64_t y, std::uint64_t z);

/// Bounds of the memory that an argument points at, and those of whatever contains an address. `access`: 1 to read, 2
/// to write, 3 both; memory that is not for that has no bytes. The answer is the same until the thread executes another
/// slice.
std::uint64_t __clarity_argument_begin(std::uint32_t argument);
std::uint64_t __clarity_argument_bytes(std::uint32_t argument, std::uint32_t access);
std::uint64_t __clarity_object_begin(std::uint64_t address);
std::uint64_t __clarity_object_bytes(std::uint64_t address, std::uint32_t access);

/// A pointer to an object is stored at a place in private or local memory; pointers there are copied; the object of one
/// that is loaded from there, or else what contains the address.
void __clarity_pointer_stored(std::uint64_t place, std::uint64_t address, std::uint64_t begin, std::uint64_t bytes);
void __clarity_pointers_copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
std::uint64_t __clarity_stored_begin(std::uint64_t place, std::uint64_t address);
std::uint64_t __clarity_stored_bytes(std::uint64_t place, std::uint64_t address, std::uint32_t access);

/// A work-item does not access `bytes` at the address, which are not in the object at `begin`, or not aligned.
void __clarity_check_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint64_t begin,
                            std::uint64_t objectBytes, std::uint64_t x, std::uint64_t y, std::uint64_t z);
/// A work-item accesses texel (atX, atY, atZ) of an image of this size, which has none there. Sizes of 0 do not count.
void __clarity_check_texel(std::uint32_t site, std::int32_t atX, std::int32_t atY, std::int32_t atZ,
                           std::uint32_t width, std::uint32_t height, std::uint32_t depth, std::uint64_t x,
                           std::uint64_t y, std::uint64_t z);
/// A work-item calls a function for other channels than an image of this cl_channel_type has.
void __clarity_check_channels(std::uint32_t site, std::uint32_t type, std::uint64_t x, std::uint64_t y,
                              std::uint64_t z);
/// A work-item reads an image with a sampler (SamplerBits) that the function does not allow, by coordinates that are
/// integers (1) or not (0).
void __clarity_check_sampler(std::uint32_t site, std::uint64_t sampler, std::uint32_t isByIntegers, std::uint64_t x,
                             std::uint64_t y, std::uint64_t z);
/// A work-item calls a function with an argument that has to be the same in all of its work-group (`group` 0) or of its
/// sub-group (its number and 1).
void __clarity_observe_uniform(std::uint32_t site, std::uint32_t group, std::uint64_t value, std::uint64_t x,
                               std::uint64_t y, std::uint64_t z);
/// A work-item calls a function that all of its sub-group have to call: so many are there, of so many.
void __clarity_check_sub_group(std::uint32_t site, std::uint32_t here, std::uint32_t all, std::uint64_t x,
                               std::uint64_t y, std::uint64_t z);
/// A work-item is about to call a function of its sub-group, which orders the memory of these cl_mem_fence_flags.
void __clarity_observe_sub_group(std::uint32_t flags, std::uint64_t x, std::uint64_t y, std::uint64_t z);
/// A work-item starts a copy of its work-group (async_work_group_copy) with this event, or 0. The answer is the copy's
/// event, by which instrumented code tells events apart; each is new to the thread.
std::uint64_t __clarity_copy_begins(std::uint32_t site, std::uint64_t event, std::uint64_t x, std::uint64_t y,
                                    std::uint64_t z);
/// A work-item waits for the `count` events at this address.
void __clarity_copies_awaited(std::uint32_t site, std::uint32_t count, std::uint64_t events, std::uint64_t x,
                              std::uint64_t y, std::uint64_t z);
/// An access of the slice would be outside of its object. Does not return to it.
void __clarity_leave_slice();
/// An operand that a division, shift or conversion does not allow: an integer, or the bits of a double.
void __clarity_check_arithmetic(std::uint32_t site, std::uint64_t operand, std::uint64_t x, std::uint64_t y,
                                std::uint64_t z);
/// Order and scope of the next atomic access (memory_order and memory_scope of OpenCL C), and a fence, of which the
/// flags are in the upper bits of `order` (fenceFlagsShift).
void __clarity_observe_order(std::uint32_t order, std::uint32_t scope);
void __clarity_observe_fence(std::uint32_t order, std::uint32_t scope, std::uint64_t x, std::uint64_t y,
                             std::uint64_t z);

/// Cells (support/race_cells.h), and the address of the RaceInterval that they are compared with.
/// The answers are the same until the thread executes another slice.
std::uint64_t __clarity_race_mask();
std::uint64_t __clarity_race_cells();
std::uint64_t __clarity_race_interval();
/// 1 if the memory of an argument is that of one that the kernel writes too: bits of arguments in `written`, those
/// from 64 on count as written.
std::uint32_t __clarity_race_shared(std::uint32_t argument, std::uint64_t written);
/// 1 if work-items may share what they access of an argument: each accesses `width` bytes, at so many bytes times
/// its global id in each dimension, or a multiple of all sizes in it further on, plus so many times its local id and
/// its work-group's. `others`: the other arguments that are accessed, as bits. `needsWholeGroups`: that is so only if
/// local sizes divide global ones. `reach`: how far it may be from the beginning, where addresses are computed in fewer
/// than 64 bits; else 0.
std::uint32_t __clarity_race_own(std::uint32_t argument, std::uint64_t others, std::int64_t stepX, std::int64_t stepY,
                                 std::int64_t stepZ, std::int64_t localX, std::int64_t localY, std::int64_t localZ,
                                 std::int64_t groupX, std::int64_t groupY, std::int64_t groupZ, std::uint64_t sizeX,
                                 std::uint64_t sizeY, std::uint64_t sizeZ, std::uint64_t localSizeX,
                                 std::uint64_t localSizeY, std::uint64_t localSizeZ, std::uint32_t needsWholeGroups,
                                 std::uint64_t width, std::int64_t reach);
/// A work-item, by its linear local id, is about to access memory whose cells do not say that there is nothing to do.
/// `isLocal`: 0 global memory, 1 local memory, 2 either, or private memory.
void __clarity_race_access(std::uint32_t site, std::uint64_t address, std::uint64_t bytes, std::uint32_t item,
                           std::uint32_t isSame, std::uint32_t isLocal);

/// Shadows (device/cpu/shadow.h): the addresses that have one, the distance from an address to its shadow; zeros to
/// read in place of a shadow, and bytes that may be written to. The answers never change.
std::uint64_t __clarity_shadowed_begin();
std::uint64_t __clarity_shadowed_bytes();
std::uint64_t __clarity_shadow_distance();
std::uint64_t __clarity_shadow_zeros();
std::uint64_t __clarity_shadow_ignored();
/// Whether a bit of so many bytes was never written, or none of them was.
std::uint32_t __clarity_shadow_any(std::uint64_t address, std::uint64_t bytes);
std::uint32_t __clarity_shadow_all(std::uint64_t address, std::uint64_t bytes);
void __clarity_shadow_set(std::uint64_t address, std::uint64_t bytes, std::uint32_t isWritten);
void __clarity_shadow_copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
/// A value is used that was never written. `origin`: the site of the access that read it from `address`, or of the
/// declaration of a variable.
void __clarity_check_value(std::uint32_t site, std::uint32_t origin, std::uint64_t address, std::uint64_t x,
                           std::uint64_t y, std::uint64_t z);

/// The address of the thread's count of iterations (i64), which goes down by those of a loop, one by one or all ahead
/// of it: below zero, and now and then, the other one is called. It sets the count anew, or does not return.
std::uint64_t __clarity_loop_count();
void __clarity_check_loop(std::uint32_t site, std::uint64_t x, std::uint64_t y, std::uint64_t z);

/// The work-items of a work-group begin what follows a barrier with these flags; or the kernel (`site` is ~0).
void __clarity_check_region(std::uint32_t site, std::uint32_t flags, std::uint64_t x, std::uint64_t y, std::uint64_t z);
/// `next`: the part of the kernel that each of `items` work-items goes on with, an index in `sites`, or ~0 if it has
/// returned. The answer is the part that runs now: one that follows no barrier if there is one, so that barriers are
/// passed when all work-items wait or have returned.
std::uint32_t __clarity_check_barriers(const std::uint32_t* next, std::uint64_t items, const std::uint32_t* sites,
                                       std::uint64_t x, std::uint64_t y, std::uint64_t z);

}  // extern "C"
