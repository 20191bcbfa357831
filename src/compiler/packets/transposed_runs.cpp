// SPDX-License-Identifier: Apache-2.0
// This file transposes squares of lanes and accesses in registers.
#include "compiler/packets/transposed_runs.h"

#include "compiler/analysis/wrapping.h"

#include "compiler/ir/cost_model.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

using Values = TransposedRuns::Values;

llvm::Value* shuffle(llvm::IRBuilderBase& builder, llvm::Value* a, llvm::Value* b, unsigned lanes,
                     llvm::function_ref<unsigned(unsigned)> from) {
  llvm::SmallVector<int, 32> order;
  for (unsigned i = 0; i < lanes; ++i) order.push_back(static_cast<int>(from(i)));
  return builder.CreateShuffleVector(a, b, order);
}

/// Transposes the squares that lie side by side in n vectors: element i of square g in vector m changes places with
/// element m of square g in vector i. First within the blocks of 16 bytes in which processors shuffle by one short
/// instruction, by interleaving, then block against block.
Values transposeSquares(llvm::IRBuilderBase& builder, Values rows, unsigned lanes, unsigned bytes) {
  const auto n = static_cast<unsigned>(rows.size());
  const unsigned block = std::min(n, std::max(16 / bytes, 1u));
  for (unsigned round = 1; round < block; round *= 2) {
    Values next(n);
    for (unsigned i = 0; i < n; ++i) {
      if (i % block >= block / 2) continue;
      const auto interleaved = [&](unsigned half) {
        return shuffle(builder, rows[i], rows[i + block / 2], lanes, [&](unsigned at) {
          return at / block * block + half * block / 2 + at % block / 2 + at % 2 * lanes;
        });
      };
      const unsigned to = i / block * block + i % block * 2;
      next[to] = interleaved(0);
      next[to + 1] = interleaved(1);
    }
    rows = std::move(next);
  }
  for (unsigned bit = block; bit < n; bit *= 2)
    for (unsigned i = 0; i < n; ++i) {
      if (i & bit) continue;
      llvm::Value* low = shuffle(builder, rows[i], rows[i + bit], lanes,
                                 [&](unsigned at) { return at & bit ? lanes + at - bit : at; });
      llvm::Value* high = shuffle(builder, rows[i], rows[i + bit], lanes,
                                  [&](unsigned at) { return at & bit ? lanes + at : at + bit; });
      rows[i] = low;
      rows[i + bit] = high;
    }
  return rows;
}

/// Vectors one behind the other, a power of two of them.
llvm::Value* joined(llvm::IRBuilderBase& builder, Values parts) {
  while (parts.size() > 1) {
    const unsigned width = llvm::cast<llvm::FixedVectorType>(parts[0]->getType())->getNumElements();
    Values next;
    for (unsigned i = 0; i < parts.size(); i += 2)
      next.push_back(shuffle(builder, parts[i], parts[i + 1], 2 * width, [](unsigned at) { return at; }));
    parts = std::move(next);
  }
  return parts[0];
}

}  // namespace

/// How many accesses a lane's run holds that are read as one vector: a register's worth, or fewer.
unsigned TransposedRuns::runLength(unsigned count) const { return std::min(count, tile_.lanes); }

TransposedRuns::Values TransposedRuns::load(llvm::Type* element, unsigned count, llvm::Align align, Place place) {
  const unsigned bytes = static_cast<unsigned>(tile_.dataLayout.getTypeAllocSize(element).getFixedValue()),
                 run = runLength(count);
  Values result;
  for (unsigned first = 0; first < count; first += run) {
    Values rows;
    for (unsigned i = 0; i < run; ++i) {
      Values parts;
      for (unsigned lane = i; lane < tile_.lanes; lane += run)
        parts.push_back(builder_.CreateAlignedLoad(llvm::FixedVectorType::get(element, run), place(lane, first * bytes),
                                                   llvm::commonAlignment(align, std::uint64_t{first} * bytes)));
      rows.push_back(joined(builder_, std::move(parts)));
    }
    result.append(transposeSquares(builder_, std::move(rows), tile_.lanes, bytes));
  }
  return result;
}

