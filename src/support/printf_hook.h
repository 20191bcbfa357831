// SPDX-License-Identifier: Apache-2.0
// This file declares the function that generated code calls for OpenCL C's printf. The JIT resolves the symbol; the CPU
// device defines it (device/cpu/printf_hook.cpp).
#pragma once

#include <cstdint>

extern "C" {

/// Appends formatted text to the launch's output (OpenCL C 3.0, section 6.15.14). `sink` is
/// LaunchInfo::printfSink. Every argument occupies ceil(size / 8) slots: integers extended to 64 bits, floating-point
/// numbers as double, pointers as addresses, the elements of a vector packed as in memory. Returns 0, or -1 if nothing
/// was printed (bad format, full buffer).
std::int32_t __clarity_printf(void* sink, const char* format, const std::uint64_t* slots, std::uint32_t count);

}  // extern "C"
