// SPDX-License-Identifier: Apache-2.0
// This file reads loops off assembly of x86-64, in the syntax of LLVM, and follows the values in them through a few
// iterations.
#include "kernel_loops.h"

#include "kernel_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>

namespace clarity::tools {
namespace {

struct Operand {
  std::string text;
  bool isMemory = false;
  std::vector<std::string> registers;  ///< registers of the address, if it is memory; without their widths
};

struct Instruction {
  std::string name;
  std::vector<Operand> operands;
  bool keepsLanes = false;  ///< a mask leaves lanes of the result as they are
  unsigned line = 0;
};

/// A register without its width: "%zmm3" and "%xmm3" are "v3", "%eax" and "%rax" are "ax".
std::string registerOf(std::string_view text) {
  std::string name(text);
  if (name.size() > 3 && (name[0] == 'x' || name[0] == 'y' || name[0] == 'z') && name.substr(1, 2) == "mm")
    return "v" + name.substr(3);
  if (name.size() == 3 && (name[0] == 'r' || name[0] == 'e') && std::isalpha(static_cast<unsigned char>(name[1])))
    return name.substr(1);
  if (name[0] == 'r' && name.size() > 1 && std::isdigit(static_cast<unsigned char>(name[1])))
    while (std::isalpha(static_cast<unsigned char>(name.back()))) name.pop_back();
  if (name.size() == 2 && name[1] == 'l' && name[0] >= 'a' && name[0] <= 'd') name[1] = 'x';
  return name;
}

std::vector<std::string> registersIn(std::string_view text) {
  std::vector<std::string> result;
  for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
    result.push_back(registerOf(text.substr(at + 1, end - at - 1)));
  }
  return result;
}

Operand operandOf(std::string_view text) {
  const bool isMemory = text.find('(') != text.npos || (!text.starts_with('%') && !text.starts_with('$'));
  return {.text = std::string(text), .isMemory = isMemory, .registers = registersIn(text)};
}

Instruction instructionOf(std::string_view text, unsigned line) {
  if (const std::size_t comment = text.find('#'); comment != text.npos) text = text.substr(0, comment);
  Instruction result;
  result.line = line;
  const std::size_t space = text.find_first_of(" \t");
  result.name = text.substr(0, space);
  if (space == text.npos) return result;
  std::string operand;
  int depth = 0;
  const auto finish = [&] {
    const std::size_t first = operand.find_first_not_of(" \t");
    if (first != operand.npos) {
      operand = operand.substr(first, operand.find_last_not_of(" \t") - first + 1);
      // "%zmm0 {%k1} {z}": the mask is read, too.
      const std::size_t brace = operand.find('{');
      if (brace != operand.npos) {
        result.keepsLanes = operand.find("{z}") == operand.npos;
        const std::string mask = operand.substr(brace);
        operand.resize(operand.find_last_not_of(" \t", brace - 1) + 1);
        if (mask.find("%k") != mask.npos) result.operands.push_back(operandOf(mask.substr(1)));
      }
      result.operands.push_back(operandOf(operand));
    }
    operand.clear();
  };
  for (const char c : text.substr(space)) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      finish();
    else
      operand += c;
  }
  finish();
  return result;
}

struct Cost {
  double latency = 1, slots = 0.25;  ///< cycles; of the one unit that it needs most
  enum class Unit { Any, Arithmetic, Divider, Load, Store, Transfer } unit = Unit::Any;
};

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

bool isOfFloats(std::string_view name) {
  return name.ends_with("ps") || name.ends_with("pd") || name.ends_with("ss") || name.ends_with("sd") ||
         name.ends_with("ph") || name.ends_with("sh");
}

/// How wide the result is: 1, 2 or 4 times 128 bits.
double widthOf(const Instruction& instruction) {
  double width = 1;
  for (const Operand& each : instruction.operands) {
    if (each.text.find("%zmm") != each.text.npos) width = 4;
    if (each.text.find("%ymm") != each.text.npos) width = std::max(width, 2.0);
  }
  return width;
}

bool isVector(const Operand& operand) {
  return !operand.isMemory && !operand.registers.empty() && operand.registers[0].starts_with('v');
}

