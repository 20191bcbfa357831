// SPDX-License-Identifier: Apache-2.0
// This file has the rules about work-groups: sizes that leave vector lanes empty, barriers, and what is kept across
// them.
#include "kernel_code.h"
#include "pattern.h"
#include "profile_access_remark.h"
#include "profile_kernel_advice.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace clarity::tools {
namespace {

constexpr double leastOfBarriers = 0.3, leastOfSpill = 0.2;
constexpr unsigned leastSpill = 32;  ///< bytes a work-item
constexpr unsigned usualLanes = 8;   ///< that packets have at least where a work-group fills them
constexpr std::uint64_t smallGroup = 64;

/// The lanes of the packets that the report names; 1: none.
unsigned lanesOf(const KernelFacts& facts) {
  unsigned most = 1;
  constexpr std::string_view words = "packets of ";
  for (const KernelRemark& remark : facts.code.remarks) {
    if (remark.kind != "region" || !remark.message.starts_with(words)) continue;
    unsigned lanes = 0;
    std::from_chars(remark.message.data() + words.size(), remark.message.data() + remark.message.size(), lanes);
    most = std::max(most, lanes);
  }
  return most;
}

/// Whether the application left the size of work-groups to the driver.
bool leftSizeToDriver(const KernelFacts& facts) {
  for (const ProfiledCommand& command : facts.process.commands) {
    if (command.kernel != facts.code.kernel || command.global != facts.launch.global) continue;
    if (command.thread >= facts.process.threads.size()) continue;
    const auto& calls = facts.process.threads[command.thread].calls;
    return command.call < calls.size() &&
           calls[command.call].arguments.find("local_work_size=null") != std::string::npos;
  }
  return false;
}

/// Whether code differs by the size of work-groups: it has barriers, or local memory.
bool hasGroups(const KernelFacts& facts) {
  return std::ranges::any_of(facts.code.remarks, [](const KernelRemark& remark) {
    return remark.kind == "kernel" && remark.message.starts_with("work-groups of");
  });
}

std::string groupSizeText(const KernelFacts& facts) {
  std::string text;
  for (unsigned d = 0; d < std::max(facts.launch.dimensions, 1u); ++d)
    text += fmt::format("{}{}", d == 0 ? "" : "x", facts.launch.local[d]);
  return text;
}

bool hasBarrier(const std::string& text) {
  static const Pattern barrier(R"(\b(?:work_group_)?barrier\s*\()");
  return barrier.isIn(text);
}

bool usesLocal(const KernelFacts& facts) {
  return std::ranges::any_of(facts.source.arrays(), &SourceArray::isLocal) || hasWord(facts.source.body(), "local") ||
         hasWord(facts.source.body(), "__local");
}

}  // namespace

void adviseOnGroups(const KernelFacts& facts, std::vector<Advice>& found) {
  const std::uint64_t items = facts.items();
  if (!hasGroups(facts) || items >= smallGroup || facts.launch.workItems() < smallGroup) return;
  if (!hasBarrier(facts.source.body()) && !usesLocal(facts)) return;
  const unsigned lanes = lanesOf(facts);
  const auto packets = (items + lanes - 1) / lanes;
  // Packets that are narrower than usual, and lanes of the last one that have no work-item.
  const double filled = std::min(1.0, static_cast<double>(lanes) / usualLanes) * static_cast<double>(items) /
                        static_cast<double>(packets * lanes);
  if (filled > 0.75 && items > usualLanes) return;
  const unsigned line = facts.hottestLine();
  const std::string who =
      leftSizeToDriver(facts)
          ? fmt::format("no size was given, and the global size {} has no divisor that suits", facts.launch.global[0])
          : "the application gave this size";
  found.push_back(facts.advice(
      fmt::format("'{}' runs in work-groups of {}, too few for vectors", facts.code.kernel, groupSizeText(facts)), line,
      fmt::format(
          "{} of {} lanes of a packet have a work-item, and each work-group goes through its barriers alone; {}",
          std::min<std::uint64_t>(items, std::max(lanes, usualLanes)), std::max(lanes, usualLanes), who),
      leftSizeToDriver(facts) ? "Round the global size up to a multiple of 64, return early in the work-items that are "
                                "too many (behind the "
                                "last barrier), and give a work-group size of 64 or more."
                              : "Use work-groups of 64 to 256 work-items, a multiple of 16.",
      1, std::clamp(1 - filled, 0.35, 0.75)));
}

