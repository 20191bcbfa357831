// SPDX-License-Identifier: Apache-2.0
// This file is the NVPTX back end's code as the CUDA device uses it.
#pragma once

#include "compiler/compiler.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace clarity::compiler {

/// Target::backEnd of code for NVIDIA GPUs.
inline constexpr char nvptxBackEndName[] = "nvptx";

/// The target for GPUs of compute capability major.minor.
Target nvptxTarget(int major, int minor);

/// A kernel as the CUDA driver's compiler takes it.
class NvptxCode final : public DeviceCode {
public:
  std::string_view backEnd() const override { return nvptxBackEndName; }
  std::string bytes() const override;

  std::string ptx;
  std::string symbol;                  ///< of the entry
  std::uint32_t launchInfoOffset = 0;  ///< of LaunchInfo (launch_abi.h) in the parameter buffer, behind the arguments
};

}  // namespace clarity::compiler
