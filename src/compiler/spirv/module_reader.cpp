// SPDX-License-Identifier: Apache-2.0
// This file reads what is at module scope, and finds the functions.
#include "compiler/spirv/module_reader.h"

#include "compiler/ir/primitives.h"
#include "compiler/spirv/debug_info.h"
#include "compiler/spirv/denormals.h"
#include "compiler/spirv/devicelib.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/kernels.h"
#include "compiler/spirv/names.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace clarity::compiler::spirv {
namespace {

std::unique_ptr<llvm::Module> emptyModule(llvm::LLVMContext& context) {
  auto module = std::make_unique<llvm::Module>("program.spv", context);
  const llvm::Triple triple("spir64-unknown-unknown");
  module->setTargetTriple(triple);
  // Without the widths of a processor's integers, as clang leaves them out.
  const std::string layout = triple.computeDataLayout();
  module->setDataLayout(layout.substr(0, layout.find("-n8:")) +
                        layout.substr(std::min(layout.find("-G"), layout.size())));
  // clang's: without the first one, LLVM drops all locations.
  module->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module->addModuleFlag(llvm::Module::Error, "wchar_size", 4);
  return module;
}

bool isLineOrInfo(Op op) {
  return op == Op::Line || op == Op::NoLine || op == Op::ExtInst || op == Op::ExtInstWithForwardRefsKHR;
}

}  // namespace

ModuleReader::ModuleReader(const Binary& binary, const Annotations& annotations,
                           std::span<const SpecializationValue> specialization, llvm::LLVMContext& context)
    : binary_(binary),
      annotations_(annotations),
      specialization_(specialization),
      module_(emptyModule(context)),
      types_(context, module_->getDataLayout(), annotations),
      definitions_(binary.bound),
      values_(binary.bound) {}

std::unique_ptr<llvm::Module> ModuleReader::read() {
  index();
  readScope();
  for (FunctionRange& range : functions_) declareFunction(range);
  for (const FunctionRange& range : functions_) defineDevicelib(*range.function);
  DebugInfo debug(*this, binary_);
  for (const FunctionRange& range : functions_) {
    if (range.body.empty()) continue;
    debug.begin(range, sourceNameOf(*range.definition));
    FunctionReader(*this, range, &debug).read();
    debug.end();
  }
  makeKernels();
  return std::move(module_);
}

void ModuleReader::index() {
  for (const Instruction& instruction : binary_.instructions) {
    if (instruction.result == 0) continue;
    const Instruction*& definition = definitions_[instruction.result];
    require(!definition, instruction, "the id {} is the result of instruction {}, too", instruction.result,
            definition ? definition->number : 0);
    definition = &instruction;
  }
}

void ModuleReader::readScope() {
  const std::span<const Instruction> all = binary_.instructions;
  const auto first = std::ranges::find(all, Op::Function, &Instruction::op);
  findFunctions(all.subspan(static_cast<std::size_t>(first - all.begin())));
  for (auto at = all.begin(); at != first; ++at) {
    if (Types::isType(at->op))
      types_.declare(*at, [&](std::uint32_t length) { return number(length, *at); });
    else if (at->op == Op::Variable || at->op == Op::UntypedVariableKHR)
      readVariable(*at);
    else if (at->type != 0 && !isLineOrInfo(at->op))
      readConstant(*at);
    else
      require(at->result == 0 || !nameOf(at->op).starts_with("OpType"), *at, "types of this kind are not supported");
  }
  readFastMathDefaults();
  flushedWidths_ = flushedByKernels(annotations_);
}

/// Kernels share functions, which may do what all of them permit (SPV_KHR_float_controls2).
void ModuleReader::readFastMathDefaults() {
  bool isFirst = true;
  for (const EntryPoint& entry : annotations_.entryPoints()) {
    std::map<const llvm::Type*, std::uint32_t> ofEntry;
    for (const ExecutionModeOf& mode : annotations_.modesOf(entry.function)) {
      if (mode.mode != ExecutionMode::FPFastMathDefault) continue;
      const Instruction& user = *mode.instruction;
      const Type& type = types_.at(mode.parameters[0], user);
      require(type.isFloat(), user, "the type {} is not a floating-point number", type.id);
      ofEntry[type.llvm] = static_cast<std::uint32_t>(number(mode.parameters[1], user));
    }
    if (std::exchange(isFirst, false)) fastMath_ = ofEntry;
    for (auto& [type, modes] : fastMath_) {
      const auto found = ofEntry.find(type);
      modes &= found == ofEntry.end() ? 0 : found->second;
    }
  }
}

std::uint32_t ModuleReader::fastMathOf(const llvm::Type& scalar) const {
  const auto found = fastMath_.find(&scalar);
  return found == fastMath_.end() ? 0 : found->second;
}

const Instruction& ModuleReader::definitionOf(std::uint32_t id, const Instruction& user) const {
  const Instruction* const definition = id < definitions_.size() ? definitions_[id] : nullptr;
  require(definition != nullptr, user, "no instruction has the result {}", id);
  return *definition;
}

const Type& ModuleReader::typeOf(std::uint32_t id, const Instruction& user) const {
  const Instruction& definition = definitionOf(id, user);
  if (definition.type == 0) refuse(user, "the id {} is not a value, it is the result of {}", id, nameOf(definition.op));
  return types_.at(definition.type, user);
}

llvm::Constant& ModuleReader::constant(std::uint32_t id, const Instruction& user) const {
  auto* const constant = llvm::dyn_cast_or_null<llvm::Constant>(valueOf(id));
  require(constant != nullptr, user, "the id {} is not a constant", id);
  return *constant;
}

