// SPDX-License-Identifier: Apache-2.0
// This file declares what code for NVIDIA GPUs asks of their compute capability. No LLVM type is visible.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace clarity::compiler {
struct Target;
}

namespace clarity::compiler {

/// Target::backEnd of code for NVIDIA GPUs.
inline constexpr char nvptxBackEndName[] = "nvptx";

}  // namespace clarity::compiler

namespace clarity::compiler::nvptx {

/// Ten times a compute capability, as it is in LLVM's names of GPUs: 90 is 9.0, "sm_90".
using Capability = unsigned;

/// The least that code is made for.
inline constexpr Capability leastCapability = 50;

// The first that have, as the PTX ISA says of each instruction:
inline constexpr Capability firstWithHalves = 53;       ///< arithmetic of half
inline constexpr Capability firstWithSystemScope = 60;  ///< atomics to which those of the host are atomic
inline constexpr Capability firstWithDotProducts = 61;  ///< the sum of four products of bytes
inline constexpr Capability firstWithOwnThreads = 70;   ///< threads of a warp that diverge, meet and wait on their own
inline constexpr Capability firstWithLongParameters = 70;  ///< more than `mostParameterBytes`
inline constexpr Capability firstThatReducesWords = 80;    ///< a word of each of a warp's threads
inline constexpr Capability firstWithMatrices = 80;  ///< products of matrices of half, bfloat16 and double in registers
inline constexpr Capability firstWithLargeDoubleProducts = 90;  ///< products of 16 x 8 x 8 doubles
inline constexpr Capability firstThatCopies = 80;  ///< from global to shared memory, while the thread goes on

/// The capability in a name of LLVM's: "sm_" and two or three digits. Nothing for other names.
std::optional<Capability> capabilityNamed(std::string_view name);

Capability capabilityOf(const Target& target);

/// Why there is no code for GPUs of a capability: "compute capability 3.5; at least 5.0 is needed". Empty if there is.
std::string objectionTo(Capability capability);

/// The newest GPU that LLVM knows among those whose code one of this capability executes: PTX for a GPU is for all
/// later ones, too.
Capability knownCapability(Capability capability);

/// Ten times the version of PTX that code for a GPU that LLVM knows needs at least: what the CUDA driver of 12.0 takes,
/// or the first that has this GPU.
unsigned ptxVersion(Capability known);

}  // namespace clarity::compiler::nvptx
