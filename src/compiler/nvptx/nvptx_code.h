// SPDX-License-Identifier: Apache-2.0
// This file is the NVPTX back end's code as the CUDA device uses it.
#pragma once

#include "compiler/compiler.h"
#include "compiler/nvptx/tile.h"
#include "compiler/stored_code.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace clarity::compiler {

/// Target::backEnd of code for NVIDIA GPUs.
inline constexpr char nvptxBackEndName[] = "nvptx";

/// Ten times the least compute capability that there is code for: the first GPUs whose threads of a warp are scheduled
/// one by one, which sub-groups and barriers in branches rest on.
inline constexpr int leastCapability = 70;

/// The target for GPUs of compute capability major.minor, at least the above. Those later than PTX 8.0 get code for the
/// latest that it knows, which the CUDA driver compiles for them.
Target nvptxTarget(int major, int minor);

/// A kernel as the CUDA driver's compiler takes it.
struct NvptxCodeContent {
  std::string ptx;
  std::string symbol;     ///< of the entry
  nvptx::Tile tile;       ///< what a block executes
  bool tellsEnd = false;  ///< it reads LaunchInfo::endFlag

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("ptx", &NvptxCodeContent::ptx), field("symbol", &NvptxCodeContent::symbol),
                              field("tile", &NvptxCodeContent::tile), field("tellsEnd", &NvptxCodeContent::tellsEnd));
  }
  bool operator==(const NvptxCodeContent&) const = default;
};
static_assert(support::listsEveryField<NvptxCodeContent>);

class NvptxCode final : public StoredCode<NvptxCodeContent> {
public:
  std::string_view backEnd() const override { return nvptxBackEndName; }
};

}  // namespace clarity::compiler
