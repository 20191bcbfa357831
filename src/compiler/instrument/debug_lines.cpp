// SPDX-License-Identifier: Apache-2.0
// This file asks LLVM for lines.
#include "compiler/instrument/debug_lines.h"

#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <utility>

namespace clarity::compiler {
namespace {

using llvm::DILineInfoSpecifier;

class Dwarf final : public DebugLines {
public:
  explicit Dwarf(llvm::object::OwningBinary<llvm::object::ObjectFile> file)
      : file_(std::move(file)),
        context_(llvm::DWARFContext::create(*file_.getBinary(), llvm::DWARFContext::ProcessDebugRelocations::Process,
                                            nullptr, "", &ignore, &ignore)) {}

  std::vector<SiteCall> linesAt(std::uint64_t address) override {
    const DILineInfoSpecifier what(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                   DILineInfoSpecifier::FunctionNameKind::ShortName);
    const llvm::DIInliningInfo inlined =
        context_->getInliningInfoForAddress({address, llvm::object::SectionedAddress::UndefSection}, what);
    std::vector<SiteCall> lines;
    for (std::uint32_t i = 0; i < inlined.getNumberOfFrames(); ++i) {
      const llvm::DILineInfo& line = inlined.getFrame(i);
      if (line.Line != 0) lines.push_back({line.FunctionName, line.FileName, line.Line, line.Column});
    }
    return lines;
  }

  std::optional<DebugVariable> variableAt(std::uint64_t address, const std::string& name) override {
    llvm::DWARFUnit* const unit = context_->getCompileUnitForCodeAddress(address);
    if (!unit) return std::nullopt;
    llvm::SmallVector<llvm::DWARFDie, 4> chain;  // innermost first
    unit->getInlinedChainForAddress(address, chain);
    llvm::DWARFDie found;
    if (!chain.empty()) found = variableIn(chain.front(), address, name);
    if (!found) found = variableIn(unit->getUnitDIE(), address, name);
    if (!found) return std::nullopt;
    if (const llvm::DWARFDie origin = found.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_abstract_origin))
      found = origin;
    DebugVariable variable;
    describe(found.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type), variable);
    return variable.bytes ? std::optional(variable) : std::nullopt;
  }

private:
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

  /// Without names for the same type, const and volatile. The first name stays in `name`.
  static llvm::DWARFDie plain(llvm::DWARFDie type, std::string* name = nullptr) {
    while (type) {
      const char* const its = type.getShortName();
      if (name && name->empty() && its) *name = its;
      const llvm::dwarf::Tag tag = type.getTag();
      if (tag != llvm::dwarf::DW_TAG_typedef && tag != llvm::dwarf::DW_TAG_const_type &&
          tag != llvm::dwarf::DW_TAG_volatile_type)
        break;
      type = type.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type);
    }
    return type;
  }

  static void describe(llvm::DWARFDie type, DebugVariable& variable) {
    type = plain(type, &variable.type);
    if (!type) return;
    variable.bytes = numberOf(type, llvm::dwarf::DW_AT_byte_size);
    variable.isScalar = type.getTag() == llvm::dwarf::DW_TAG_base_type;
    if (!addNumbers(type, variable.type, 0, variable.numbers)) variable.numbers.clear();
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
      case llvm::dwarf::DW_TAG_union_type:
        // Of the vectors of cl_platform.h the first member has all numbers.
        if (!name.starts_with("cl_")) return false;
        [[fallthrough]];
      case llvm::dwarf::DW_TAG_structure_type:
      case llvm::dwarf::DW_TAG_class_type: {
        for (const llvm::DWARFDie member : type.children()) {
          if (member.getTag() == llvm::dwarf::DW_TAG_inheritance) return false;
          if (member.getTag() != llvm::dwarf::DW_TAG_member || member.find(llvm::dwarf::DW_AT_bit_size)) continue;
          std::string own;
          const llvm::DWARFDie its = plain(member.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type), &own);
          if (!addNumbers(its, own, offset + numberOf(member, llvm::dwarf::DW_AT_data_member_location), numbers))
            return false;
          if (type.getTag() == llvm::dwarf::DW_TAG_union_type) break;
        }
        return true;
      }
      default: return false;
    }
  }

  static bool addArray(llvm::DWARFDie type, std::uint64_t offset, std::vector<DebugNumber>& numbers) {
    std::string name;
    const llvm::DWARFDie element = plain(type.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_type), &name);
    std::uint64_t count = 1;
    for (const llvm::DWARFDie range : type.children()) {
      if (range.getTag() != llvm::dwarf::DW_TAG_subrange_type) continue;
      const std::uint64_t given = numberOf(range, llvm::dwarf::DW_AT_count);
      count *= given ? given : numberOf(range, llvm::dwarf::DW_AT_upper_bound) + 1;
    }
    const std::uint64_t bytes = element ? numberOf(element, llvm::dwarf::DW_AT_byte_size) : 0;
    for (std::uint64_t i = 0; i < count; ++i)
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

}  // namespace clarity::compiler
