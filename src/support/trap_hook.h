// SPDX-License-Identifier: Apache-2.0
// This file declares the function that generated code calls for __builtin_trap and __builtin_debugtrap. The JIT
// resolves the symbol; the CPU device defines it (device/cpu/trap.cpp).
#pragma once

extern "C" {

/// Ends the command with an error. Returns where no kernel runs.
void __clarity_trap();

}  // extern "C"