/// Instructions that move values between the vector registers and others, one at a time: without gathers, that is how
/// each lane has an address of its own.
bool isTransfer(const Instruction& instruction) {
  const auto& operands = instruction.operands;
  const auto isOther = [](const Operand& each) { return each.text.starts_with('%') && !isVector(each); };
  return operands.size() >= 2 && ((isVector(operands[operands.size() - 2]) && isOther(operands.back())) ||
                                  (isOther(operands[0]) && isVector(operands.back())));
}

Cost costOf(const Instruction& instruction) {
  using enum Cost::Unit;
  std::string_view name = instruction.name;
  if (name.starts_with('v')) name.remove_prefix(1);
  const double width = widthOf(instruction);
  if (startsWithAny(name, {"div", "sqrt"}) && isOfFloats(name)) {
    const bool isDouble = name.ends_with('d');
    const bool isScalar = name[name.size() - 2] == 's';
    return {.latency = isDouble ? 14.0 : 12.0,
            .slots = (isDouble ? 4.0 : 3.0) * (isScalar     ? 1
                                               : width == 4 ? 3.5
                                                            : width),
            .unit = Divider};
  }
  if (startsWithAny(name, {"idiv", "div"})) return {.latency = 14, .slots = 6, .unit = Divider};
  if (startsWithAny(name, {"gather", "pgather"})) return {.latency = 24, .slots = 2 * width, .unit = Load};
  if (startsWithAny(name, {"scatter", "pscatter"})) return {.latency = 24, .slots = 4 * width, .unit = Store};
  if (startsWithAny(name, {"fm", "fnm", "add", "sub", "mul", "max", "min", "cmp"}) && isOfFloats(name))
    return {.latency = 4, .slots = 0.5, .unit = Arithmetic};
  if (startsWithAny(name, {"cvt", "rndscale", "round", "scalef", "getexp", "getmant", "fixupimm", "rcp", "rsqrt"}))
    return {.latency = 6, .slots = 0.5, .unit = Arithmetic};
  if (name.starts_with("pmull")) return {.latency = name.ends_with('w') ? 5.0 : 10.0, .slots = 1, .unit = Arithmetic};
  if (name.starts_with("pmul") || name.starts_with("pmadd")) return {.latency = 5, .slots = 0.5, .unit = Arithmetic};
  if (name.starts_with("imul")) return {.latency = 3, .slots = 1, .unit = Any};
  if (startsWithAny(name, {"pextr", "movd", "movq", "movmsk", "pmovmsk"}) && isTransfer(instruction))
    return {.latency = name.starts_with("pextr") ? 4.0 : 3.0, .slots = 1, .unit = Transfer};
  // Values that change their half of the register.
  if (startsWithAny(name, {"extractf", "extracti", "insertf", "inserti"}) ||
      (width > 1 && startsWithAny(name, {"pmovsx", "pmovzx", "pbroadcast", "broadcast"})))
    return {.latency = 3, .slots = 1, .unit = Any};
  if (name.starts_with("perm")) return {.latency = 3, .slots = 1, .unit = Any};
  if (name.starts_with("mov") && instruction.operands.size() == 2 && !instruction.operands[0].isMemory &&
      !instruction.operands[1].isMemory)
    return {.latency = 0, .slots = 0.25, .unit = Any};
  return {};
}

double loadLatencyOf(const Instruction& instruction) {
  return !instruction.operands.empty() && isVector(instruction.operands.back()) ? 7 : 5;
}

/// A place that holds a value, and when it has it: a register, or a place of the stack.
struct Value {
  double ready = 0;
  int definition = -1;  ///< a number of Chain::definitions
};

/// Follows a loop's values: no instruction waits for anything but its operands.
class Chain {
public:
  explicit Chain(const std::vector<Instruction>& body) : body_(body) {}

