// SPDX-License-Identifier: Apache-2.0
// This file makes what the work-items of a group do together: local memory, barriers, trees, scans.
#include <algorithm>
#include <string>

#include "generator_state.h"

namespace clarity::fuzz {
namespace {

constexpr const char* kBarrier = "barrier(CLK_LOCAL_MEM_FENCE);\n";

std::int64_t powerAtLeast(std::int64_t value) {
  std::int64_t power = 1;
  while (power < value) power *= 2;
  return power;
}

// An update that needs no wrap-around in signed types.
std::string combine(Type type, const std::string& to, const std::string& from, bool sum) {
  if (sum && (type.isFloating() || !type.isSigned())) return to + " += " + from + ";";
  return type.isFloating() ? to + " = fmin(" + to + ", " + from + ") + (" + type.name() + ")(0);"
                           : to + " = max(" + to + ", " + from + ");";
}

}  // namespace

void Generator::enterPhase() {
  ++flow_.depth;
  // Leaving a surrounding loop from here would leave out the barrier that others rely on.
  flow_.breakTo = flow_.continueTo = Exit::None;
}

void Generator::sharedPhase(Node& block) {
  if (localArrays_.empty()) return assign(block);
  const auto which = static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(localArrays_.size())));
  const std::string name = localArrays_[which].name, slot = name + "[lid]";
  if (localArrays_[which].shared) return assign(block);
  const Type type = localArrays_[which].type;
  const auto slotIsWritable = [&](bool writable) {
    const auto own = std::ranges::find(variables_, slot, &Variable::pattern);
    if (own != variables_.end()) own->writable = writable;
  };
  const Keep keep(flow_);
  enterPhase();
  NodeRef own = fuzz::block();
  own->children.push_back(statement(slot + " = $0;", {value(type, 3)}));
  fill(*own, random_.between(0, 2));

  localArrays_[which].shared = true;
  slotIsWritable(false);
  variables_.push_back({name + "[$0]", type, localItems_, true, false, std::nullopt, false});
  NodeRef others = fuzz::block();
  const std::string result = fresh("v");
  others->children.push_back(statement(type.name() + " " + result + " = " + name + "[$0];", {index(localItems_)}));
  variables_.push_back({result, type, 0, false, true, std::nullopt, true});
  fill(*others, random_.between(1, 4));
  assign(*others);
  variables_.pop_back();
  variables_.erase(std::ranges::find(variables_, name + "[$0]", &Variable::pattern));
  slotIsWritable(true);
  localArrays_[which].shared = false;
  block.children.push_back(
      statement(std::string("$0\n") + kBarrier + "$1\nbarrier(CLK_LOCAL_MEM_FENCE);", {own, others}));
}

void Generator::tree(Node& block) {
  const auto free = std::ranges::find(localArrays_, false, &LocalArray::shared);
  if (free == localArrays_.end()) return assign(block);
  const std::string name = free->name, s = fresh("s"), result = fresh("u");
  const Type type = free->type;
  const bool narrowing = random_.chance(60), sum = random_.chance(60);
  const Type counterType = random_.chance(50) ? kUInt : kInt;
  const std::string update = combine(type, name + "[lid]", name + "[lid + " + s + "]", sum);
  const std::string start = counterType.name() + " " + s + " = ";
  const std::string header =
      narrowing ? start + std::to_string(powerAtLeast(localItems_) / 2) + "; " + s + " > 0; " + s + " >>= 1"
                : start + "1; " + s + " < lsz; " + s + " *= 2";
  const std::string active = narrowing ? "lid < " + s : "lid % (2 * " + s + ") == 0";
  block.children.push_back(statement(name + "[lid] = $0;\n" + kBarrier + "for (" + header + ") {\n  if (" + active +
                                         " && lid + " + s + " < lsz) " + update + "\n  " + kBarrier + "}\n" +
                                         type.name() + " " + result + " = " + name +
                                         "[0];\nbarrier(CLK_LOCAL_MEM_FENCE);",
                                     {value(type, 3)}));
  variables_.push_back({result, type, 0, true, flow_.uniform, std::nullopt, false});
}

