// SPDX-License-Identifier: Apache-2.0
// This file describes a scheduler of a multiprocessor and its warps, for the tile model.
#pragma once

#include "compiler/ir/tile_machine.h"
#include "compiler/nvptx/tile.h"

namespace clarity::compiler::nvptx {

inline constexpr unsigned registersOfMultiprocessor = 65536;

/// One of four schedulers. derived: multiprocessors since compute capability 7.0 begin one instruction a cycle and
/// scheduler, and 128 bytes of memory a cycle for all four. A scheduler with 64 registers a thread has eight warps,
/// which hide latency; half of the registers holds addresses, constants and loaded values. measured on an H100: a
/// filter of RGBA texels that carries 64 words took 1.3 times as long as written, 0.8 times with 32. Unknown addresses
/// are mostly those of neighbours that are clamped, or of rows: chosen.
inline constexpr TileMachine warpMachine = {.lanes = warp,
                                            .registers = 32,
                                            .registerBits = 32 * warp,
                                            .operations = 1,
                                            .loads = 0.25,
                                            .instructions = 1,
                                            .unknown = 4,
                                            .transactionBytes = 128,
                                            .farthest = 0,
                                            .banks = 32,
                                            .bankBytes = 4};

}  // namespace clarity::compiler::nvptx