  void run(MachineLoop& loop) {
    constexpr unsigned warmUp = 4, iterations = 8;
    double before = 0;
    for (unsigned i = 0; i < iterations; ++i) {
      iteration_ = i;
      for (const Instruction& each : body_) execute(each);
      if (i + 1 == warmUp) before = latest().ready;
    }
    loop.chain = (latest().ready - before) / (iterations - warmUp);
    blame(loop, warmUp);
  }

private:
  struct Definition {
    unsigned line = 0, iteration = 0;
    double latency = 0;
    int from = -1;  ///< the definition that it waited for
    bool isLoad = false;
  };

  Value latest() const {
    Value latest;
    for (const auto& [name, value] : values_)
      if (value.ready > latest.ready) latest = value;
    return latest;
  }

  static bool isOfStack(const Operand& operand) {
    return operand.isMemory && operand.registers.size() == 1 &&
           (operand.registers[0] == "sp" || operand.registers[0] == "bp");
  }

  void wait(Value& until, const std::string& place, double more = 0) const {
    const auto found = values_.find(place);
    if (found == values_.end() || found->second.ready + more <= until.ready) return;
    until = {.ready = found->second.ready + more, .definition = found->second.definition};
  }

  void execute(const Instruction& its) {
    if (its.operands.empty() || startsWithAny(its.name, {"j", "nop", "prefetch"})) return;
    const bool hasNoResult =
        startsWithAny(its.name, {"cmp", "test", "ucomis", "vucomis", "vptest", "kortest", "ktest", "bt"}) &&
        !isOfFloats(its.name);
    const Operand& last = its.operands.back();
    const std::size_t sources = its.operands.size() - (hasNoResult ? 0 : 1);
    Value until;
    bool loads = false;  // whether the source that is awaited longest is an address
    for (std::size_t i = 0; i < sources; ++i) {
      const double before = until.ready;
      const bool isLoaded = addSource(until, its.operands[i], its.name.starts_with("lea") ? 0 : loadLatencyOf(its));
      if (until.ready > before) loads = isLoaded;
    }
    if (hasNoResult) return;
    const double before = until.ready;
    if (last.isMemory) {
      for (const std::string& each : last.registers) wait(until, each);
    } else if (readsResult(its)) {
      wait(until, last.registers.empty() ? last.text : last.registers[0]);
    }
    if (until.ready > before) loads = false;
    if (isZero(its)) until = {};
    const double latency = costOf(its).latency;
    definitions_.push_back({.line = its.line,
                            .iteration = iteration_,
                            .latency = latency + (loads ? loadLatencyOf(its) : 0),
                            .from = until.definition,
                            .isLoad = loads});
    const Value value{.ready = until.ready + latency, .definition = static_cast<int>(definitions_.size()) - 1};
    if (!last.isMemory)
      values_[last.registers.empty() ? last.text : last.registers[0]] = value;
    else if (isOfStack(last))
      values_[last.text] = value;
  }

  /// Whether the operand is loaded from an address that the loop computes. `latency`: of a load; 0: there is none.
  bool addSource(Value& until, const Operand& operand, double latency) const {
    if (isOfStack(operand)) {
      wait(until, operand.text, latency);
      return false;
    }
    for (const std::string& each : operand.registers) wait(until, each, operand.isMemory ? latency : 0);
    return operand.isMemory && latency != 0 && !operand.registers.empty();
  }

  static bool readsResult(const Instruction& its) {
    if (its.keepsLanes) return true;
    if (its.name.starts_with('v'))
      return startsWithAny(its.name, {"vfm", "vfnm", "vpternlog", "vpdp", "vgather", "vpgather"});
    if (its.name.starts_with("imul")) return its.operands.size() < 3;
    return !startsWithAny(its.name, {"mov", "lea", "set", "cvt", "sqrt", "pshuf", "kmov", "bsf", "bsr", "tzcnt",
                                     "lzcnt", "popcnt", "rcp", "rsqrt", "kand", "kor", "kxor", "knot", "kunpck"});
  }

  /// Exclusive or and subtraction of a register and itself.
  static bool isZero(const Instruction& its) {
    const std::size_t count = its.operands.size();
    return count >= 2 && (its.name.find("xor") != its.name.npos || its.name.find("sub") != its.name.npos) &&
           its.operands[count - 2].text == its.operands[0].text && !its.operands[0].isMemory &&
           (count > 2 || its.operands[0].text == its.operands[1].text);
  }

