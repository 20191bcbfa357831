// SPDX-License-Identifier: Apache-2.0
// This file reads a body: blocks in the module's order, then the values of phi nodes and metadata of loops. Blocks are
// made when they are first mentioned; all other values precede their uses.
#include "compiler/spirv/function_reader.h"

#include "compiler/ir/demangled_name.h"
#include "compiler/ir/opaque_types.h"
#include "compiler/spirv/block_order.h"
#include "compiler/spirv/builtin_names.h"
#include "compiler/spirv/builtin_variables.h"
#include "compiler/spirv/debug_info.h"
#include "compiler/spirv/denormals.h"
#include "compiler/spirv/handlers.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>

namespace clarity::compiler::spirv {
namespace {

/// Instructions without effect on what a function computes.
bool isIgnored(Op op) {
  switch (op) {
    case Op::Nop:
    case Op::Line:
    case Op::NoLine:
    case Op::LifetimeStart:
    case Op::LifetimeStop:
    case Op::AliasDomainDeclINTEL:
    case Op::AliasScopeDeclINTEL:
    case Op::AliasScopeListDeclINTEL:
    case Op::SubgroupBlockPrefetchINTEL:
    case Op::UntypedPrefetchKHR:
    case Op::RestoreMemoryINTEL: return true;
    default: return false;
  }
}

}  // namespace

const HandlerTable& handlers() {
  static const HandlerTable table = [] {
    HandlerTable made{};
    for (void (*const add)(HandlerTable&) :
         {addArithmetic, addDotProducts, addComparisons, addConversions, addComposites, addMemory, addPointers,
          addControlFlow, addCalls, addAtomics, addBarriers, addGroups, addSubGroups, addImages, addPipes,
          addDeviceEnqueue, addExtended})
      add(made);
    return made;
  }();
  return table;
}

FunctionReader::FunctionReader(ModuleReader& module, const FunctionRange& range, DebugInfo* debug)
    : module_(module),
      range_(range),
      debug_(debug),
      builder_(module.context()),
      current_(range.definition),
      flushedWidths_(module.flushedWidths() | flushedByFunction(module.annotations(), range.definition->result)) {}

void FunctionReader::read() {
  for (unsigned i = 0; i < range_.parameters.size(); ++i)
    module_.setValue(range_.parameters[i].result, range_.function->getArg(i));
  for (const std::span<const Instruction> block : blocksInOrder(module_, range_.body))
    for (const Instruction& instruction : block) read(instruction);
  current_ = range_.definition;
  require(!builder_.GetInsertBlock(), *current_, "its last block has no terminator");
  fillPhis();
  attachLoopControls();
}

void FunctionReader::read(const Instruction& instruction) {
  current_ = &instruction;
  debug_->read(instruction);
  if (instruction.op == Op::Label) return begin(instruction);
  if (isIgnored(instruction.op)) return;
  require(builder_.GetInsertBlock() != nullptr, instruction, "it is not in a block");
  const auto code = static_cast<std::size_t>(instruction.op);
  const Handler handler = code < handlerCount ? handlers()[code] : nullptr;
  require(handler != nullptr, instruction, "this instruction is not supported");
  const Type* const type = module_.types().find(instruction.type);
  require(!type || type->parts <= mostParts, instruction, "its value has more than {} parts", mostParts);
  builder_.SetCurrentDebugLocation(debug_->location());
  flushedNow_ = flushedWidths_ != 0 && computes(instruction) ? flushedWidths_ : 0;
  llvm::Value* result = handler(*this);
  if (instruction.result == 0 || !result) return;
  result = flushed(*result);
  require(result->getType() == resultType().llvm, instruction, "its result has not the type {}", instruction.type);
  module_.setValue(instruction.result, result);
}

void FunctionReader::begin(const Instruction& label) {
  require(!builder_.GetInsertBlock(), label, "the block before it has no terminator");
  llvm::BasicBlock& begun = block(label.result);
  begun.moveAfter(&range_.function->back());
  label_ = label.result;
  builder_.SetInsertPoint(&begun);
}

llvm::BasicBlock& FunctionReader::block(std::uint32_t label) {
  llvm::BasicBlock*& block = blocks_[label];
  if (block) return *block;
  const Instruction& definition = module_.definitionOf(label, *current_);
  const bool isHere = &definition >= range_.body.data() && &definition < range_.body.data() + range_.body.size();
  require(definition.op == Op::Label && isHere, *current_, "the id {} is not a block of this function", label);
  // The function owns the block from now on, as the module may be refused ahead of it.
  block = llvm::BasicBlock::Create(context(), "", range_.function);
  return *block;
}

llvm::Value& FunctionReader::value(std::uint32_t id) {
  llvm::Value* value = module_.valueOf(id);
  if (!value) value = entryValue(id);
  // OpFunction declares no value: OpConstantFunctionPointerINTEL does.
  const bool isFunction =
      llvm::isa_and_nonnull<llvm::Function>(value) && module_.definitionOf(id, *current_).op == Op::Function;
  require(value != nullptr && !isFunction, *current_, "the id {} has no value here", id);
  const llvm::Function* home = nullptr;
  if (const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value)) home = instruction->getFunction();
  if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(value)) home = argument->getParent();
  require(!home || home == range_.function, *current_, "the id {} is a value of another function", id);
  return *value;
}