void Generator::scan(Node& block) {
  const auto free = std::ranges::find(localArrays_, false, &LocalArray::shared);
  if (free == localArrays_.end()) return assign(block);
  const std::string name = free->name, s = fresh("s"), before = fresh("v"), result = fresh("v");
  const Type type = free->type;
  const std::string update = combine(type, name + "[lid]", before, random_.chance(60));
  block.children.push_back(statement(name + "[lid] = $0;\n" + kBarrier + "for (uint " + s + " = 1; " + s + " < lsz; " +
                                         s + " <<= 1) {\n  " + type.name() + " " + before + " = " +
                                         literalText(type, 0) + ";\n  if (lid >= " + s + ") " + before + " = " + name +
                                         "[lid - " + s + "];\n  " + kBarrier + "  " + update + "\n  " + kBarrier +
                                         "}\n" + type.name() + " " + result + " = " + name + "[lid];",
                                     {value(type, 3)}));
  variables_.push_back({result, type, 0, false, true, std::nullopt, true});
}

void Generator::broadcast(Node& block) {
  const Type type = anyType();
  const std::string cell = fresh("cell"), result = fresh("u");
  addPrologue(cell, "__local " + type.name() + " " + cell + ";");
  const std::string who = random_.chance(60) ? "0" : "lsz - 1";
  block.children.push_back(statement("if (lid == " + who + ") " + cell + " = $0;\n" + kBarrier + type.name() + " " +
                                         result + " = " + cell + ";\nbarrier(CLK_LOCAL_MEM_FENCE);",
                                     {value(type, 3)}));
  variables_.push_back({result, type, 0, true, flow_.uniform, std::nullopt, false});
}

void Generator::localCounters(Node& block) {
  if (!localCounter_.empty()) return assign(block);
  const std::string name = fresh("reduction"), c = fresh("i"), result = fresh("v");
  addPrologue(name, "__local uint " + name + "[4];");
  NodeRef changes = fuzz::block();
  {
    const Keep keep(flow_);
    const Keep counter(localCounter_);
    enterPhase();
    localCounter_ = name;
    atomicOnCounter(*changes);
    fill(*changes, random_.between(1, 3));
  }
  block.children.push_back(statement("for (uint " + c + " = lid; " + c + " < 4; " + c + " += lsz) " + name + "[" + c +
                                         "] = 0;\n" + kBarrier + "$0\n" + kBarrier + "uint " + result + " = " + name +
                                         "[$1];\nbarrier(CLK_LOCAL_MEM_FENCE);",
                                     {changes, index(4)}));
  variables_.push_back({result, kUInt, 0, false, true, std::nullopt, true});
}

void Generator::globalPhase(Node& block) {
  // Elements of another work-item of the group, which wrote them before the barrier.
  std::vector<OutputRow> fitting;
  for (const OutputRow& row : rows_)
    if (row.start.starts_with("gid * ")) fitting.push_back(row);
  if (fitting.empty() || dimensions_ != 1) return assign(block);
  const OutputRow row = random_.pick(fitting);
  const Type type{row.base, 1};
  const std::string result = fresh("v"), count = std::to_string(row.count);
  NodeRef stored = value(type, 3);
  NodeRef slot = index(row.count);
  NodeRef other = masked(localItems_);
  NodeRef theirs = index(row.count);
  block.children.push_back(statement(row.name + "[gid * " + count + " + $1] = $0;\nbarrier(CLK_GLOBAL_MEM_FENCE);\n" +
                                         type.name() + " " + result + " = " + row.name + "[(gid - lid + $2 % lsz) * " +
                                         count + " + $3];\nbarrier(CLK_GLOBAL_MEM_FENCE);",
                                     {stored, slot, other, theirs}));
  variables_.push_back({result, type, 0, false, true, std::nullopt, true});
}

}  // namespace clarity::fuzz
