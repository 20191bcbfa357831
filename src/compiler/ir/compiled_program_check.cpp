// SPDX-License-Identifier: Apache-2.0
// This file checks the fields of a compiled program one by one, and against each other.
#include "compiler/ir/compiled_program_check.h"

#include "compiler/ir/image_descriptor.h"
#include "compiler/ir/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>

namespace clarity::compiler {
namespace {

// More than any device has, and so little that sums of them do not overflow.
constexpr std::uint64_t mostArgumentBytes = 16 << 20;
constexpr std::uint64_t mostLocalBytes = std::uint64_t{1} << 32;
constexpr std::uint64_t mostPrivateBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t mostVariableBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t mostAlignment = 1 << 29;  // LLVM's
constexpr std::uint64_t mostOfSubGroup = 64;
// CL_KERNEL_ARG_ACCESS_*, CL_KERNEL_ARG_TYPE_*: this folder does not include cl.h.
constexpr std::uint32_t firstAccess = 0x11A0, lastAccess = 0x11A3;
constexpr std::uint64_t allTypeQualifiers = 15;

/// The subject of a sentence. Texts are made where something is wrong only: programs are checked whenever they come out
/// of the cache.
struct Where {
  std::string_view what;                  ///< "kernel", or all of it
  std::string_view name = {};             ///< the name of the kernel or the like
  std::optional<std::size_t> argument{};  ///< the kernel's argument

  std::string text() const {
    if (name.empty()) return std::string(what);
    const std::string of = fmt::format("{} '{}'", what, name);
    return argument ? fmt::format("{}, argument {}", of, *argument) : of;
  }
};

/// Collects the first sentence.
class Checker {
public:
  std::string take() { return std::move(wrong_); }
  explicit operator bool() const { return wrong_.empty(); }

  /// The sentence "`where`: `field` is `value`, expected `expected`", unless `holds`. `expected` may return the text.
  template <class Value, class Expected>
  void expect(bool holds, const Where& where, std::string_view field, const Value& value, const Expected& expected) {
    if (holds || !wrong_.empty()) return;
    if constexpr (std::is_invocable_v<Expected>)
      say(where, field, support::textOf(value), expected());
    else
      say(where, field, support::textOf(value), expected);
  }
  void atMost(std::uint64_t value, std::uint64_t most, const Where& where, std::string_view field) {
    expect(value <= most, where, field, value, [&] { return fmt::format("at most {}", most); });
  }
  void isAlignment(std::uint64_t value, const Where& where) {
    expect(std::has_single_bit(value) && value <= mostAlignment, where, "align", value,
           [] { return fmt::format("a power of two up to {}", mostAlignment); });
  }
  void isText(const std::string& value, const Where& where, std::string_view field) {
    if (value.find('\0') != std::string::npos) expect(false, where, field, shownAs(value), "a text without zeros");
  }
  void isName(const std::string& value, const Where& where, std::string_view field) {
    const auto isOfName = [](char c) { return static_cast<unsigned char>(c) > ' ' && c != ';' && c != '\x7f'; };
    if (value.empty() || !std::ranges::all_of(value, isOfName)) expect(false, where, field, shownAs(value), "a name");
  }

private:
  void say(const Where& where, std::string_view field, std::string_view value, std::string_view expected) {
    wrong_ = fmt::format("{}: {} is {}, expected {}", where.text(), field, value, expected);
  }
  /// Nothing that a terminal would obey, and not too long.
  static std::string shownAs(std::string text) {
    constexpr std::size_t most = 80;
    if (text.size() > most) text = text.substr(0, most) + "...";
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    return text;
  }

  std::string wrong_;
};

/// A range of a block, for the search for overlaps.
struct Range {
  std::uint64_t begin, end;
  bool operator<(const Range& other) const { return std::pair(begin, end) < std::pair(other.begin, other.end); }
};

bool overlap(std::vector<Range>& ranges) {
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].end) return true;
  return false;
}

void checkEnumerators(const KernelArg& arg, const Where& where, Checker& check) {
  check.expect(arg.kind <= ArgKind::Queue, where, "kind", arg.kind, "0 to 6");
  check.expect(arg.image <= ImageArgType::Other, where, "image", arg.image, "0 to 9");
  check.expect((arg.kind == ArgKind::Image) == (arg.image != ImageArgType::None), where, "image", arg.image,
               "that of the argument's kind");
  check.expect(arg.address >= AddressQualifier::Global && arg.address <= AddressQualifier::Private, where, "address",
               arg.address, "CL_KERNEL_ARG_ADDRESS_GLOBAL to _PRIVATE");
  check.expect(arg.access >= firstAccess && arg.access <= lastAccess, where, "access", arg.access,
               "CL_KERNEL_ARG_ACCESS_READ_ONLY to _NONE");
  check.atMost(arg.typeQualifiers, allTypeQualifiers, where, "typeQualifiers");
  check.expect(!arg.isConstant || (arg.kind == ArgKind::Value && arg.size <= sizeof(ConstantArgument::bits)), where,
               "isConstant", arg.isConstant, "false of what is no number");
  const Reduction& reduction = arg.reduction;
  check.expect(reduction.combination <= Combination::Xor, where, "reduction.combination", reduction.combination,
               "0 to 8");
  check.expect(reduction.bytes == 0 || reduction.bytes == 4 || reduction.bytes == 8, where, "reduction.bytes",
               reduction.bytes, "0, 4 or 8");
  check.expect(!reduction || arg.kind == ArgKind::Buffer, where, "reduction.bytes", reduction.bytes,
               "0, as the argument is no buffer");
  check.expect((arg.kind == ArgKind::Local) == (arg.address == AddressQualifier::Local), where, "address", arg.address,
               "that of the argument's kind");
}

