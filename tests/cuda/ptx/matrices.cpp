// SPDX-License-Identifier: Apache-2.0
// This file is products of matrices that a warp has in its registers, and loads of such matrices from shared memory.
// Which element is whose is what the PTX ISA's figures of fragments show.
#include "lanes.h"
#include "numbers.h"
#include "together.h"

#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace clarity::ptx {
namespace {

constexpr unsigned groups = 8, ofGroup = 4;  // of threads: one for each row of 8, and what it shares

const std::vector<std::int32_t>& sourcesOf(const Warp& warp, const Instruction& in) {
  return warp.launch().program->operandLists[in.target];
}

/// 16 x 16 by 16 x 8 elements of 16 bits; sums of float.
template <double (*Read)(std::uint16_t)>
void multiplyPairs(Warp& warp, const Each& each, Lanes lanes) {
  double a[16][16], b[16][8];
  forEachLane(lanes, [&](unsigned lane) {
    const auto& from = sourcesOf(warp, *each[lane]);
    const unsigned group = lane / ofGroup, first = lane % ofGroup * 2;
    for (unsigned word = 0; word < 6; ++word) {
      const std::uint32_t bits = warp.at<std::uint32_t>(from[word])[lane];
      for (unsigned half = 0; half < 2; ++half) {
        const double value = Read(static_cast<std::uint16_t>(bits >> 16 * half));
        if (word < 4)
          a[group + word % 2 * 8][first + half + word / 2 * 8] = value;
        else
          b[first + half + (word - 4) * 8][group] = value;
      }
    }
  });
  forEachLane(lanes, [&](unsigned lane) {
    const auto& from = sourcesOf(warp, *each[lane]);
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned row = lane / ofGroup + i / 2 * 8, column = lane % ofGroup * 2 + i % 2;
      double sum = static_cast<double>(warp.at<float>(from[6 + i])[lane]);
      for (unsigned k = 0; k < 16; ++k) sum += a[row][k] * b[k][column];
      warp.at<float>(each[lane]->to[i])[lane] = static_cast<float>(sum);
    }
  });
}

/// Rows x K by K x 8 doubles.
template <unsigned Rows, unsigned K>
void multiplyDoubles(Warp& warp, const Each& each, Lanes lanes) {
  constexpr unsigned ofA = Rows / groups * (K / ofGroup), ofB = K / ofGroup, ofC = Rows / groups * 2;
  double a[Rows][K], b[K][8];
  forEachLane(lanes, [&](unsigned lane) {
    const auto& from = sourcesOf(warp, *each[lane]);
    const unsigned group = lane / ofGroup, own = lane % ofGroup;
    for (unsigned i = 0; i < ofA; ++i)
      a[group + i % (Rows / groups) * groups][own + i / (Rows / groups) * ofGroup] = warp.at<double>(from[i])[lane];
    for (unsigned i = 0; i < ofB; ++i) b[own + i * ofGroup][group] = warp.at<double>(from[ofA + i])[lane];
  });
  forEachLane(lanes, [&](unsigned lane) {
    const auto& from = sourcesOf(warp, *each[lane]);
    for (unsigned i = 0; i < ofC; ++i) {
      const unsigned row = lane / ofGroup + i / 2 * groups, column = lane % ofGroup * 2 + i % 2;
      double sum = warp.at<double>(from[ofA + ofB + i])[lane];
      for (unsigned k = 0; k < K; ++k) sum = std::fma(a[row][k], b[k][column], sum);
      warp.at<double>(each[lane]->to[i])[lane] = sum;
    }
  });
}

/// Rows of 8 elements of 16 bits, of which eight neighbouring threads know where those of a matrix are.
template <bool Transposed>
void loadMatrices(Warp& warp, const Each& each, Lanes lanes) {
  constexpr unsigned matrices = 4, side = 8, rowBytes = 16;
  std::uint16_t elements[matrices][side][side];
  forEachLane(lanes, [&](unsigned lane) {
    const Instruction& in = *each[lane];
    const std::uint64_t base =
        in.isNarrow ? warp.at<std::uint32_t>(in.from[0])[lane] : warp.at<std::uint64_t>(in.from[0])[lane];
    std::memcpy(elements[lane / side][lane % side],
                warp.memory(Space::Shared, lane, base + static_cast<std::int32_t>(in.target), rowBytes), rowBytes);
  });
  forEachLane(lanes, [&](unsigned lane) {
    const unsigned row = lane / ofGroup, first = lane % ofGroup * 2;
    for (unsigned i = 0; i < matrices; ++i) {
      const auto element = [&](unsigned column) -> std::uint32_t {
        return Transposed ? elements[i][column][row] : elements[i][row][column];
      };
      warp.at<std::uint32_t>(each[lane]->to[i])[lane] = element(first) | element(first + 1) << 16;
    }
  });
}

void useAll(Decoding& decoding, Exchange exchange) {
  if (!decoding.take("sync") || !decoding.take("aligned")) decoding.fail("its form is not known");
  useTogether(decoding, exchange, decoding.names.constant(32, ~std::uint32_t{0}));
}

void takeResults(Decoding& decoding, std::size_t count, unsigned bits) {
  const auto& parts = decoding.operand(0).parts;
  if (parts.size() != count) decoding.fail("it has another number of results");
  for (std::size_t i = 0; i < count; ++i) decoding.in.to[i] = decoding.destination(parts[i], bits);
}

void mma(Decoding& decoding) {
  const std::string_view shape = decoding.takeAny({"m16n8k16", "m16n8k8", "m8n8k4"});
  if (!decoding.take("row") || !decoding.take("col")) decoding.fail("its layout is not known");
  const Type result = decoding.type(), first = decoding.type(), second = decoding.type(), third = decoding.type();
  const bool isDouble = result.bits == 64;
  if (!(first == second) || !(result == third) || (shape == "m16n8k16") == isDouble)
    decoding.fail("its types are not known");
  takeResults(decoding, shape == "m8n8k4" ? 2 : 4, result.width());
  std::vector<std::int32_t> sources;
  for (std::size_t operand = 1; operand < 4; ++operand)
    for (const Operand& part : decoding.operand(operand).parts)
      sources.push_back(decoding.source(part, isDouble ? b64 : b32));
  const std::size_t expected = !isDouble ? 10 : shape == "m8n8k4" ? 4 : 10;
  if (sources.size() != expected) decoding.fail("it has another number of sources");
  decoding.in.target = decoding.names.list(std::move(sources));
  useAll(decoding, isDouble                     ? (shape == "m8n8k4" ? multiplyDoubles<8, 4> : multiplyDoubles<16, 8>)
                   : first.kind == Kind::BFloat ? multiplyPairs<ofBFloat>
                                                : multiplyPairs<ofHalf>);
}

void ldmatrix(Decoding& decoding) {
  if (!decoding.take("m8n8") || !decoding.take("x4")) decoding.fail("its shape is not known");
  const bool isTransposed = decoding.take("trans");
  decoding.in.space = decoding.space();
  if (decoding.in.space != Space::Shared) decoding.fail("it loads from shared memory");
  (void)decoding.type();
  takeResults(decoding, 4, 32);
  decoding.in.from[0] = decoding.addressSlot(decoding.operand(1));
  decoding.in.target = static_cast<std::uint32_t>(decoding.in.immediate);
  useAll(decoding, isTransposed ? loadMatrices<true> : loadMatrices<false>);
}

}  // namespace

void addMatrices(Opcodes& opcodes) {
  opcodes["mma"] = mma;
  opcodes["ldmatrix"] = ldmatrix;
}

}  // namespace clarity::ptx