void TransposedRuns::store(llvm::ArrayRef<llvm::Value*> values, llvm::Align align, Place place) {
  llvm::Type* element = values[0]->getType()->getScalarType();
  const auto count = static_cast<unsigned>(values.size());
  const unsigned bytes = static_cast<unsigned>(tile_.dataLayout.getTypeAllocSize(element).getFixedValue()),
                 run = runLength(count);
  for (unsigned first = 0; first < count; first += run) {
    const llvm::ArrayRef<llvm::Value*> some = values.slice(first, run);
    const Values rows = transposeSquares(builder_, Values(some.begin(), some.end()), tile_.lanes, bytes);
    for (unsigned lane = 0; lane < tile_.lanes; ++lane) {
      llvm::Value* part = rows[lane % run];
      if (run < tile_.lanes) {
        llvm::SmallVector<int, 16> order;
        for (unsigned i = 0; i < run; ++i) order.push_back(static_cast<int>(lane / run * run + i));
        part = builder_.CreateShuffleVector(part, order);
      }
      builder_.CreateAlignedStore(part, place(lane, first * bytes),
                                  llvm::commonAlignment(align, std::uint64_t{first} * bytes));
    }
  }
}

/// Whole cache lines of every lane, non-temporal where all of them begin at one.
void TransposedRuns::storeNonTemporal(llvm::ArrayRef<llvm::Value*> values, llvm::Align align, Place place) {
  llvm::Type* element = values[0]->getType()->getScalarType();
  const unsigned bytes = static_cast<unsigned>(tile_.dataLayout.getTypeAllocSize(element).getFixedValue());
  llvm::SmallVector<NonTemporalStores::Stored, 32> stores;  // lane by lane: the parts of a line one after the other
  llvm::SmallVector<Values, 4> groups;
  for (unsigned first = 0; first < values.size(); first += tile_.lanes) {
    const llvm::ArrayRef<llvm::Value*> some = values.slice(first, tile_.lanes);
    groups.push_back(transposeSquares(builder_, Values(some.begin(), some.end()), tile_.lanes, bytes));
  }
  llvm::Value* begins = builder_.getInt64(0);
  for (unsigned lane = 0; lane < tile_.lanes; ++lane) {
    begins = builder_.CreateOr(begins, builder_.CreatePtrToInt(place(lane, 0), builder_.getInt64Ty()));
    for (unsigned i = 0; i < groups.size(); ++i)
      stores.emplace_back(groups[i][lane], place(lane, i * tile_.lanes * bytes));
  }
  nonTemporal_.store(stores, begins, cost::cacheLine, align);
}

llvm::Value* TransposedRuns::placeOfLane(const llvm::Value& pointer, unsigned cell, unsigned lane,
                                         std::int64_t offset) {
  if (tile_.forms.form(pointer) == Form::Affine)
    return tile_.advance(values_.scalar(pointer, cell),
                         wrappingSum(wrappingProduct(tile_.forms.stride(pointer), lane), offset), pointer);
  return tile_.advance(builder_.CreateExtractElement(values_.vector(pointer, cell), lane), offset, pointer);
}

// --- accesses that are consecutive from row to row of the tile -------------------------------------------------------

bool TransposedRuns::isAcross(const llvm::Instruction& access) const {
  return !masks_.masked() && llvm::isPowerOf2_32(tile_.shape.rows) && tile_.forms.consecutiveAcross(access);
}

void TransposedRuns::loadAcross(const llvm::LoadInst& access) {
  const llvm::Value& pointer = *access.getPointerOperand();
  const PacketShape& shape = tile_.shape;
  for (unsigned packet = 0; packet < shape.packets; ++packet) {
    const Values made = load(access.getType(), shape.rows, access.getAlign(), [&](unsigned lane, unsigned offset) {
      return placeOfLane(pointer, shape.cell(0, packet), lane, offset);
    });
    for (unsigned row = 0; row < shape.rows; ++row) values_.define(access, shape.cell(row, packet), made[row]);
  }
}

void TransposedRuns::storeAcross(const llvm::StoreInst& access) {
  const llvm::Value& pointer = *access.getPointerOperand();
  const PacketShape& shape = tile_.shape;
  const auto bytes = tile_.dataLayout.getTypeStoreSize(access.getValueOperand()->getType()).getFixedValue();
  const bool nonTemporal = nonTemporal_.enabled() && shape.rows % tile_.lanes == 0 &&
                           shape.rows * bytes % cost::cacheLine == 0 && nonTemporal_.eligible(access);
  for (unsigned packet = 0; packet < shape.packets; ++packet) {
    Values values;
    for (unsigned row = 0; row < shape.rows; ++row)
      values.push_back(values_.vector(*access.getValueOperand(), shape.cell(row, packet)));
    const auto place = [&](unsigned lane, unsigned offset) {
      return placeOfLane(pointer, shape.cell(0, packet), lane, offset);
    };
    if (nonTemporal)
      storeNonTemporal(values, access.getAlign(), place);
    else
      store(values, access.getAlign(), place);
  }
}

}  // namespace clarity::compiler