namespace {

/// The bytes of a work-item that are stored at barriers, all of a kernel together.
unsigned bytesKept(const KernelFacts& facts) {
  static const Pattern kept(R"((\d+) bytes per work-item spilled across barriers)");
  for (const KernelRemark& remark : facts.code.remarks)
    if (const auto match = kept.search(remark.message)) return static_cast<unsigned>(std::stoul((*match)[1]));
  return 0;
}

/// A variable that the report says is kept across barriers, and its bytes.
struct KeptVariable {
  std::string name;
  unsigned line = 0, bytes = 0;
};
std::vector<KeptVariable> keptVariables(const KernelFacts& facts) {
  static const Pattern spill(R"(^'(\w+)' spilled across the barrier, (\d+) bytes per work-item)");
  std::vector<KeptVariable> kept;
  for (const KernelRemark& remark : facts.code.remarks) {
    if (remark.kind != "spill") continue;
    if (const auto match = spill.search(remark.message))
      kept.push_back({(*match)[1], remark.line, static_cast<unsigned>(std::stoul((*match)[2]))});
  }
  return kept;
}

/// The number that a text of the source is, by a macro or a build option too; nothing: another.
std::optional<unsigned> numberOf(const KernelFacts& facts, std::string text) {
  for (int left = 4; left > 0; --left) {
    const std::vector<std::string> words = wordsOf(text);
    if (words.empty()) break;
    text = facts.meaningOf(words[0]);
  }
  text = text.substr(std::min(text.find_first_not_of(" ("), text.size()));
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool isAll = std::string_view(end, text.data() + text.size()).find_first_not_of(" )uU") == std::string::npos;
  return error == std::errc{} && isAll ? std::optional(number) : std::nullopt;
}

/// The bytes of an array; nothing: its size is no number.
std::optional<unsigned> bytesOfArray(const KernelFacts& facts, const SourceArray& array) {
  const std::string& code = facts.source.code(array.line);
  const auto name = Pattern(fmt::format(R"(\b{}\s*\[)", array.name)).search(code);
  if (!name) return std::nullopt;
  unsigned bytes = bytesOf(facts.typeOf(array.type));
  for (std::size_t open = name->end() - 1; open < code.size() && code[open] == '[';) {
    const std::size_t close = code.find(']', open);
    if (close == code.npos) return std::nullopt;
    const auto elements = numberOf(facts, code.substr(open + 1, close - open - 1));
    if (!elements || *elements > (1u << 20) / std::max(bytes, 1u)) return std::nullopt;
    bytes *= *elements;
    open = std::min(code.find_first_not_of(' ', close + 1), code.size());
  }
  return bytes;
}

/// The private arrays of a loop that the optimiser has made variables of and that can be most of what barriers in it
/// store, which is so many bytes: what is stored as an array has a remark of its own.
std::vector<const SourceArray*> keptArrays(const KernelFacts& facts, const SourceBlock& loop, unsigned bytes) {
  const std::vector<KeptVariable> named = keptVariables(facts);
  std::vector<std::pair<unsigned, const SourceArray*>> sized;
  for (const SourceArray& each : facts.source.arrays()) {
    if (each.isLocal || each.line >= loop.first || !hasWord(loop.text, each.name)) continue;
    if (std::ranges::find(named, each.name, &KeptVariable::name) != named.end()) continue;
    const unsigned its = bytesOfArray(facts, each).value_or(bytes);
    if (its <= bytes) sized.emplace_back(its, &each);
  }
  std::vector<const SourceArray*> kept;
  const auto most = std::ranges::max_element(sized, {}, [](const auto& each) { return each.first; });
  for (const auto& [its, array] : sized)
    if (2 * its >= most->first) kept.push_back(array);
  return kept;
}

/// Where a loop's barriers take the time, and most of what they store is private arrays that the optimiser has made
/// variables of: they are the cause. False: they are not.
bool adviseOnKeptArray(const KernelFacts& facts, const SourceBlock& loop, double share, std::vector<Advice>& found) {
  constexpr unsigned leastKept = 64;
  unsigned bytes = bytesKept(facts);
  for (const KeptVariable& each : keptVariables(facts)) bytes -= std::min(bytes, each.bytes);
  if (bytes < leastKept) return false;
  const std::vector<const SourceArray*> arrays = keptArrays(facts, loop, bytes);
  if (arrays.empty()) return false;
  std::string names;
  for (const SourceArray* const each : arrays) names += fmt::format("{}'{}'", names.empty() ? "" : " or ", each->name);
  found.push_back(facts.advice(
      fmt::format("{} is kept across a barrier, {} bytes for each work-item", names, bytes), arrays[0]->line,
      fmt::format(
          "{} of the kernel's samples are at the barriers of lines {} to {}; a work-group of {} stores and loads "
          "{} KiB at each",
          percent(share), loop.first, loop.last, facts.items(), (facts.items() * bytes + 1023) / 1024),
      "Keep less across barriers: compute it again behind them, use smaller arrays, or load into local memory what "
      "several iterations need, so that there are fewer barriers.",
      share, 0.6));
  return true;
}

}  // namespace

