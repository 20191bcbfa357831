// SPDX-License-Identifier: Apache-2.0
// This file declares the functions of a module in LLVM, so that a body may call one that follows it.
#include "compiler/frontend/blocks.h"
#include "compiler/ir/locations.h"
#include "compiler/ir/primitives.h"
#include "compiler/ir/program_functions.h"
#include "compiler/spirv/kernels.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/names.h"

#include <llvm/IR/Attributes.h>

#include <set>
#include <string>
#include <unordered_map>

namespace clarity::compiler::spirv {
namespace {

void addControl(llvm::Function& function, std::uint32_t control) {
  const auto has = [&](FunctionControl bit) { return (control & static_cast<std::uint32_t>(bit)) != 0; };
  if (has(FunctionControl::DontInline))
    function.addFnAttr(llvm::Attribute::NoInline);
  else if (has(FunctionControl::Inline))
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  if (has(FunctionControl::Const))
    function.setDoesNotAccessMemory();
  else if (has(FunctionControl::Pure))
    function.setOnlyReadsMemory();
}

class ParameterAttributes {
public:
  ParameterAttributes(const ModuleReader& module, const Instruction& parameter, llvm::Argument& argument)
      : module_(module), parameter_(parameter), argument_(argument) {}

  void add() {
    for (const DecorationOf& given : module_.annotations().decorationsOf(parameter_.result)) {
      if (given.parameters.empty()) continue;
      if (given.decoration == Decoration::FuncParamAttr)
        add(static_cast<FunctionParameterAttribute>(given.parameters[0]));
      if (given.decoration == Decoration::Alignment && argument_.getType()->isPointerTy())
        set(llvm::Attribute::getWithAlignment(argument_.getContext(), alignmentOf(given.parameters[0], parameter_)));
    }
  }

private:
  void set(llvm::Attribute attribute) {
    argument_.removeAttr(attribute.getKindAsEnum());
    argument_.addAttr(attribute);
  }

  llvm::Type* pointee() const {
    const Type& type = module_.types().at(parameter_.type, parameter_);
    require(type.isPointer() && type.element != 0, parameter_, "its attribute is for pointers");
    return module_.types().sized(type.element, parameter_);
  }

  void add(FunctionParameterAttribute attribute) {
    llvm::LLVMContext& context = argument_.getContext();
    const bool isPointer = argument_.getType()->isPointerTy();
    switch (attribute) {
      case FunctionParameterAttribute::ByVal:
        set(llvm::Attribute::getWithByValType(context, pointee()));
        if (!argument_.getParamAlign())
          set(llvm::Attribute::getWithAlignment(context, module_.layout().getABITypeAlign(pointee())));
        return;
      case FunctionParameterAttribute::Sret: return set(llvm::Attribute::getWithStructRetType(context, pointee()));
      case FunctionParameterAttribute::Zext:
        if (argument_.getType()->isIntegerTy()) argument_.addAttr(llvm::Attribute::ZExt);
        return;
      case FunctionParameterAttribute::Sext:
        if (argument_.getType()->isIntegerTy()) argument_.addAttr(llvm::Attribute::SExt);
        return;
      case FunctionParameterAttribute::NoAlias:
        if (isPointer) argument_.addAttr(llvm::Attribute::NoAlias);
        return;
      case FunctionParameterAttribute::NoWrite:
        if (isPointer) argument_.addAttr(llvm::Attribute::ReadOnly);
        return;
      case FunctionParameterAttribute::NoReadWrite:
        if (isPointer) argument_.addAttr(llvm::Attribute::ReadNone);
        return;
      default: return;
    }
  }

