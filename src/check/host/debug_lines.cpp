// SPDX-License-Identifier: Apache-2.0
// This file asks LLVM for lines.
#include "check/host/debug_lines.h"

#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <utility>

namespace clarity::check {
namespace {

using llvm::DILineInfoSpecifier;

class Dwarf final : public DebugLines {
public:
  explicit Dwarf(llvm::object::OwningBinary<llvm::object::ObjectFile> file)
      : file_(std::move(file)),
        context_(llvm::DWARFContext::create(*file_.getBinary(), llvm::DWARFContext::ProcessDebugRelocations::Process,
                                            nullptr, "", &ignore, &ignore)) {}

  std::vector<compiler::SiteCall> linesAt(std::uint64_t address) override {
    const DILineInfoSpecifier what(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                   DILineInfoSpecifier::FunctionNameKind::ShortName);
    const llvm::DIInliningInfo inlined =
        context_->getInliningInfoForAddress({address, llvm::object::SectionedAddress::UndefSection}, what);
    std::vector<compiler::SiteCall> lines;
    for (std::uint32_t i = 0; i < inlined.getNumberOfFrames(); ++i) {
      const llvm::DILineInfo& line = inlined.getFrame(i);
      if (line.Line != 0) lines.push_back({line.FunctionName, line.FileName, line.Line, line.Column});
    }
    return lines;
  }

  std::optional<DebugVariable> variableAt(std::uint64_t address, const std::string& function,
                                          const std::string& name) override {
    return describe(typeOfName(address, function, name));
  }

  std::optional<DebugVariable> elementAt(std::uint64_t address, const std::string& function,
                                         const DebugPointer& pointer) override {
    llvm::DWARFDie type = typeOfName(address, function, pointer.name);
    bool isTarget = pointer.isAddress;  // `type` is what is pointed at
    for (const DebugPointer::Step& step : pointer.steps) {
      using enum DebugPointer::Step::Kind;
      type = step.kind == Member ? memberOf(type, step.name) : targetOf(type);
      isTarget |= step.kind == Data;
    }
    if (!isTarget) type = targetOf(type);
    while (plain(type) && plain(type).getTag() == llvm::dwarf::DW_TAG_array_type) type = targetOf(type);
    return describe(type);
  }

private:
  static llvm::DWARFDie typeOf(llvm::DWARFDie die) {
    return die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type);
  }

  /// The type of a variable, or of a member of the object whose method this is.
  llvm::DWARFDie typeOfName(std::uint64_t address, const std::string& function, const std::string& name) {
    llvm::DWARFUnit* const unit = context_->getCompileUnitForCodeAddress(address);
    if (!unit) return {};
    llvm::SmallVector<llvm::DWARFDie, 4> chain;  // innermost first
    unit->getInlinedChainForAddress(address, chain);
    const auto scope = std::ranges::find_if(chain, [&](llvm::DWARFDie each) {
      const char* const its = each.getSubroutineName(llvm::DINameKind::ShortName);
      return its && function == its;
    });
    if (scope != chain.end()) {
      if (const llvm::DWARFDie found = variableIn(*scope, address, name)) return typeOfVariable(found);
      if (const llvm::DWARFDie object = variableIn(*scope, address, "this"))
        if (const llvm::DWARFDie member = memberOf(targetOf(typeOfVariable(object)), name)) return member;
    }
    return typeOfVariable(variableIn(unit->getUnitDIE(), address, name));
  }

  static llvm::DWARFDie typeOfVariable(llvm::DWARFDie variable) {
    if (!variable) return {};
    const llvm::DWARFDie origin = variable.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_abstract_origin);
    return typeOf(origin ? origin : variable);
  }

  static llvm::DWARFDie memberOf(llvm::DWARFDie type, const std::string& name) {
    type = plain(type);
    if (!type) return {};
    for (const llvm::DWARFDie child : type.children()) {
      const char* const its = child.getShortName();
      if (child.getTag() == llvm::dwarf::DW_TAG_member && its && name == its) return typeOf(child);
      if (child.getTag() == llvm::dwarf::DW_TAG_inheritance)
        if (const llvm::DWARFDie inherited = memberOf(typeOf(child), name)) return inherited;
    }
    return {};
  }

