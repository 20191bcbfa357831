// SPDX-License-Identifier: Apache-2.0
// This file makes accesses whose lanes lie apart while the rows of the tile, or several accesses of one work-item, lie side
// by side: every lane's run is read or written as one vector, and squares of lanes and rows are transposed in registers.
#include "compiler/packets/packet_builder.h"

#include "compiler/analysis/wrapping.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

using Values = llvm::SmallVector<llvm::Value*, 16>;

llvm::Value* shuffle(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b, unsigned lanes, llvm::function_ref<unsigned(unsigned)> from) {
  llvm::SmallVector<int, 32> order;
  for (unsigned i = 0; i < lanes; ++i) order.push_back(static_cast<int>(from(i)));
  return builder.CreateShuffleVector(a, b, order);
}

/// Transposes the squares that lie side by side in n vectors: element i of square g in vector m changes places with
/// element m of square g in vector i. First within the blocks of 16 bytes in which processors shuffle cheaply, by
/// interleaving, then block against block.
Values transposeSquares(llvm::IRBuilder<>& builder, Values rows, unsigned lanes, unsigned bytes) {
  const auto n = static_cast<unsigned>(rows.size());
  const unsigned block = std::min(n, std::max(16 / bytes, 1u));
  for (unsigned round = 1; round < block; round *= 2) {
    Values next(n);
    for (unsigned i = 0; i < n; ++i) {
      if (i % block >= block / 2) continue;
      const auto interleaved = [&](unsigned half) {
        return shuffle(builder, rows[i], rows[i + block / 2], lanes,
                       [&](unsigned at) { return at / block * block + half * block / 2 + at % block / 2 + at % 2 * lanes; });
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
      llvm::Value* low = shuffle(builder, rows[i], rows[i + bit], lanes, [&](unsigned at) { return at & bit ? lanes + at - bit : at; });
      llvm::Value* high = shuffle(builder, rows[i], rows[i + bit], lanes, [&](unsigned at) { return at & bit ? lanes + at : at + bit; });
      rows[i] = low;
      rows[i + bit] = high;
    }
  return rows;
}

/// Vectors one behind the other, a power of two of them.
llvm::Value* joined(llvm::IRBuilder<>& builder, Values parts) {
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
unsigned PacketBuilder::runLength(unsigned count) const { return std::min(count, lanes_); }

llvm::SmallVector<llvm::Value*, 16> PacketBuilder::loadRuns(llvm::Type* element, unsigned count, llvm::Align align, Place place) {
  const unsigned bytes = static_cast<unsigned>(layout_.getTypeAllocSize(element).getFixedValue()), run = runLength(count);
  Values result;
  for (unsigned first = 0; first < count; first += run) {
    Values rows;
    for (unsigned i = 0; i < run; ++i) {
      Values parts;
      for (unsigned lane = i; lane < lanes_; lane += run)
        parts.push_back(builder_.CreateAlignedLoad(llvm::FixedVectorType::get(element, run), place(lane, first * bytes), llvm::commonAlignment(align, std::uint64_t{first} * bytes)));
      rows.push_back(joined(builder_, std::move(parts)));
    }
    result.append(transposeSquares(builder_, std::move(rows), lanes_, bytes));
  }
  return result;
}

void PacketBuilder::storeRuns(llvm::ArrayRef<llvm::Value*> values, llvm::Align align, Place place) {
  llvm::Type* element = values[0]->getType()->getScalarType();
  const auto count = static_cast<unsigned>(values.size());
  const unsigned bytes = static_cast<unsigned>(layout_.getTypeAllocSize(element).getFixedValue()), run = runLength(count);
  for (unsigned first = 0; first < count; first += run) {
    const llvm::ArrayRef<llvm::Value*> some = values.slice(first, run);
    const Values rows = transposeSquares(builder_, Values(some.begin(), some.end()), lanes_, bytes);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      llvm::Value* part = rows[lane % run];
      if (run < lanes_) {
        llvm::SmallVector<int, 16> order;
        for (unsigned i = 0; i < run; ++i) order.push_back(static_cast<int>(lane / run * run + i));
        part = builder_.CreateShuffleVector(part, order);
      }
      builder_.CreateAlignedStore(part, place(lane, first * bytes), llvm::commonAlignment(align, std::uint64_t{first} * bytes));
    }
  }
}

/// Whole lines of every lane, past the caches where all of them begin at one.
void PacketBuilder::streamRuns(llvm::ArrayRef<llvm::Value*> values, llvm::Align align, Place place) {
  llvm::Type* element = values[0]->getType()->getScalarType();
  const unsigned bytes = static_cast<unsigned>(layout_.getTypeAllocSize(element).getFixedValue());
  llvm::SmallVector<Stored, 32> stores;  // lane by lane: the parts of a line one after the other
  llvm::SmallVector<Values, 4> groups;
  for (unsigned first = 0; first < values.size(); first += lanes_) {
    const llvm::ArrayRef<llvm::Value*> some = values.slice(first, lanes_);
    groups.push_back(transposeSquares(builder_, Values(some.begin(), some.end()), lanes_, bytes));
  }
  llvm::Value* begins = builder_.getInt64(0);
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    begins = builder_.CreateOr(begins, builder_.CreatePtrToInt(place(lane, 0), builder_.getInt64Ty()));
    for (unsigned i = 0; i < groups.size(); ++i) stores.emplace_back(groups[i][lane], place(lane, i * lanes_ * bytes));
  }
  storePast(stores, begins, cacheLine, align);
}

llvm::Value* PacketBuilder::placeOfLane(const llvm::Value& pointer, unsigned cell, unsigned lane, std::int64_t offset) {
  if (plan_.form(pointer) == Form::Linear) return advance(scalar(pointer, cell), wrappingSum(wrappingProduct(plan_.stride(pointer), lane), offset), pointer);
  return advance(builder_.CreateExtractElement(vector(pointer, cell), lane), offset, pointer);
}

// --- runs across the rows of the tile --------------------------------------------------------------------------------

bool PacketBuilder::runsAcross(const llvm::Instruction& access) const {
  return blockLanes_.empty() && llvm::isPowerOf2_32(plan_.shape().rows) && plan_.runsAcross(access);
}

void PacketBuilder::loadAcross(const llvm::LoadInst& load) {
  const llvm::Value& pointer = *load.getPointerOperand();
  const PacketShape& shape = plan_.shape();
  for (unsigned packet = 0; packet < shape.packets; ++packet) {
    const Values made = loadRuns(load.getType(), shape.rows, load.getAlign(), [&](unsigned lane, unsigned offset) {
      return placeOfLane(pointer, shape.cell(0, packet), lane, offset);
    });
    for (unsigned row = 0; row < shape.rows; ++row) define(load, shape.cell(row, packet), made[row]);
  }
}

void PacketBuilder::storeAcross(const llvm::StoreInst& store) {
  const llvm::Value& pointer = *store.getPointerOperand();
  const PacketShape& shape = plan_.shape();
  const auto bytes = layout_.getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue();
  const bool past = streams_ && shape.rows % lanes_ == 0 && shape.rows * bytes % cacheLine == 0 && mayStream(store);
  for (unsigned packet = 0; packet < shape.packets; ++packet) {
    Values values;
    for (unsigned row = 0; row < shape.rows; ++row) values.push_back(vector(*store.getValueOperand(), shape.cell(row, packet)));
    const auto place = [&](unsigned lane, unsigned offset) { return placeOfLane(pointer, shape.cell(0, packet), lane, offset); };
    if (past) streamRuns(values, store.getAlign(), place);
    else storeRuns(values, store.getAlign(), place);
  }
}

}  // namespace clarity::compiler