/// Checks the place of the argument, as placeArguments() (frontend/kernel_info.h) lays arguments out: each behind the
/// one before, at the next multiple of its alignment.
void checkPlace(const KernelArg& arg, std::uint64_t& end, const Where& where, Checker& check) {
  const bool isValue = arg.kind == ArgKind::Value;
  check.isAlignment(arg.align, where);
  const std::uint64_t size = arg.kind == ArgKind::Image ? sizeof(ImageDescriptor) : 8;
  check.expect(isValue || arg.size == size, where, "size", arg.size, [&] { return std::to_string(size); });
  check.atMost(arg.size, mostArgumentBytes, where, "size");
  if (!check) return;
  const std::uint64_t align = isValue ? arg.align : 8;
  const std::uint64_t offset = (end + align - 1) / align * align;
  check.expect(arg.offset == offset, where, "offset", arg.offset, [&] { return std::to_string(offset); });
  end = offset + arg.size;
  check.atMost(end, mostArgumentBytes, where, "the end of the argument");
}

void checkSizes(const std::array<std::uint32_t, 3>& sizes, std::string_view field, const Where& where, Checker& check) {
  const auto zeros = std::ranges::count(sizes, 0U);
  check.expect(zeros == 0 || zeros == 3, where, field, sizes, "three sizes above 0, or 0 x 0 x 0");
}

/// A block's literal comes first, and behind it what it has captured and pointers to local memory.
void checkBlock(const KernelInfo& block, const Where& where, Checker& check) {
  const std::uint64_t literal = block.args.empty() ? 0 : block.args[0].size;
  check.expect(!block.args.empty() && block.args[0].kind == ArgKind::Value, where, "args", block.args.size(),
               "a literal and what follows it");
  for (std::size_t i = 1; i < block.args.size() && check; ++i) {
    const KernelArg& arg = block.args[i];
    const Where argument{"kernel", block.name, i};
    check.expect(arg.kind == ArgKind::Buffer || arg.kind == ArgKind::Local, argument, "kind", arg.kind,
                 "that of a buffer or of local memory");
    check.expect(arg.kind != ArgKind::Buffer || std::uint64_t{arg.capturedAt} + 8 <= literal, argument, "capturedAt",
                 arg.capturedAt, "a place in the literal");
  }
}

void checkKernel(const KernelInfo& kernel, BinaryType kind, Checker& check) {
  check.isName(kernel.name, {"a kernel"}, "name");
  if (!check) return;
  const Where where{"kernel", kernel.name};
  check.isText(kernel.attributes, where, "attributes");
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < kernel.args.size() && check; ++i) {
    const Where argument{"kernel", kernel.name, i};
    check.isText(kernel.args[i].name, argument, "name");
    check.isText(kernel.args[i].typeName, argument, "typeName");
    check.isText(kernel.args[i].layout, argument, "layout");
    checkEnumerators(kernel.args[i], argument, check);
    checkPlace(kernel.args[i], end, argument, check);
  }
  const std::uint64_t blockBytes = std::max<std::uint64_t>(end, 8);
  check.expect(kernel.argBlockBytes == blockBytes, where, "argBlockBytes", kernel.argBlockBytes,
               [&] { return fmt::format("{}, where the last argument ends", blockBytes); });
  if (kernel.isBlock) checkBlock(kernel, where, check);
  checkSizes(kernel.requiredLocalSize, "requiredLocalSize", where, check);
  checkSizes(kernel.localSizeHint, "localSizeHint", where, check);
  check.atMost(kernel.localBytes, mostLocalBytes, where, "localBytes");
  check.atMost(kernel.privateBytes, mostPrivateBytes, where, "privateBytes");
  const bool reduces = std::ranges::any_of(kernel.args, [](const KernelArg& arg) { return bool(arg.reduction); });
  check.expect(kernel.reductions == reduces, where, "reductions", kernel.reductions,
               reduces ? "yes, as an argument is one" : "no, as no argument is one");
  const std::string wrong = wrongWith(kernel.work, kernel.args);
  check.expect(wrong.empty(), where, "work", wrong, "an estimate that can be computed");
  if (kind != BinaryType::Executable) return;
  const std::uint32_t size = kernel.subGroupSize, required = kernel.requiredSubGroupSize;
  check.expect(size == 0 || (std::has_single_bit(size) && size <= mostOfSubGroup), where, "subGroupSize", size,
               [] { return fmt::format("a power of two up to {}", mostOfSubGroup); });
  check.expect(required == 0 || std::ranges::find(subGroupSizes, required) != std::end(subGroupSizes), where,
               "requiredSubGroupSize", required, "0, 4, 8, 16 or 32");
  check.atMost(kernel.requiredSubGroups, largestWorkGroup, where, "requiredSubGroups");
  check.expect(kernel.inStep == 0 || (std::has_single_bit(kernel.inStep) && kernel.inStep <= mostOfSubGroup), where,
               "inStep", kernel.inStep, [] { return fmt::format("a power of two up to {}", mostOfSubGroup); });
  const bool hasLocal = kernel.localBytes > 0 || std::ranges::any_of(kernel.args, [](const KernelArg& arg) {
                          return arg.kind == ArgKind::Local;
                        });
  check.expect(!kernel.groupAgnostic || !(kernel.hasBarrier || hasLocal || kernel.usesSubGroups), where,
               "groupAgnostic", kernel.groupAgnostic, "no, as the kernel has barriers, sub-groups or local memory");
}