void adviseOnBarriers(const KernelFacts& facts, std::vector<Advice>& found) {
  if (facts.isAtLimit()) return;
  for (const SourceBlock& loop : facts.source.blocks()) {
    if (loop.kind != SourceBlock::Kind::Loop || !hasBarrier(loop.text)) continue;
    if (loop.first < facts.source.first() || loop.last > facts.source.last()) continue;
    double inner = 0;
    bool isOutermost = false;
    for (const SourceBlock& other : facts.source.blocks()) {
      if (other.kind != SourceBlock::Kind::Loop || !loop.contains(other)) continue;
      inner += facts.share(other);
      isOutermost |= hasBarrier(other.text);
    }
    // Where loops between the barriers take the time, barriers do not.
    const double share = facts.share(loop) - inner;
    if (isOutermost || facts.certain(share) < leastOfBarriers) continue;
    unsigned count = 0, line = 0;
    for (unsigned at = loop.first; at <= loop.last; ++at)
      if (hasBarrier(facts.source.code(at))) {
        ++count;
        if (line == 0) line = at;
      }
    if (adviseOnKeptArray(facts, loop, share, found)) continue;
    found.push_back(facts.advice(
        usesLocal(facts) ? fmt::format("{} barrier{} in every iteration of a short loop", count, count == 1 ? "" : "s")
                         : "A barrier in a loop, and no local memory that it could order",
        line,
        fmt::format("{} of the kernel's samples are in lines {} to {}; at each barrier a work-group ends a loop over "
                    "its work-items, stores their variables, and begins another",
                    percent(share), loop.first, loop.last),
        usesLocal(facts)
            ? "Do more between two barriers: let each work-item combine several elements first, use two buffers in "
              "turn to save every second barrier, or work_group_reduce and work_group_scan."
            : "Leave the barrier out.",
        share, 0.45));
  }
}

void adviseOnSpills(const KernelFacts& facts, std::vector<Advice>& found) {
  for (const auto& [name, declared, bytes] : keptVariables(facts)) {
    if (bytes < leastSpill) continue;
    double share = 0;
    for (const auto& [line, its] : facts.shares)
      if (hasWord(facts.source.code(line), name)) share += its;
    if (share < leastOfSpill) continue;
    found.push_back(facts.advice(
        fmt::format("'{}' is kept across a barrier, {} bytes for each work-item", name, bytes), declared,
        fmt::format("{} of the kernel's samples are in lines that use it; a work-group of {} keeps {} KiB, and none of "
                    "it is in registers",
                    percent(share), facts.items(), (facts.items() * bytes + 1023) / 1024),
        "Keep less across barriers: compute it again behind them, use smaller arrays, or do all that needs the array "
        "before the first barrier.",
        share, 0.7));
  }
}

}  // namespace clarity::tools
