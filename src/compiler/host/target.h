// SPDX-License-Identifier: Apache-2.0
// This file is what the CPU's device and the command need to know of processors.
#pragma once

#include "compiler/ir/target.h"

#include <string>
#include <string_view>

namespace clarity::compiler {

/// Target::backEnd of the CPU's code.
inline constexpr char hostBackEndName[] = "host";

/// The processor this runs on, or the one named (`x86-64`, `x86-64-v3`, `znver4`...; empty features unless "native").
Target hostTarget(std::string_view cpu = "native");
/// Whether hostTarget() means something by this name.
bool knowsCpu(std::string_view cpu);
/// The words behind the name of an unknown processor in a sentence: " (did you mean 'znver4'?)", or some names.
std::string insteadOfCpu(std::string_view cpu);
/// Why code for a processor of this name cannot run here, as what follows the name in a sentence: that there is none,
/// or which of its instructions this machine lacks. Empty if it can.
std::string objectionTo(std::string_view cpu);
/// Extensions and features of OpenCL C that its code has on every processor, separated by blanks.
std::string_view hostExtensions();
/// Whether the target's processor has what LLVM calls so: "fma".
bool hasFeature(const Target&, std::string_view feature);

}  // namespace clarity::compiler