llvm::Value& FunctionReader::operand(std::size_t index) { return *flushed(value(current()[index])); }

llvm::Value* FunctionReader::flushed(llvm::Value& value) { return spirv::flushed(builder_, value, flushedNow_); }

void FunctionReader::flushWritten(llvm::Value& pointer, llvm::Type& type) {
  if (flushes(type)) flushInMemory(builder_, pointer, type, flushedNow_);
}

/// Builtin variables and constant samplers are calls, which a function makes where it begins.
llvm::Value* FunctionReader::entryValue(std::uint32_t id) {
  if (const auto found = entryValues_.find(id); found != entryValues_.end()) return found->second;
  const Instruction& definition = module_.definitionOf(id, *current_);
  llvm::Value* value = nullptr;
  if (definition.op == Op::ConstantSampler) {
    atEntry([&] { value = samplerOf(*this, definition); });
  } else if (definition.op == Op::Variable || definition.op == Op::UntypedVariableKHR) {
    if (const DecorationOf* const builtin = module_.annotations().find(id, Decoration::BuiltIn))
      atEntry([&] { value = builtinVariable(*this, definition, static_cast<BuiltIn>(builtin->parameters[0])); });
  }
  if (value) entryValues_[id] = value;
  return value;
}

void FunctionReader::atEntry(llvm::function_ref<void()> compute) {
  const llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  llvm::BasicBlock& entry = range_.function->getEntryBlock();
  builder_.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  compute();
}

llvm::AllocaInst* FunctionReader::variable(llvm::Type* type, const llvm::Twine& name) {
  llvm::BasicBlock& entry = range_.function->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  return builder.CreateAlloca(type, nullptr, name);
}

llvm::Type* FunctionReader::pointeeOf(const Type& pointer) const {
  if (pointer.isUntyped) return llvm::Type::getInt8Ty(pointer.llvm->getContext());
  require(pointer.isPointer() && pointer.element != 0, *current_, "the type {} is not a pointer", pointer.id);
  return module_.types().sized(pointer.element, *current_);
}

void FunctionReader::checkBuiltin(std::string_view mangledName, llvm::FunctionType& type) const {
  // lower-images replaces these.
  if (mangledName == samplerFunction || mangledName == readPipeOfStorage || mangledName == writePipeOfStorage) return;
  const std::string_view known = typeOfBuiltin(mangledName);
  if (known.empty()) refuse(*current_, "OpenCL C has no function {}", demangledName(llvm::StringRef(mangledName)));
  if (textOfBuiltin(type) != known)
    refuse(*current_, "its result or an operand has another type than in OpenCL C's {}",
           demangledName(llvm::StringRef(mangledName)));
}