  /// The line with most of what the latest value waited for, back to the iteration `first`.
  void blame(MachineLoop& loop, unsigned first) const {
    std::map<unsigned, double> byLine;
    for (int at = latest().definition; at >= 0 && definitions_[static_cast<std::size_t>(at)].iteration >= first;
         at = definitions_[static_cast<std::size_t>(at)].from) {
      const Definition& its = definitions_[static_cast<std::size_t>(at)];
      byLine[its.line] += its.latency;
      loop.throughLoads |= its.isLoad;
    }
    if (!byLine.empty())
      loop.line = std::ranges::max_element(byLine, {}, &std::pair<const unsigned, double>::second)->first;
  }

  const std::vector<Instruction>& body_;
  std::map<std::string, Value> values_;
  std::vector<Definition> definitions_;
  unsigned iteration_ = 0;
};

double workOf(const std::vector<Instruction>& body) {
  std::map<Cost::Unit, double> slots;
  for (const Instruction& each : body) {
    const Cost cost = costOf(each);
    slots[Cost::Unit::Any] += 0.25;
    if (cost.unit != Cost::Unit::Any) slots[cost.unit] += cost.slots;
    for (std::size_t i = 0; i < each.operands.size(); ++i) {
      if (!each.operands[i].isMemory || each.name.starts_with("lea") || each.name.starts_with("j")) continue;
      const bool isStore = i + 1 == each.operands.size() && i > 0;
      slots[isStore ? Cost::Unit::Store : Cost::Unit::Load] += isStore ? 1 : 0.5;
    }
  }
  double most = 0;
  for (const auto& [unit, cycles] : slots) most = std::max(most, cycles);
  return most;
}

std::optional<MachineLoop> loopOf(const std::vector<Instruction>& body) {
  MachineLoop loop;
  for (const Instruction& each : body) {
    if (each.name.starts_with("call")) return std::nullopt;
    ++loop.instructions;
    if (each.line != 0) ++loop.lines[each.line];
  }
  loop.work = workOf(body);
  Chain(body).run(loop);
  return loop;
}

}  // namespace

unsigned lineIn(std::string_view comment, std::string& file) {
  const std::size_t end = comment.rfind(" in "), column = comment.rfind(':', end);
  const std::size_t line = column == comment.npos || column == 0 ? comment.npos : comment.rfind(':', column - 1);
  if (line == comment.npos) return 0;
  const std::string_view name = comment.substr(0, line);
  if (file.empty()) file = name;
  unsigned number = 0;
  std::from_chars(comment.data() + line + 1, comment.data() + column, number);
  return name == file ? number : 0;
}

std::vector<MachineLoop> loopsOf([[maybe_unused]] std::string_view assembly) {
  std::vector<MachineLoop> loops;
#if defined(__x86_64__)
  std::vector<Instruction> code;
  std::map<std::string, std::size_t> labels;  // the instruction behind each
  std::size_t lastEnd = 0;                    // of a loop: one that begins ahead of it is not innermost
  std::string file;
  unsigned at = 0;
  for (const std::string_view line : linesOf(assembly)) {
    if (line.starts_with("#@ ")) {
      at = lineIn(line.substr(3), file);
    } else if (!line.starts_with('\t')) {
      if (const std::size_t colon = line.find(':'); colon != line.npos)
        labels[std::string(line.substr(0, colon))] = code.size();
    } else if (line.size() > 1 && line[1] != '.' && line[1] != '#') {
      code.push_back(instructionOf(line.substr(1), at));
      const Instruction& its = code.back();
      if (!its.name.starts_with('j') || its.operands.empty()) continue;
      const auto target = labels.find(its.operands[0].text);
      if (target == labels.end() || target->second < lastEnd) continue;
      lastEnd = code.size();
      const std::vector<Instruction> body(code.begin() + static_cast<std::ptrdiff_t>(target->second), code.end());
      if (std::optional<MachineLoop> loop = loopOf(body)) loops.push_back(std::move(*loop));
    }
  }
#endif
  return loops;
}

}  // namespace clarity::tools
