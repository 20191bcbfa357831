// SPDX-License-Identifier: Apache-2.0
// This file has the rules about control flow: work-items side by side that do different things, wait for each other at
// atomic functions, or do nothing.
#include "kernel_code.h"
#include "profile_kernel_advice.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <set>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

constexpr double leastOfBranch = 0.25, leastOfLoop = 0.4, leastOfAtomic = 0.15, leastOfItem = 0.6;
/// Packets with that many active lanes lose little.
constexpr double goodLanes = 0.75;

std::string lanesText(const KernelFacts& facts) {
  const std::optional<double> active = facts.activeLanes();
  return active ? fmt::format("; where work-items diverge, {} of the lanes have work", percent(*active))
                : std::string();
}

bool hasAtomics(const KernelFacts& facts, const SourceBlock& block) {
  return block.text.find("atomic_") != block.text.npos || block.text.find("atom_") != block.text.npos ||
         std::ranges::any_of(facts.code.remarks, [&](const KernelRemark& remark) {
           return remark.kind == "atomic" && block.contains(remark.line);
         });
}

std::string dependence(const KernelRemark& remark) {
  const std::size_t at = remark.message.find("depends on ");
  if (at == std::string::npos) return {};
  std::string text = remark.message.substr(at, remark.message.find(':', at) - at);
  return "; it " + text;
}

}  // namespace

void adviseOnBranches(const KernelFacts& facts, std::vector<Advice>& found) {
  const std::optional<double> active = facts.activeLanes();
  if (active && *active >= goodLanes) return;
  for (const KernelRemark& remark : facts.code.remarks) {
    if (remark.kind != "branch" || !remark.says("linearised")) continue;
    const SourceBlock* block = facts.source.blockAt(remark.line, SourceBlock::Kind::Branch);
    if (!block) block = facts.source.blockAt(remark.line, SourceBlock::Kind::Switch);
    if (!block || hasAtomics(facts, *block)) continue;
    const double share = facts.share(*block);
    if (share < leastOfBranch) continue;
    // With one side, it is not known without counts how many work-items take it.
    const bool isOneSided = block->kind == SourceBlock::Kind::Branch && block->otherwise == 0;
    if (isOneSided && !active) continue;
    found.push_back(facts.advice(
        fmt::format("Work-items side by side take different branches: {} ({})",
                    block->kind == SourceBlock::Kind::Switch ? "switch" : "if", clipped(block->head)),
        block->first,
        fmt::format("{} of the kernel's samples are in lines {} to {}, which run for all work-items of a packet if one "
                    "needs them{}{}",
                    percent(share), block->first, block->last, dependence(remark), lanesText(facts)),
        "Sort the work so that neighbours take the same side, launch a kernel for each side, or compute both sides "
        "cheaply and select.",
        share, active ? std::min(1 - *active, 0.8) : 0.4));
  }
}

void adviseOnLoops(const KernelFacts& facts, std::vector<Advice>& found) {
  const std::optional<double> active = facts.activeLanes();
  if (active && *active >= goodLanes) return;
  for (const KernelRemark& remark : facts.code.remarks) {
    if (remark.kind != "loop" || !remark.says("divergent loop")) continue;
    const SourceBlock* loop = facts.source.blockAt(remark.line, SourceBlock::Kind::Loop);
    if (!loop) loop = facts.source.loopOf(remark.line);
    if (!loop || hasAtomics(facts, *loop) || facts.share(*loop) < leastOfLoop) continue;
    // Lengths that are data are likely to differ; those that follow from the id differ little between neighbours.
    if (!remark.says("depends on ") || remark.says("depends on the work-item's id")) continue;
    const double part = active ? std::min(1 - *active, 0.8) : 0.3;
    found.push_back(facts.advice(
        fmt::format("Loops side by side have different numbers of iterations: {}", clipped(loop->head)), loop->first,
        fmt::format("{} of the kernel's samples are in lines {} to {}; a packet runs until its last work-item is "
                    "done{}{}",
                    percent(facts.share(*loop)), loop->first, loop->last, dependence(remark), lanesText(facts)),
        "Sort the work by its length, so that neighbours have the same number of iterations, or let the work-items of "
        "a group share one loop.",
        facts.share(*loop), part));
  }
}

