// SPDX-License-Identifier: Apache-2.0
// This file declares how many work-items a tile has, in which arrangement, and what processors can do with vectors.
#pragma once

#include <cstdint>
#include <limits>

namespace llvm {
class Instruction;
}

namespace clarity::compiler {

/// A tile of packets. A packet is `lanes` neighbouring work-items along one dimension, in the lanes of vector
/// registers; a tile is `rows` rows, along a second dimension, of `packets` neighbouring packets.
struct PacketShape {
  unsigned along = 0;    ///< dimension of the lanes
  unsigned across = 1;   ///< dimension of the rows
  unsigned lanes = 8;    ///< a power of two, 2 to 64
  unsigned packets = 1;  ///< a power of two
  unsigned rows = 1;

  /// Cells of the tile: one packet each.
  unsigned cells() const { return packets * rows; }
  unsigned cell(unsigned row, unsigned packet) const { return row * packets + packet; }
  unsigned rowOf(unsigned cell) const { return cell / packets; }
  unsigned packetOf(unsigned cell) const { return cell % packets; }
  /// Work-items along the dimension of the lanes.
  unsigned width() const { return lanes * packets; }
};

/// The instructions that building the packets of a kernel has created so far, and the most that it may: code that
/// outgrows the limit is given up while it is built.
struct PacketGrowth {
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  ///< instructions
  std::uint64_t created = 0;
  std::uint64_t planned = 0;  ///< instructions of the work-item, for each form of its regions
  std::uint64_t emitted = 0;  ///< those whose code is complete
  unsigned lanes = 0;         ///< the most of a region
  unsigned cells = 0;         ///< the most of a region

  bool outgrown() const { return created > most; }
  /// An estimate of the instructions of the complete code, by the share of the work-item whose code is complete.
  std::uint64_t expected() const { return emitted && emitted < planned ? created * planned / emitted : created; }
};

/// Why a region gets no packets, where there would be work-items for them.
struct NoPackets {
  const llvm::Instruction* expensive =
      nullptr;                   ///< an access that costs more in a packet than for the work-items alone
  double alone = 0, packet = 0;  ///< costs of a run, roughly in instructions
};

/// The processor's support of numbers of 16 bits: nothing, conversions from and to float (F16C), or all arithmetic
/// (AVX512-FP16).
enum class HalfSupport { None, Conversions, Arithmetic };

/// The vectors of the processor.
struct VectorTarget {
  unsigned bits = 128;  ///< bits of a register
  unsigned registers = 16;
  bool maskRegisters = false;  ///< AVX-512: masks have registers of their own, and bytes can be masked
  bool permutes = false;       ///< AVX2: an instruction for any permutation of a register's 32-bit elements
  bool gathers = false;        ///< gather and scatter instructions are faster than single accesses
  bool fastGathers = false;    ///< gather instructions load as fast as the processor's single loads
  bool guessesPlaces = false;  ///< AMD: memory is guessed by the registers of its address (packets/lane_by_lane.h)
  HalfSupport half = HalfSupport::None;
  bool fuses = false;   ///< FMA: an instruction for a product and a sum, rounded once
  bool rounds = false;  ///< SSE4.1: instructions for floor, ceil and the like

  /// Whether instructions load and store vectors under a mask whose elements have so many bits.
  bool masks(std::uint64_t elementBits) const {
    return maskRegisters || (bits >= 256 && (elementBits == 32 || elementBits == 64));
  }
};

}  // namespace clarity::compiler
