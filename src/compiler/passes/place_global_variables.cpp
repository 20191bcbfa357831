// SPDX-License-Identifier: Apache-2.0
// This file lays out variables in global memory and reads their initialisers.
#include "compiler/passes/place_global_variables.h"
#include "compiler/ir/demangled_name.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/primitives.h"

#include <fmt/format.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <optional>

namespace clarity::compiler {
namespace {

/// The alignment of variables that fill a cache line.
constexpr std::uint64_t lineBytes = cost::cacheLine;

/// A constant above this is read where it lies: its value would be carried in every kernel's code.
constexpr std::uint64_t mostKnownBytes = cost::mostKnownBytes;

/// Runs of zeros shorter than this are not worth two pieces.
constexpr std::uint64_t leastGap = cost::leastGap;

/// A number, or a number of bytes behind the beginning of a variable.
struct ConstantPlace {
  llvm::GlobalVariable* variable = nullptr;
  std::uint64_t offset = 0;
};

/// The address that a constant of pointer or integer type stands for; nothing if it is more than an address and a
/// distance.
std::optional<ConstantPlace> placeOfConstant(llvm::Constant& constant, const llvm::DataLayout& layout) {
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) return ConstantPlace{variable, 0};
  if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(constant)) return ConstantPlace{};
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant); number && number->getBitWidth() <= 64)
    return ConstantPlace{nullptr, number->getZExtValue()};
  if (const auto* address = llvm::dyn_cast<llvm::GEPOperator>(&constant)) {
    llvm::APInt distance(64, 0);
    const auto base = placeOfConstant(llvm::cast<llvm::Constant>(*address->getOperand(0)), layout);
    if (!base || !address->accumulateConstantOffset(layout, distance)) return std::nullopt;
    return ConstantPlace{base->variable, base->offset + distance.getZExtValue()};
  }
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (!expression) return std::nullopt;
  const auto operand = [&](unsigned i) { return placeOfConstant(*expression->getOperand(i), layout); };
  const auto a = operand(0);
  if (!a || layout.getTypeSizeInBits(expression->getType()) != 64) return std::nullopt;
  switch (expression->getOpcode()) {
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast: return a;
    case llvm::Instruction::Add:
      if (const auto b = operand(1); b && !(a->variable && b->variable))
        return ConstantPlace{a->variable ? a->variable : b->variable, a->offset + b->offset};
      return std::nullopt;
    case llvm::Instruction::Sub:
      if (const auto b = operand(1); b && (!b->variable || a->variable == b->variable))
        return ConstantPlace{b->variable ? nullptr : a->variable, a->offset - b->offset};
      return std::nullopt;
    default: return std::nullopt;
  }
}

/// The kernel or variable that uses a value; empty if nothing uses it.
std::string userOf(const llvm::Value& value) {
  for (const llvm::User* user : value.users()) {
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return demangledName(instruction->getFunction()->getName());
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(user)) return demangledName(variable->getName());
    if (std::string name = userOf(*user); !name.empty()) return name;
  }
  return {};
}

/// The bytes of a variable. Empty ones have an address of their own, too.
std::uint64_t bytesOf(const llvm::GlobalVariable& variable) {
  return std::max<std::uint64_t>(variable.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue(), 1);
}

llvm::Align alignmentOf(const llvm::GlobalVariable& variable) {
  const llvm::Align align =
      variable.getAlign().value_or(variable.getDataLayout().getABITypeAlign(variable.getValueType()));
  return bytesOf(variable) >= lineBytes ? std::max(align, llvm::Align(lineBytes)) : align;
}

bool hasStorage(const llvm::GlobalVariable& variable) {
  return !variable.isDeclaration() && variable.getAddressSpace() == globalAddressSpace;
}

class Placer {
public:
  explicit Placer(llvm::Module& module) : module_(module), layout_(module.getDataLayout()) {}

