// SPDX-License-Identifier: Apache-2.0
// This file declares the pass that puts work-items into the lanes of vectors.
#pragma once

#include "compiler/packets/packet_shape.h"

#include <llvm/IR/PassManager.h>

namespace clarity::compiler {

struct PacketReport;

/// Runs the innermost loop over work-items by tiles of packets: neighbouring work-items in the lanes of vectors,
/// several vectors and rows together.
///
///   before:  for z, y, x: { region }
///   after:   for the third dimension:
///              for rows of tiles:  for tiles: { region for a tile };  for what is left: { region for a packet, under a
///              mask }
///
/// The dimension of the lanes, their number and the tile follow from the region's accesses, types and the registers
/// (packets/choose_shape.h). Regions that cannot be built keep their loop.
///
/// Needs: WorkItemLoopsPass; scalar instructions (llvm::ScalarizerPass); loops in simplified and loop-closed form.
struct PacketsPass : llvm::PassInfoMixin<PacketsPass> {
  struct Options {
    VectorTarget target;
    unsigned lanes = 0;              ///< 0: chosen; 1: none
    unsigned packets = 0;            ///< 0: chosen
    unsigned rows = 0;               ///< 0: chosen
    bool onePacket = false;          ///< tiles of one packet; the function's attributes tell what would be chosen
    bool nonTemporal = false;        ///< whole vectors that are written once: non-temporal stores
    PacketReport* report = nullptr;  ///< where to say what was done, region by region
    PacketGrowth* growth =
        nullptr;  ///< counts and limits; the function is malformed if its code has outgrown the limit
  };
  explicit PacketsPass(Options options) : options(options) {}
  llvm::PreservedAnalyses run(llvm::Function&, llvm::FunctionAnalysisManager&);
  static bool isRequired() { return true; }
  Options options;
};

}  // namespace clarity::compiler