void adviseOnAtomics(const KernelFacts& facts, std::vector<Advice>& found) {
  static const std::regex exchange(R"(\batom(?:ic)?_(?:cmpxchg|compare_exchange)\w*)");
  std::set<unsigned> lines;
  for (const KernelRemark& remark : facts.code.remarks) {
    const bool isAtomic = remark.kind == "atomic" || remark.says("would run one work-item after the other");
    if (!isAtomic || facts.weight(remark.line) < leastOfAtomic || !lines.insert(remark.line).second) continue;
    const std::string evidence =
        fmt::format("{} of the kernel's samples are in this line", percent(facts.share(remark.line, remark.line)));
    const SourceBlock* const loop = facts.source.loopOf(remark.line);
    if (loop && std::regex_search(facts.source.code(remark.line), exchange)) {
      found.push_back(facts.advice(
          "Work-items wait for each other in a loop of compare and exchange", remark.line,
          evidence + "; each retries until no other has changed the word meanwhile",
          "Combine the values of a work-group first (work_group_reduce_add, or a tree in local memory), and let one "
          "work-item of it write; for sums of float there is atomic_fetch_add (cl_ext_float_atomics).",
          std::max(facts.weight(remark.line), facts.share(*loop)), 0.8));
      continue;
    }
    if (remark.says("privatised") && facts.weight(remark.line) < 0.5) continue;
    const std::string what = clipped(remark.message.substr(0, remark.message.find(": ")));
    const bool isOne = remark.says("share the address");
    found.push_back(facts.advice(
        fmt::format("{}: {}",
                    isOne ? "Atomic functions of all work-items meet in one word"
                          : "Atomic functions run one work-item after the other",
                    what),
        remark.line, evidence,
        "Sum in private variables first, then in local memory, and let one work-item of each work-group add the result "
        "to global memory.",
        facts.weight(remark.line), 0.7));
  }
}

void adviseOnSingleItems(const KernelFacts& facts, std::vector<Advice>& found) {
  if (facts.launch.workItems() == 1) {
    const unsigned line = std::ranges::max_element(facts.shares, {}, &std::pair<const unsigned, double>::second)->first;
    const SourceBlock* const loop = facts.source.loopOf(line);
    found.push_back(facts.advice(
        fmt::format("One work-item does all the work of '{}'", facts.code.kernel), loop ? loop->first : line,
        fmt::format("its global size is 1: one processor works, without vectors, and {} of the samples are in line {}",
                    percent(facts.share(line, line)), line),
        "Give each iteration of the outer loop to a work-item; sums end in a second, small kernel or in "
        "work_group_reduce_add.",
        1, 0.8));
    return;
  }
  std::set<std::string> ids{R"(get_global_id\s*\(\s*\d\s*\))", R"(get_group_id\s*\(\s*\d\s*\))"};
  for (const char* const function : {"get_global_id", "get_group_id"})
    for (const std::string& name : facts.source.variablesOf(function)) ids.insert(name);
  for (const SourceBlock& block : facts.source.blocks()) {
    if (block.kind != SourceBlock::Kind::Branch || facts.share(block) < leastOfItem) continue;
    if (block.text.find("for") == block.text.npos && block.text.find("while") == block.text.npos) continue;
    for (const std::string& id : ids) {
      if (!std::regex_search(block.head, std::regex(fmt::format(R"((?:^|[^\w]){}\s*==\s*\d)", id)))) continue;
      if (block.head.find('%') != block.head.npos || block.head.find('&') != block.head.npos) continue;
      found.push_back(facts.advice(
          fmt::format("One work-item does the work of all: if ({})", clipped(block.head)), block.first,
          fmt::format("{} of the kernel's samples are in lines {} to {}, of which {} work-items have nothing",
                      percent(facts.share(block)), block.first, block.last, facts.launch.workItems() - 1),
          "Divide the loop among the work-items: each takes every get_global_size(0)-th iteration, and "
          "work_group_reduce_add or a second kernel joins what they found.",
          facts.share(block), 0.8));
      return;
    }
  }
}

}  // namespace clarity::tools
