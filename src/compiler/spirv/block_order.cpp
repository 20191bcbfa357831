// SPDX-License-Identifier: Apache-2.0
// This file orders blocks by their branches.
#include "compiler/spirv/block_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace clarity::compiler::spirv {
namespace {

using Block = std::span<const Instruction>;

std::vector<Block> blocksOf(std::span<const Instruction> body) {
  std::vector<Block> blocks;
  for (auto at = body.begin(); at != body.end();) {
    const auto end = std::find_if(at + 1, body.end(), [](const Instruction& each) { return each.op == Op::Label; });
    blocks.emplace_back(at, end);
    at = end;
  }
  return blocks;
}

class Branches {
public:
  Branches(const ModuleReader& module, const std::vector<Block>& blocks) : module_(module), blocks_(blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i) places_.try_emplace(blocks[i].front().result, i);
    for (const Block& block : blocks) addTargets(block);
  }

  /// Whether each block but the first comes behind one that branches to it. Then it comes behind its dominators, too:
  /// they are on every way to it.
  bool areInOrder() const {
    std::vector<bool> isReached(blocks_.size()), isLate(blocks_.size());
    isReached[0] = true;
    for (std::size_t from = 0; from < blocks_.size(); ++from)
      for (const std::size_t to : targets_[from]) {
        if (from >= to)
          isLate[to] = true;
        else if (isReached[from])
          isReached[to] = true;
      }
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (isLate[i] && !isReached[i]) return false;
    return true;
  }

  /// Reverse post-order; blocks that nothing leads to follow.
  std::vector<Block> ordered() const {
    std::vector<std::size_t> finished;
    std::vector<bool> seen(blocks_.size());
    visit(0, seen, finished);
    std::vector<Block> result;
    for (auto at = finished.rbegin(); at != finished.rend(); ++at) result.push_back(blocks_[*at]);
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (!seen[i]) result.push_back(blocks_[i]);
    return result;
  }

private:
  void visit(std::size_t root, std::vector<bool>& seen, std::vector<std::size_t>& finished) const {
    seen[root] = true;
    std::vector<std::pair<std::size_t, std::size_t>> path{{root, 0}};
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next == targets_[block].size()) {
        finished.push_back(block);
        path.pop_back();
      } else if (const std::size_t to = targets_[block][next++]; !seen[to]) {
        seen[to] = true;
        path.emplace_back(to, 0);
      }
    }
  }

  void addTargets(const Block& block) {
    std::vector<std::size_t>& targets = targets_.emplace_back();
    const auto end = std::ranges::find_if(block, [](const Instruction& each) {
      return each.op == Op::Branch || each.op == Op::BranchConditional || each.op == Op::Switch;
    });
    if (end == block.end()) return;
    const Instruction& last = *end;
    const auto add = [&](std::size_t operand) {
      const auto found = last.has(operand) ? places_.find(last[operand]) : places_.end();
      if (found != places_.end()) targets.push_back(found->second);
    };
    if (last.op == Op::Branch) add(0);
    if (last.op == Op::BranchConditional) {
      add(1);
      add(2);
    }
    if (last.op != Op::Switch) return;
    add(1);
    const std::size_t words = spirv::wordsOf(module_.typeOf(last[0], last).llvm->getScalarSizeInBits());
    for (std::size_t i = 2 + words; i < last.count(); i += words + 1) add(i);
  }

  const ModuleReader& module_;
  const std::vector<Block>& blocks_;
  std::unordered_map<std::uint32_t, std::size_t> places_;  ///< places of blocks, by their labels
  std::vector<std::vector<std::size_t>> targets_;          ///< targets of each block
};

}  // namespace

std::vector<Block> blocksInOrder(const ModuleReader& module, std::span<const Instruction> body) {
  std::vector<Block> blocks = blocksOf(body);
  if (blocks.size() < 3) return blocks;
  const Branches branches(module, blocks);
  return branches.areInOrder() ? blocks : branches.ordered();
}

}  // namespace clarity::compiler::spirv
