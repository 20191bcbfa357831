// SPDX-License-Identifier: Apache-2.0
// This file declares what generated code calls for OpenCL C's printf; the JIT gives generated code its address, the
// CPU device defines it (device/cpu/printf.cpp).
#pragma once

#include <cstdint>

extern "C" {

/// Appends one formatted piece to the launch's output (OpenCL C 3.0, section 6.15.14). `sink` is
/// LaunchInfo::printfSink. Every argument takes ceil(size / 8) slots: integers extended to 64 bits, floating-point
/// numbers as double, pointers as addresses, the elements of a vector packed as they lie in memory. Returns 0, or -1
/// when nothing was printed (bad format, full buffer).
std::int32_t __clarity_printf(void* sink, const char* format, const std::uint64_t* slots, std::uint32_t count);

}  // extern "C"