/// Checks that a part of the block lies inside.
void checkInside(std::uint64_t offset, std::uint64_t bytes, const GlobalVariables& block, const Where& where,
                 Checker& check) {
  check.expect(offset <= block.bytes && bytes <= block.bytes - offset, where, "offset", offset,
               [&] { return fmt::format("{} bytes inside the block of {}", bytes, block.bytes); });
}

void checkVariables(const GlobalVariables& block, Checker& check) {
  const Where where{"program-scope variables"};
  check.atMost(block.bytes, mostVariableBytes, where, "bytes");
  check.isAlignment(block.alignment, where);
  check.atMost(block.largest, block.bytes, where, "largest");
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < block.variables.size() && check; ++i) {
    const GlobalVariables::Variable& variable = block.variables[i];
    check.isName(variable.symbol, where, "symbol");
    if (!check) return;
    const Where which{"variable", variable.symbol};
    check.expect(i == 0 || block.variables[i - 1].symbol < variable.symbol, which, "symbol", variable.symbol,
                 "one behind the symbol before it");
    checkInside(variable.offset, variable.bytes, block, which, check);
    check.atMost(variable.bytes, block.largest, which, "bytes");
    ranges.push_back({variable.offset, variable.offset + variable.bytes});
  }
  check.expect(!check || !overlap(ranges), where, "variables", block.variables.size(), "variables that do not overlap");
  ranges.clear();
  for (const GlobalVariables::Content& content : block.contents) {
    checkInside(content.offset, content.bytes.size(), block, {"content of variables"}, check);
    ranges.push_back({content.offset, content.offset + content.bytes.size()});
  }
  check.expect(!check || !overlap(ranges), where, "contents", block.contents.size(), "contents that do not overlap");
  for (const GlobalVariables::Pointer& pointer : block.pointers) {
    checkInside(pointer.offset, sizeof(std::uint64_t), block, {"pointer in a variable"}, check);
    check.atMost(pointer.target, block.bytes, {"pointer in a variable"}, "target");
  }
}

}  // namespace

std::string wrongWith(const CompiledProgram& compiled) {
  Checker check;
  const bool isKind = compiled.kind == BinaryType::Object || compiled.kind == BinaryType::Library ||
                      compiled.kind == BinaryType::Executable;
  check.expect(isKind, {"the compiled program"}, "kind", compiled.kind, "1, 2 or 4");
  check.isText(compiled.options, {"the compiled program"}, "options");
  std::set<std::string_view> names;
  for (const KernelInfo& kernel : compiled.kernels) {
    checkKernel(kernel, compiled.kind, check);
    // Objects that are linked may each define a kernel of a name: the linker tells that.
    check.expect(names.insert(kernel.name).second || compiled.kind != BinaryType::Executable, {"the compiled program"},
                 "kernels", kernel.name, "a name that no other kernel has");
    if (!check) return check.take();
  }
  checkVariables(compiled.scope.variables, check);
  if (const auto& constructors = compiled.scope.constructors) {
    checkKernel(*constructors, compiled.kind, check);
    check.expect(constructors->args.empty(), {"the constructors"}, "args", constructors->args.size(), "none");
    check.expect(!names.contains(constructors->name), {"the constructors"}, "name", constructors->name,
                 "a name that no kernel has");
  }
  return check.take();
}

}  // namespace clarity::compiler