  const ModuleReader& module_;
  const Instruction& parameter_;
  llvm::Argument& argument_;
};

}  // namespace

/// The function of an import or an export for which the module has another one; null for the first of its name.
llvm::Function* ModuleReader::sharedFunction(const std::string& name, const FunctionRange& range) const {
  const Instruction& definition = *range.definition;
  llvm::GlobalValue* const known = module_->getNamedValue(name);
  if (!known || known->hasLocalLinkage()) return nullptr;
  auto* const function = llvm::dyn_cast<llvm::Function>(known);
  require(function && function->getFunctionType() == types_.at(definition[1], definition).llvm, definition,
          "'{}' has another type elsewhere in the module", name);
  if (range.body.empty()) return function;
  for (const FunctionRange& other : functions_)
    require(&other == &range || other.function != function || other.body.empty(), definition,
            "'{}' is defined by instruction {}, too", name, other.definition->number);
  function->setLinkage(linkageOf(annotations_.linkageOf(definition.result)));
  return function;
}

/// A function without what its parameters say; pointers to it precede it.
llvm::Function& ModuleReader::createFunction(FunctionRange& range) {
  if (range.function) return *range.function;
  const Instruction& definition = *range.definition;
  const Type& type = types_.at(definition[1], definition);
  require(type.op == Op::TypeFunction, definition, "the id {} is not a type of functions", definition[1]);
  require(type.element == definition.type, definition, "its result has not the type that its type says");
  require(type.members.size() == range.parameters.size(), definition, "its type has {} parameters, it has {}",
          type.members.size(), range.parameters.size());
  const Linkage* const linkage = annotations_.linkageOf(definition.result);
  const bool isImported = linkage && linkage->type == LinkageType::Import;
  require(isImported == range.body.empty(), definition, "{}",
          isImported ? "an imported function has no blocks" : "it has no blocks and is not imported");
  const std::string name = linkage ? linkedName(*linkage, !isImported)
                                   : privateName(annotations_.nameOf(definition.result), definition.result);
  range.function = linkage ? sharedFunction(name, range) : nullptr;
  if (!range.function)
    range.function =
        llvm::Function::Create(llvm::cast<llvm::FunctionType>(type.llvm), linkageOf(linkage), name, *module_);
  setValue(definition.result, range.function);
  return *range.function;
}

void ModuleReader::declareFunction(FunctionRange& range) {
  createFunction(range);
  if (range.function->isIntrinsic()) return;
  const Instruction& definition = *range.definition;
  const Type& type = types_.at(definition[1], definition);
  range.function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  range.function->setConvergent();
  range.function->setDoesNotThrow();
  addControl(*range.function, definition[0]);
  for (unsigned i = 0; i < range.parameters.size(); ++i) {
    const Instruction& parameter = range.parameters[i];
    require(parameter.op == Op::FunctionParameter && parameter.type == type.members[i], parameter,
            "parameter {} has not the type that the function's type says", i);
    range.function->getArg(i)->setName(llvm::StringRef(annotations_.nameOf(parameter.result)));
    ParameterAttributes(*this, parameter, *range.function->getArg(i)).add();
  }
}

llvm::Function& ModuleReader::blockKernel(std::uint32_t function, llvm::Type& literal, llvm::Align alignment,
                                          const Instruction& user) {
  llvm::Function*& known = blockKernels_[function];
  if (known) {
    const llvm::TypeSize bytes = layout().getTypeAllocSize(known->getParamByValType(0));
    require(bytes == layout().getTypeAllocSize(&literal), user, "the block's literal has {} bytes elsewhere",
            bytes.getFixedValue());
    return *known;
  }
  llvm::Function* const body = functionOf(function);
  const auto isPointer = [](const llvm::Argument& argument) {
    return argument.getType()->isPointerTy() &&
           (argument.getArgNo() == 0 || argument.getType()->getPointerAddressSpace() == localAddressSpace);
  };
  require(!body->isDeclaration() || !body->isIntrinsic(), user, "the id {} is no function of a block", function);
  require(body->getReturnType()->isVoidTy() && body->arg_size() > 0 && llvm::all_of(body->args(), isPointer), user,
          "the function of a block takes the address of its literal and pointers to local memory, and returns nothing");
  known = &kernelOfBlock(*body, literal, alignment, nameOfBlock(annotations_.nameOf(function)));
  return *known;
}

/// Gives the kernels of blocks their places in the source. Returns the names of the blocks' functions: LLVM's
/// translator makes an entry point of each block, too, which calls the function of the same name. Only kernels launch
/// it.
std::set<std::string_view> ModuleReader::placeBlocks() {
  std::set<std::string_view> names;
  for (const auto& [id, kernel] : blockKernels_) {
    placeWrapper(*kernel, *functionOf(id));
    names.insert(annotations_.nameOf(id));
  }
  return names;
}

void ModuleReader::makeKernels() {
  struct Uses {
    FunctionRange* range = nullptr;
    std::size_t entries = 0;
  };
  std::unordered_map<std::uint32_t, Uses> uses;  // of functions
  for (FunctionRange& range : functions_) uses[range.definition->result].range = &range;
  for (const EntryPoint& entry : annotations_.entryPoints()) ++uses[entry.function].entries;
  std::set<const llvm::Function*> called;  // an import may be what the module exports, too
  for (const Instruction& instruction : binary_.instructions)
    if (instruction.op == Op::FunctionCall || instruction.op == Op::ConstantFunctionPointerINTEL)
      called.insert(functionOf(instruction[0]));
  const std::set<std::string_view> blocks = placeBlocks();
  for (const EntryPoint& entry : annotations_.entryPoints()) {
    if (blockKernels_.contains(entry.function) || blocks.contains(entry.name)) continue;
    const auto [range, entries] = uses[entry.function];
    require(range && !range->body.empty(), *entry.instruction, "the id {} is not a function", entry.function);
    require(range->function->getReturnType()->isVoidTy(), *entry.instruction, "a kernel returns nothing");
    require(!entry.name.empty() && !entry.name.starts_with("llvm."), *entry.instruction,
            "'{}' cannot be a kernel's name", entry.name);
    if (isInitializer(*this, entry)) {
      addInitializer(*this, entry, *range->function);
      continue;
    }
    // A function of the same name: the kernel's own, or one that it calls.
    if (llvm::Function* const other = module_->getFunction(entry.name); other) {
      require(other->getCallingConv() != llvm::CallingConv::SPIR_KERNEL, *entry.instruction,
              "there are two kernels '{}'", entry.name);
      other->setName(kernelBodyPrefix + entry.name);
    }
    llvm::Function* kernel = range->function;
    if (entries > 1 || called.contains(range->function) || needsWrapper(*this, *range)) {
      kernel = wrapperOf(*this, entry, *range);
      if (!range->function->hasFnAttribute(llvm::Attribute::NoInline))
        range->function->addFnAttr(llvm::Attribute::AlwaysInline);
    } else {
      kernel->removeFnAttr(llvm::Attribute::AlwaysInline);
      kernel->setName(entry.name);
    }
    describeKernel(*this, entry, *range, *kernel);
  }
}

}  // namespace clarity::compiler::spirv