std::uint64_t ModuleReader::number(std::uint32_t id, const Instruction& user) const {
  const auto* const integer = llvm::dyn_cast<llvm::ConstantInt>(&constant(id, user));
  require(integer && integer->getBitWidth() <= 64, user, "the id {} is not a constant integer", id);
  return integer->getZExtValue();
}

llvm::Function* ModuleReader::functionOf(std::uint32_t id) const {
  return llvm::dyn_cast_or_null<llvm::Function>(valueOf(id));
}

llvm::Type* ModuleReader::typeOfVariable(const Instruction& variable) const {
  const Type& pointer = types_.at(variable.type, variable);
  const bool isUntyped = variable.op == Op::UntypedVariableKHR;
  require(pointer.isPointer() && pointer.isUntyped == isUntyped, variable, "its type {} is not {} pointer",
          variable.type, isUntyped ? "an untyped" : "a");
  require(!isUntyped || variable.has(1), variable, "it does not say what it contains");
  return types_.sized(isUntyped ? variable[1] : pointer.element, variable);
}

/// The variable of an import or an export for which the module has another one; null for the first of its name.
llvm::GlobalVariable* ModuleReader::sharedVariable(const Linkage& linkage, const llvm::Type& type,
                                                   const Instruction& instruction) const {
  llvm::GlobalVariable* const known = module_->getNamedGlobal(linkage.name);
  if (!known || known->hasLocalLinkage()) return nullptr;
  require(known->getValueType() == &type && known->getType() == types_.at(instruction.type, instruction).llvm,
          instruction, "'{}' has another type elsewhere in the module", linkage.name);
  require(linkage.type == LinkageType::Import || known->isDeclaration(), instruction, "'{}' is defined twice",
          linkage.name);
  return known;
}

/// Variables decorated with BuiltIn have no memory: functions that use them ask for them (builtin_variables.h).
void ModuleReader::readVariable(const Instruction& instruction) {
  if (annotations_.has(instruction.result, Decoration::BuiltIn)) return;
  const Type& pointer = types_.at(instruction.type, instruction);
  require(pointer.isPointer(), instruction, "its type {} is not a pointer", instruction.type);
  const auto storage = instruction.as<StorageClass>(0);
  require(storage == pointer.storage, instruction, "its storage class is {}, that of its type {}", nameOf(storage),
          nameOf(pointer.storage));
  require(storage == StorageClass::UniformConstant || storage == StorageClass::CrossWorkgroup ||
              storage == StorageClass::Workgroup,
          instruction, "no variable at module scope is in the storage class {}", nameOf(storage));
  llvm::Type* const type = typeOfVariable(instruction);
  const std::size_t place = initialOf(instruction);
  llvm::Constant* initial = instruction.has(place) ? &constant(instruction[place], instruction) : nullptr;
  require(!initial || initial->getType() == type, instruction, "its initial value {} has another type",
          instruction.has(place) ? instruction[place] : 0);
  const Linkage* const linkage = annotations_.linkageOf(instruction.result);
  const bool isImported = linkage && linkage->type == LinkageType::Import;
  if (!initial && !isImported)
    initial = storage == StorageClass::Workgroup ? llvm::UndefValue::get(type) : llvm::Constant::getNullValue(type);
  if (linkage)
    if (llvm::GlobalVariable* const shared = sharedVariable(*linkage, *type, instruction)) {
      if (!isImported) shared->setInitializer(initial);
      return setValue(instruction.result, shared);
    }
  auto* const variable = new llvm::GlobalVariable(
      *module_, type, storage == StorageClass::UniformConstant, linkageOf(linkage), isImported ? nullptr : initial,
      linkage ? linkage->name : privateName(annotations_.nameOf(instruction.result), instruction.result), nullptr,
      llvm::GlobalValue::NotThreadLocal, addressSpaceOf(storage, instruction));
  llvm::Align alignment = layout().getABITypeAlign(type);
  if (const DecorationOf* const given = annotations_.find(instruction.result, Decoration::Alignment))
    alignment = std::max(alignment, alignmentOf(given->parameters[0], instruction));
  variable->setAlignment(alignment);
  setValue(instruction.result, variable);
}

/// A kernel's name, or that of a function.
std::string_view ModuleReader::sourceNameOf(const Instruction& function) const {
  if (const std::string_view name = annotations_.kernelNameOf(function.result); !name.empty()) return name;
  const Linkage* const linkage = annotations_.linkageOf(function.result);
  return linkage ? std::string_view(linkage->name) : annotations_.nameOf(function.result);
}

void ModuleReader::findFunctions(std::span<const Instruction> instructions) {
  for (std::size_t at = 0; at < instructions.size();) {
    const Instruction& definition = instructions[at];
    if (isLineOrInfo(definition.op)) {
      ++at;
      continue;
    }
    require(definition.op == Op::Function, definition, "it is outside of a function");
    const auto rest = instructions.subspan(at + 1);
    const auto end = std::ranges::find(rest, Op::FunctionEnd, &Instruction::op);
    require(end != rest.end(), definition, "the function has no OpFunctionEnd");
    const auto inside = rest.first(static_cast<std::size_t>(end - rest.begin()));
    const auto body =
        std::ranges::find_if(inside, [](const Instruction& instruction) { return instruction.op == Op::Label; });
    const auto count = static_cast<std::size_t>(body - inside.begin());
    const bool hasLine = &definition != binary_.instructions.data() && (&definition)[-1].op == Op::Line;
    FunctionRange& range =
        functions_.emplace_back(&definition, hasLine ? &definition - 1 : nullptr, inside.subspan(count));
    std::ranges::copy_if(inside.first(count), std::back_inserter(range.parameters),
                         [](const Instruction& instruction) { return !isLineOrInfo(instruction.op); });
    at += inside.size() + 2;
  }
}

}  // namespace clarity::compiler::spirv
