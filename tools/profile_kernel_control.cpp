// SPDX-License-Identifier: Apache-2.0
// This file has the rules about control flow: work-items side by side that do different things, wait for each other at
// atomic functions, or do nothing.
#include "kernel_code.h"
#include "pattern.h"
#include "profile_balance.h"
#include "profile_kernel_advice.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

constexpr double leastOfBranch = 0.25, leastOfLoop = 0.4, leastOfAtomic = 0.15, leastOfItem = 0.6;
/// Lines of a loop that does no more than compare and exchange.
constexpr unsigned mostOfExchange = 8;
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

bool hasSeveralExits(const SourceBlock& loop) {
  return hasWord(loop.text, "break") || hasWord(loop.text, "return") || loop.head.find("&&") != loop.head.npos;
}

std::string dependence(const KernelRemark& remark) {
  const std::size_t at = remark.message.find("depends on ");
  if (at == std::string::npos) return {};
  std::string text = remark.message.substr(at, remark.message.find(':', at) - at);
  return "; it " + text;
}

/// Whether a line's atomic functions are on elements of an array in local memory.
bool isOfLocalMemory(const KernelFacts& facts, unsigned line) {
  static const Pattern call(R"(\batom(?:ic)?_\w+\s*\(\s*&?\s*([A-Za-z_]\w*)\s*(\[|\+))");
  const std::string& code = facts.source.code(line);
  const auto match = call.search(code);
  if (!match) return false;
  const std::string name = (*match)[1];
  const Pattern parameter(fmt::format(R"((?:^|,)[^,]*\b(?:local|__local)\b[^,]*\b{}\s*(?:,|$))", name));
  const SourceArray* const array = facts.array(name);
  return (array && array->isLocal) || parameter.isIn(facts.source.parameters());
}

/// Ids of which one value does all the work.
struct SingleItem {
  std::vector<const char*> functions;
  bool isOfGroup;
};

/// The lines that run for one id alone: the body of `if (id == 0)`, or all behind `if (id != 0) return`.
std::optional<std::pair<unsigned, unsigned>> linesOfOne(const KernelFacts& facts, const SourceBlock& branch,
                                                        const std::string& id) {
  if (branch.head.find('%') != branch.head.npos || branch.head.find('&') != branch.head.npos) return std::nullopt;
  const auto compares = [&](const char* how) {
    return Pattern(fmt::format(R"((?:^|[^\w]){}\s*{}\s*\d)", id, how)).isIn(branch.head);
  };
  if (compares("==")) return std::pair(branch.first, branch.last);
  const bool leaves = hasWord(branch.text, "return") && branch.otherwise == 0;
  if (leaves && (compares("!=") || compares(">"))) return std::pair(branch.last + 1, facts.source.last());
  return std::nullopt;
}

bool adviseOnBranchOfOne(const KernelFacts& facts, const SingleItem& who, std::vector<Advice>& found) {
  if (who.isOfGroup && facts.items() < 2) return false;
  std::set<std::string> ids;
  for (const char* const function : who.functions) {
    ids.insert(fmt::format(R"({}\s*\(\s*\d\s*\))", function));
    for (const std::string& name : facts.source.variablesOf(function)) ids.insert(name);
  }
  for (const SourceBlock& block : facts.source.blocks()) {
    if (block.kind != SourceBlock::Kind::Branch) continue;
    for (const std::string& id : ids) {
      const auto lines = linesOfOne(facts, block, id);
      if (!lines || facts.share(lines->first, lines->second) < leastOfItem) continue;
      const bool hasLoop = std::ranges::any_of(facts.source.blocks(), [&](const SourceBlock& each) {
        return each.kind == SourceBlock::Kind::Loop && each.first >= lines->first && each.last <= lines->second;
      });
      if (!hasLoop) continue;
      const double share = facts.share(lines->first, lines->second);
      const std::uint64_t others = (who.isOfGroup ? facts.items() : facts.launch.workItems()) - 1;
      found.push_back(facts.advice(
          fmt::format("One work-item {}does the work of all: if ({})", who.isOfGroup ? "of each work-group " : "",
                      clipped(block.head)),
          block.first,
          fmt::format("{} of the kernel's samples are in lines {} to {}, of which {} work-items{} have nothing",
                      percent(share), lines->first, lines->second, others, who.isOfGroup ? " of the group" : ""),
          who.isOfGroup ? "Divide the loop among the work-items of the group: each takes every get_local_size(0)-th "
                          "iteration, and work_group_reduce_add or a tree in local memory joins what they found."
                        : "Divide the loop among the work-items: each takes every get_global_size(0)-th iteration, and "
                          "work_group_reduce_add or a second kernel joins what they found.",
          share, who.isOfGroup ? 0.7 : 0.8));
      return true;
    }
  }
  return false;
}

/// A branch with the samples that it is about.
struct SampledBranch {
  const SourceBlock* block = nullptr;
  double share = 0;
};

/// The branches of a function that is called in a line: the compiler names the call where it has joined several of
/// them. The first one that was sampled.
SampledBranch branchOfCall(const KernelFacts& facts, unsigned call) {
  SampledBranch found;
  for (const KernelFacts::Sampled& each : facts.samples) {
    if (each.lines[0] == call || std::ranges::find(each.lines, call) == each.lines.end()) continue;
    found.share += each.share;
    for (const SourceBlock& block : facts.source.blocks())
      if ((block.kind == SourceBlock::Kind::Branch || block.kind == SourceBlock::Kind::Switch) &&
          each.lines[0] >= block.first && each.lines[0] <= block.last &&
          (!found.block || block.first < found.block->first))
        found.block = &block;
  }
  return found;
}