  llvm::Expected<GlobalVariables> run() {
    for (llvm::GlobalVariable& variable : module_.globals()) {
      if (variable.isDeclaration())
        checkDefined(variable);
      else if (hasStorage(variable))
        placed_.insert(&variable);
    }
    // Variables that pointers lead to, found while those are read, need a place as well.
    for (unsigned i = 0; i < placed_.size(); ++i) findTargets(*placed_[i]->getInitializer());
    layOut();
    for (llvm::GlobalVariable* variable : placed_) {
      current_ = variable;
      write(*variable->getInitializer(), offsets_[variable]);
    }
    if (!errors_.empty()) return llvm::createStringError(errors_);
    for (llvm::GlobalVariable* variable : placed_) declare(*variable);
    std::ranges::sort(result_.variables, {}, &GlobalVariables::Variable::symbol);
    return std::move(result_);
  }

private:
  void checkDefined(const llvm::GlobalVariable& variable) {
    if (variable.getName().starts_with("llvm.")) return;
    if (const std::string user = userOf(variable); !user.empty())
      errors_ += fmt::format("{}error: undefined variable '{}' used in '{}'\n",
                             std::string_view(variable.getAttribute(firstUseAttribute).getValueAsString()),
                             demangledName(variable.getName()), user);
  }

  void findTargets(llvm::Constant& initialiser) {
    if (llvm::isa<llvm::ConstantData>(initialiser)) return;
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&initialiser)) {
      if (!variable->isDeclaration() && variable->getAddressSpace() == constantAddressSpace) placed_.insert(variable);
      return;
    }
    if (llvm::isa<llvm::GlobalValue>(initialiser)) return;
    for (llvm::Use& operand : initialiser.operands()) findTargets(llvm::cast<llvm::Constant>(*operand));
  }

  void layOut() {
    for (llvm::GlobalVariable* variable : placed_) {
      const std::uint64_t bytes = bytesOf(*variable);
      const llvm::Align align = alignmentOf(*variable);
      variable->setAlignment(align);
      const std::uint64_t offset = llvm::alignTo(result_.bytes, align);
      offsets_[variable] = offset;
      result_.bytes = offset + bytes;
      result_.alignment = std::max(result_.alignment, static_cast<std::uint32_t>(align.value()));
      result_.largest = std::max(result_.largest, bytes);
    }
  }

  // --- initialisers -----------------------------------------------------------------------------------------------

  void write(llvm::Constant& value, std::uint64_t at) {
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return;
    llvm::Type* type = value.getType();
    if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
      put(at, data->getRawDataValues());
    } else if (const auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
      const llvm::StructLayout& fields = *layout_.getStructLayout(structure->getType());
      for (unsigned i = 0; i < structure->getNumOperands(); ++i)
        write(*structure->getOperand(i), at + fields.getElementOffset(i).getFixedValue());
    } else if (llvm::isa<llvm::ConstantAggregate>(value)) {
      llvm::Type* element = type->isVectorTy() ? type->getScalarType() : type->getArrayElementType();
      const std::uint64_t bytes = layout_.getTypeAllocSize(element).getFixedValue();
      for (unsigned i = 0; i < value.getNumOperands(); ++i)
        write(*llvm::cast<llvm::Constant>(value.getOperand(i)), at + i * bytes);
    } else if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value); number && type->isIntegerTy()) {
      put(at, number->getValue(), type);
    } else if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&value); real && type->isFloatingPointTy()) {
      put(at, real->getValueAPF().bitcastToAPInt(), type);
    } else if (const auto place = placeOfConstant(value, layout_)) {
      put(at, *place, value);
    } else {
      refuse(value);
    }
  }

  void put(std::uint64_t at, const llvm::APInt& value, llvm::Type* type) {
    const llvm::APInt whole = value.zext(llvm::alignTo(value.getBitWidth(), 64));
    put(at, llvm::StringRef(reinterpret_cast<const char*>(whole.getRawData()),
                            layout_.getTypeStoreSize(type).getFixedValue()));
  }

  void put(std::uint64_t at, const ConstantPlace& place, llvm::Constant& value) {
    if (!place.variable) {
      put(at, llvm::APInt(64, place.offset), value.getType());
      return;
    }
    const auto target = offsets_.find(place.variable);
    if (target == offsets_.end()) {
      if (!place.variable->isDeclaration()) refuse(value);  // else it has been reported
      return;
    }
    result_.pointers.push_back({at, target->second + place.offset});
  }

  /// Bytes, less the zeros around and within them. They come in the order of their places, mostly.
  void put(std::uint64_t at, llvm::StringRef bytes) {
    while (!bytes.empty()) {
      const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
      bytes = bytes.drop_front(zeros);
      at += zeros;
      if (bytes.empty()) return;
      std::size_t end = 0;
      for (std::size_t i = 0; i < bytes.size() && i - end <= leastGap; ++i)
        if (bytes[i] != '\0') end = i + 1;
      append(at, bytes.take_front(end));
      bytes = bytes.drop_front(end);
      at += end;
    }
  }

  void append(std::uint64_t at, llvm::StringRef bytes) {
    if (!result_.contents.empty()) {
      GlobalVariables::Content& last = result_.contents.back();
      const std::uint64_t end = last.offset + last.bytes.size();
      if (at >= end && at - end <= leastGap) {
        last.bytes.append(at - end, '\0');
        last.bytes.append(bytes.data(), bytes.size());
        return;
      }
    }
    result_.contents.push_back({at, bytes.str()});
  }

  void refuse(const llvm::Constant& value) {
    std::string text;
    llvm::raw_string_ostream out(text);
    value.printAsOperand(out, true, &module_);
    errors_ +=
        fmt::format("error: variable '{}' cannot be initialised with '{}'\n", demangledName(current_->getName()), text);
  }

  // --- declarations -----------------------------------------------------------------------------------------------

  void declare(llvm::GlobalVariable& variable) {
    variable.setName(fmt::format("cl.{}", variable.hasName() ? std::string_view(variable.getName()) : "constant"));
    const std::uint64_t bytes = layout_.getTypeAllocSize(variable.getValueType()).getFixedValue();
    const bool known = variable.isConstant() && bytes <= mostKnownBytes;
    variable.setComdat(nullptr);
    variable.setSection("");
    if (!known) variable.setInitializer(nullptr);
    variable.setLinkage(known ? llvm::GlobalValue::AvailableExternallyLinkage : llvm::GlobalValue::ExternalLinkage);
    variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
    variable.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
    variable.setDSOLocal(false);  // however far away from the code
    result_.variables.push_back({variable.getName().str(), offsets_[&variable], bytes});
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::SetVector<llvm::GlobalVariable*> placed_;
  llvm::DenseMap<const llvm::GlobalVariable*, std::uint64_t> offsets_;
  const llvm::GlobalVariable* current_ = nullptr;
  GlobalVariables result_;
  std::string errors_;
};

}  // namespace