  /// The type that a pointer points at, or that an array, a container or a smart pointer holds.
  static llvm::DWARFDie targetOf(llvm::DWARFDie type) {
    type = plain(type);
    if (!type) return {};
    const llvm::dwarf::Tag tag = type.getTag();
    if (tag == llvm::dwarf::DW_TAG_pointer_type || tag == llvm::dwarf::DW_TAG_array_type) return typeOf(type);
    if (tag == llvm::dwarf::DW_TAG_class_type || tag == llvm::dwarf::DW_TAG_structure_type)
      for (const llvm::DWARFDie child : type.children())
        if (child.getTag() == llvm::dwarf::DW_TAG_template_type_parameter) return typeOf(child);
    return {};
  }

  static llvm::DWARFDie variableIn(llvm::DWARFDie scope, std::uint64_t address, const std::string& name) {
    llvm::DWARFDie found;
    for (const llvm::DWARFDie child : scope.children()) {
      const llvm::dwarf::Tag tag = child.getTag();
      if (tag == llvm::dwarf::DW_TAG_lexical_block && child.addressRangeContainsAddress(address)) {
        if (const llvm::DWARFDie inner = variableIn(child, address, name)) return inner;
      } else if (tag == llvm::dwarf::DW_TAG_variable || tag == llvm::dwarf::DW_TAG_formal_parameter) {
        const char* const its = child.getShortName();
        if (its && name == its) found = child;
      }
    }
    return found;
  }

  static std::uint64_t numberOf(llvm::DWARFDie die, llvm::dwarf::Attribute attribute) {
    return llvm::dwarf::toUnsigned(die.find(attribute), 0);
  }