/// The branch that asks for a variable to which a line gives its value: the compiler joins the sides of `if` and
/// `else if` to one branch, which has the place of the value that decides.
SampledBranch branchOfValue(const KernelFacts& facts, unsigned line) {
  static const Pattern made(R"(([A-Za-z_]\w*)\s*=[^=])");
  SampledBranch found;
  const std::string& code = facts.source.code(line);
  for (const PatternMatch& each : made.all(code))
    for (const SourceBlock& block : facts.source.blocks()) {
      const bool isBehind = block.kind != SourceBlock::Kind::Loop && block.first >= line &&
                            block.last <= facts.source.last() && hasWord(block.head, each[1]);
      if (isBehind && (!found.block || block.first < found.block->first)) found.block = &block;
    }
  if (found.block) found.share = facts.share(*found.block);
  return found;
}

SampledBranch branchAt(const KernelFacts& facts, unsigned line) {
  for (const auto kind : {SourceBlock::Kind::Branch, SourceBlock::Kind::Switch})
    if (const SourceBlock* const block = facts.source.blockAt(line, kind)) return {block, facts.share(*block)};
  const SampledBranch ofCall = branchOfCall(facts, line);
  return ofCall.block ? ofCall : branchOfValue(facts, line);
}

}  // namespace

void adviseOnBranches(const KernelFacts& facts, std::vector<Advice>& found) {
  const std::optional<double> active = facts.activeLanes();
  if (active && *active >= goodLanes) return;
  for (const KernelRemark& remark : facts.code.remarks) {
    if (remark.kind != "branch" || !remark.says("linearised")) continue;
    const auto [block, share] = branchAt(facts, remark.line);
    if (!block || hasAtomics(facts, *block) || share < leastOfBranch) continue;
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
    if (!loop) loop = facts.loopOf(remark.line);
    if (!loop || hasAtomics(facts, *loop) || facts.share(*loop) < leastOfLoop) continue;
    // Lengths that are data are likely to differ; those that follow from the id mostly differ little between
    // neighbours, and counted lanes are too few where a loop has several exits.
    if (!remark.says("depends on ")) continue;
    if (remark.says("depends on the work-item's id") && (!active || hasSeveralExits(*loop))) continue;
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
  static const Pattern exchange(R"(\batom(?:ic)?_(?:cmpxchg|compare_exchange)\w*)");
  std::set<unsigned> lines;
  for (const KernelRemark& remark : facts.code.remarks) {
    const bool isAtomic = remark.kind == "atomic" || remark.says("would run one work-item after the other");
    if (!isAtomic || !lines.insert(remark.line).second) continue;
    const SourceBlock* const loop = facts.loopOf(remark.line);
    const bool isExchange = loop && exchange.isIn(facts.source.code(remark.line));
    // Samples of the exchange are in the lines behind it, too, if the loop does nothing else.
    const bool isShort = isExchange && loop->last - loop->first < mostOfExchange;
    const double weight = isShort ? facts.share(*loop) : facts.weight(remark.line);
    if (weight < leastOfAtomic) continue;
    const std::string evidence =
        fmt::format("{} of the kernel's samples are in this line", percent(facts.share(remark.line, remark.line)));
    if (isExchange) {
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
    // Local memory with a place for each kind of value is what the cure makes.
    if (!isOne && isOfLocalMemory(facts, remark.line)) continue;
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
    const unsigned line = facts.hottestLine();
    const SourceBlock* const loop = facts.loopOf(line);
    found.push_back(facts.advice(
        fmt::format("One work-item does all the work of '{}'", facts.code.kernel), loop ? loop->first : line,
        fmt::format("its global size is 1: one processor works, without vectors, and {} of the samples are in line {}",
                    percent(facts.share(line, line)), line),
        "Give each iteration of the outer loop to a work-item; sums end in a second, small kernel or in "
        "work_group_reduce_add.",
        1, 0.8));
    return;
  }
  for (const SingleItem& who :
       {SingleItem{{"get_global_id", "get_group_id"}, false}, SingleItem{{"get_local_id"}, true}})
    if (adviseOnBranchOfOne(facts, who, found)) return;
}

void adviseOnImbalance(const KernelFacts& facts, std::vector<Advice>& found) {
  constexpr double leastWaste = 0.2;
  const std::optional<Balance> balance = balanceOf(facts.process, facts.launch);
  if (!balance || balance->waste < leastWaste) return;
  const SourceBlock* const loop = facts.loopOf(facts.hottestLine());
  found.push_back(facts.advice(
      fmt::format("Work-groups of '{}' take very different times", facts.code.kernel),
      loop ? loop->first : facts.hottestLine(),
      fmt::format(
          "a launch takes {}; {} of its work are in the {} from {} % of the range on, which one thread executes "
          "while {} others have nothing left",
          nanosecondsText(balance->launch), percent(balance->partOfLongest), percent(balance->pieces),
          static_cast<unsigned>(100 * balance->place), balance->workers - 1),
      "Divide what the long ones do among more work-groups, or number these first: work-groups begin in their order.",
      1, balance->waste));
}

}  // namespace clarity::tools