std::uint64_t globalVariableBytes(const llvm::Module& module) {
  std::uint64_t bytes = 0;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (hasStorage(variable)) bytes = llvm::alignTo(bytes, alignmentOf(variable)) + bytesOf(variable);
  return bytes;
}

llvm::Expected<GlobalVariables> placeGlobalVariables(llvm::Module& module) { return Placer(module).run(); }

llvm::PreservedAnalyses PlaceGlobalVariablesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  auto placed = placeGlobalVariables(module);
  if (!placed) {
    out_ << llvm::toString(placed.takeError());
    return llvm::PreservedAnalyses::none();
  }
  out_ << placed->bytes << " bytes, alignment " << placed->alignment << ", largest " << placed->largest << '\n';
  for (const auto& variable : placed->variables)
    out_ << "  " << variable.symbol << " at " << variable.offset << ", " << variable.bytes << " bytes\n";
  for (const auto& content : placed->contents) {
    out_ << "  at " << content.offset << ':';
    for (const char byte : content.bytes)
      out_ << ' ' << llvm::format_hex_no_prefix(static_cast<unsigned char>(byte), 2);
    out_ << '\n';
  }
  for (const auto& pointer : placed->pointers)
    out_ << "  at " << pointer.offset << ": the address of " << static_cast<std::int64_t>(pointer.target) << '\n';
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