  /// Without names for the same type, qualifiers and references. The first name stays in `name`.
  static llvm::DWARFDie plain(llvm::DWARFDie type, std::string* name = nullptr) {
    while (type) {
      const char* const its = type.getShortName();
      if (name && name->empty() && its) *name = its;
      const llvm::dwarf::Tag tag = type.getTag();
      using namespace llvm::dwarf;
      if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
          tag != DW_TAG_restrict_type && tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type)
        break;
      type = typeOf(type);
    }
    return type;
  }

  static std::optional<DebugVariable> describe(llvm::DWARFDie type) {
    DebugVariable variable;
    type = plain(type, &variable.type);
    if (!type) return std::nullopt;
    variable.bytes = numberOf(type, llvm::dwarf::DW_AT_byte_size);
    variable.isScalar = type.getTag() == llvm::dwarf::DW_TAG_base_type;
    variable.isArray = type.getTag() == llvm::dwarf::DW_TAG_array_type;
    if (!addNumbers(type, variable.type, 0, variable.numbers)) variable.numbers.clear();
    if (type.getTag() == llvm::dwarf::DW_TAG_pointer_type) variable.bytes = sizeof(void*);  // which is not always said
    if (variable.isArray) variable.bytes = bytesOfArray(type);  // they have no size of their own
    return variable.bytes ? std::optional(variable) : std::nullopt;
  }

  /// False: the type is not followed.
  static bool addNumbers(llvm::DWARFDie type, const std::string& name, std::uint64_t offset,
                         std::vector<DebugNumber>& numbers) {
    constexpr std::size_t mostNumbers = 500;
    if (!type || numbers.size() > mostNumbers) return false;
    using enum DebugNumber::Kind;
    const std::uint64_t bytes = numberOf(type, llvm::dwarf::DW_AT_byte_size);
    switch (type.getTag()) {
      case llvm::dwarf::DW_TAG_base_type: {
        const bool isFloat = numberOf(type, llvm::dwarf::DW_AT_encoding) == llvm::dwarf::DW_ATE_float;
        numbers.push_back({isFloat ? Float : Integer, offset, bytes});
        return true;
      }
      case llvm::dwarf::DW_TAG_enumeration_type: numbers.push_back({Integer, offset, bytes}); return true;
      case llvm::dwarf::DW_TAG_array_type: return addArray(type, offset, numbers);
      case llvm::dwarf::DW_TAG_union_type: return addUnion(type, name, offset, numbers);
      case llvm::dwarf::DW_TAG_pointer_type: numbers.push_back({Integer, offset, bytes ? bytes : 8}); return true;
      case llvm::dwarf::DW_TAG_structure_type:
      case llvm::dwarf::DW_TAG_class_type: {
        for (const llvm::DWARFDie member : type.children())
          if (isPart(member) && !addMember(member, offset, numbers)) return false;
        return true;
      }
      default: return false;
    }
  }

  /// A base class or a member that is not static.
  static bool isPart(llvm::DWARFDie member) {
    return member.getTag() == llvm::dwarf::DW_TAG_inheritance ||
           (member.getTag() == llvm::dwarf::DW_TAG_member && !member.find(llvm::dwarf::DW_AT_external));
  }

  static bool addMember(llvm::DWARFDie member, std::uint64_t offset, std::vector<DebugNumber>& numbers) {
    if (member.find(llvm::dwarf::DW_AT_bit_size)) return false;
    std::string name;
    const llvm::DWARFDie type = plain(typeOf(member), &name);
    return addNumbers(type, name, offset + numberOf(member, llvm::dwarf::DW_AT_data_member_location), numbers);
  }

  /// The first member of cl_platform.h's vectors has all numbers; of other unions all members have to have the same
  /// ones.
  static bool addUnion(llvm::DWARFDie type, const std::string& name, std::uint64_t offset,
                       std::vector<DebugNumber>& numbers) {
    std::optional<std::vector<DebugNumber>> first;
    for (const llvm::DWARFDie member : type.children()) {
      if (!isPart(member)) continue;
      std::vector<DebugNumber> its;
      if (!addMember(member, offset, its) || (first && its != *first)) return false;
      if (!first) first = std::move(its);
      if (name.starts_with("cl_")) break;
    }
    if (first) numbers.insert(numbers.end(), first->begin(), first->end());
    return first.has_value();
  }

  /// The number of an array's elements; 0: the program computes it.
  static std::uint64_t countOf(llvm::DWARFDie type) {
    std::uint64_t count = 1;
    for (const llvm::DWARFDie range : type.children()) {
      if (range.getTag() != llvm::dwarf::DW_TAG_subrange_type) continue;
      const auto given = llvm::dwarf::toUnsigned(range.find(llvm::dwarf::DW_AT_count));
      const auto last = llvm::dwarf::toUnsigned(range.find(llvm::dwarf::DW_AT_upper_bound));
      count *= given ? *given : last ? *last + 1 : 0;
    }
    return count;
  }
  static std::uint64_t bytesOfArray(llvm::DWARFDie type) {
    const llvm::DWARFDie element = plain(typeOf(type));
    return element ? countOf(type) * numberOf(element, llvm::dwarf::DW_AT_byte_size) : 0;
  }

  static bool addArray(llvm::DWARFDie type, std::uint64_t offset, std::vector<DebugNumber>& numbers) {
    std::string name;
    const llvm::DWARFDie element = plain(typeOf(type), &name);
    const std::uint64_t bytes = element ? numberOf(element, llvm::dwarf::DW_AT_byte_size) : 0;
    for (std::uint64_t i = 0, count = std::max<std::uint64_t>(countOf(type), 1); i < count; ++i)
      if (bytes == 0 || !addNumbers(element, name, offset + i * bytes, numbers)) return false;
    return true;
  }

  /// Damaged or unknown information is as good as none.
  static void ignore(llvm::Error error) { llvm::consumeError(std::move(error)); }

  llvm::object::OwningBinary<llvm::object::ObjectFile> file_;
  std::unique_ptr<llvm::DWARFContext> context_;
};

}  // namespace

std::unique_ptr<DebugLines> DebugLines::open(const std::string& path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (file) return std::make_unique<Dwarf>(std::move(*file));
  llvm::consumeError(file.takeError());
  return nullptr;
}

}  // namespace clarity::check