llvm::CallInst* FunctionReader::call(std::string_view mangledName, llvm::Type* result,
                                     llvm::ArrayRef<llvm::Value*> arguments, Effect effect) {
  llvm::SmallVector<llvm::Type*, 4> parameters;
  for (const llvm::Value* const argument : arguments) parameters.push_back(argument->getType());
  auto* const type = llvm::FunctionType::get(result, parameters, false);
  if (!module_.module().getFunction(llvm::StringRef(mangledName))) checkBuiltin(mangledName, *type);
  llvm::FunctionCallee callee = module_.module().getOrInsertFunction(llvm::StringRef(mangledName), type);
  auto* const function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
  require(function && function->getFunctionType() == type, *current_, "the module defines '{}' otherwise", mangledName);
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->setConvergent();
  function->setDoesNotThrow();
  llvm::CallInst* const made = builder_.CreateCall(callee, arguments);
  made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  made->setConvergent();
  made->setDoesNotThrow();
  if (effect == Effect::Any) return made;
  const auto effects = effect == Effect::None ? llvm::MemoryEffects::none() : llvm::MemoryEffects::readOnly();
  made->setMemoryEffects(effects);
  made->addFnAttr(llvm::Attribute::WillReturn);
  function->setMemoryEffects(effects);
  function->setWillReturn();
  return made;
}

FunctionReader::SampledImage FunctionReader::sampledImage(std::uint32_t id) const {
  const auto found = sampledImages_.find(id);
  require(found != sampledImages_.end(), *current_, "the id {} is not a sampled image of this function", id);
  return found->second;
}

llvm::PHINode* FunctionReader::phi() {
  llvm::BasicBlock* const block = builder_.GetInsertBlock();
  llvm::IRBuilder<> builder(block, block->getFirstNonPHIIt());
  llvm::PHINode* const made = builder.CreatePHI(resultType().llvm, static_cast<unsigned>(current_->count() / 2));
  phis_.emplace_back(current_, made);
  return made;
}

/// LLVM wants one value for each edge, SPIR-V has one for each block.
void FunctionReader::fillPhis() {
  for (const auto& [instruction, phi] : phis_) {
    current_ = instruction;
    require(instruction->count() % 2 == 0, *instruction, "a value has no block");
    llvm::DenseMap<llvm::BasicBlock*, llvm::Value*> incoming;
    for (std::size_t i = 0; i < instruction->count(); i += 2) {
      llvm::Value& given = value((*instruction)[i]);
      require(given.getType() == phi->getType(), *instruction, "the value {} has another type", (*instruction)[i]);
      incoming[&block((*instruction)[i + 1])] = &given;
    }
    for (llvm::BasicBlock* const predecessor : llvm::predecessors(phi->getParent())) {
      const auto found = incoming.find(predecessor);
      require(found != incoming.end(), *instruction, "a block that leads here has no value");
      phi->addIncoming(found->second, predecessor);
    }
  }
}

void FunctionReader::setLoopControl(std::uint32_t header, std::uint32_t latch, llvm::MDNode* control) {
  loopControls_.push_back({header, latch, control});
}

void FunctionReader::attachLoopControls() {
  for (const LoopControlOf& loop : loopControls_) {
    const auto header = blocks_.find(loop.header), latch = blocks_.find(loop.latch);
    if (header == blocks_.end() || latch == blocks_.end()) continue;
    llvm::Instruction* const branch = latch->second->getTerminator();
    if (branch && llvm::is_contained(llvm::successors(latch->second), header->second))
      branch->setMetadata(llvm::LLVMContext::MD_loop, loop.control);
  }
}

llvm::Value* evaluate(ModuleReader& module, const Instruction& instruction,
                      const std::function<llvm::Constant*(llvm::Instruction&)>& fold) {
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.context()), false);
  FunctionRange range;
  range.definition = &instruction;
  range.function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "", module.module());
  llvm::BasicBlock* const block = llvm::BasicBlock::Create(module.context(), "", range.function);
  const auto code = static_cast<std::size_t>(instruction.op);
  const Handler handler = code < handlerCount ? handlers()[code] : nullptr;
  require(handler != nullptr, instruction, "this instruction is not supported");
  FunctionReader reader(module, range);
  reader.builder_.SetInsertPoint(block);
  llvm::WeakTrackingVH result = handler(reader);
  bool isFolded = true;
  for (llvm::Instruction& computed : llvm::make_early_inc_range(*block)) {
    llvm::Constant* const constant = fold(computed);
    if (!constant) {
      isFolded = false;
      break;
    }
    computed.replaceAllUsesWith(constant);
    computed.eraseFromParent();
  }
  llvm::Value* const value = isFolded ? static_cast<llvm::Value*>(result) : nullptr;
  range.function->eraseFromParent();
  return value;
}

}  // namespace clarity::compiler::spirv
