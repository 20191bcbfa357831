// SPDX-License-Identifier: Apache-2.0
// This file is the NVPTX back end's code as the CUDA device uses it.
#pragma once

#include "compiler/ir/device_code.h"
#include "compiler/ir/stored_code.h"
#include "compiler/ir/target.h"
#include "compiler/nvptx/capability.h"
#include "compiler/nvptx/counted_place.h"
#include "compiler/nvptx/tile.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clarity::compiler {

/// The target for GPUs of compute capability major.minor, at least that of nvptx::leastCapability; for a later GPU than
/// LLVM knows, the newest that it knows.
Target nvptxTarget(int major, int minor);

/// A kernel as the CUDA driver's compiler takes it.
struct NvptxCodeContent {
  std::string ptx;
  std::string symbol;                        ///< the entry's symbol
  nvptx::Tile tile;                          ///< the work-items of a block
  bool signalsEnd = false;                   ///< it reads LaunchInfo::endFlag
  std::vector<nvptx::CountedPlace> counted;  ///< places of counted code

  static constexpr auto fields() {
    using support::field;
    return support::fieldList(field("ptx", &NvptxCodeContent::ptx), field("symbol", &NvptxCodeContent::symbol),
                              field("tile", &NvptxCodeContent::tile),
                              field("signalsEnd", &NvptxCodeContent::signalsEnd),
                              field("counted", &NvptxCodeContent::counted));
  }
  bool operator==(const NvptxCodeContent&) const = default;
};
static_assert(support::listsEveryField<NvptxCodeContent>);

class NvptxCode final : public StoredCode<NvptxCodeContent> {
public:
  std::string_view backEnd() const override { return nvptxBackEndName; }
};

}  // namespace clarity::compiler
