// SPDX-License-Identifier: Apache-2.0
// This file finds the literals of blocks and gives their kernels a form that outlives the parent.
#include "compiler/frontend/blocks.h"

#include "compiler/ir/attributes.h"
#include "compiler/ir/demangled_name.h"
#include "compiler/ir/locations.h"
#include "compiler/ir/primitives.h"

#include <fmt/format.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace clarity::compiler {
namespace {

/// The type of a block's literal. A literal has the address of its function, which is stored there or is part of the
/// constant.
llvm::Type* literalOf(llvm::Value& function) {
  for (llvm::User* const user : function.users()) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() != &function) continue;
      if (llvm::Type* const type = literalAt(*store->getPointerOperand())) return type;
    } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(user)) {
      return variable->getValueType();
    } else if (llvm::isa<llvm::Constant>(user) && !llvm::isa<llvm::Function>(user)) {
      if (llvm::Type* const type = literalOf(*user)) return type;
    }
  }
  return nullptr;
}

/// The literal of a block by a call that enqueues it, whose operand behind the kernel is the literal's address.
llvm::Type* literalInCalls(llvm::Value& kernel) {
  for (const llvm::Use& use : kernel.uses()) {
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser())) {
      const unsigned next = use.getOperandNo() + 1;
      llvm::Type* const type = next < call->arg_size() ? literalAt(*call->getArgOperand(next)) : nullptr;
      if (type) return type;
    } else if (llvm::isa<llvm::ConstantExpr>(use.getUser())) {
      if (llvm::Type* const type = literalInCalls(*use.getUser())) return type;
    }
  }
  return nullptr;
}

/// The function of a block, which its kernel calls; null if an optimiser has put it there.
llvm::Function* functionCalledBy(llvm::Function& kernel) {
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
    if (callee && !callee->isDeclaration() && callee->arg_size() == kernel.arg_size()) return callee;
  }
  return nullptr;
}

/// Whether a kernel takes the address of a literal and pointers to local memory, as blocks do.
bool takesLiteral(const llvm::Function& kernel) {
  if (kernel.arg_empty() || !kernel.getArg(0)->getType()->isPointerTy()) return false;
  return llvm::all_of(llvm::drop_begin(kernel.args()), [](const llvm::Argument& argument) {
    const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
    return pointer && pointer->getAddressSpace() == localAddressSpace;
  });
}

/// Makes a kernel of a block that takes its literal by value. False if there is no literal.
bool replaceKernel(llvm::Function& kernel) {
  if (!takesLiteral(kernel)) return false;
  llvm::Function* function = functionCalledBy(kernel);
  llvm::Type* literal = function ? literalOf(*function) : nullptr;
  if (!literal) {
    function = &kernel;
    literal = literalInCalls(kernel);
  }
  if (!literal) return false;
  const std::string name = nameOfBlock(std::string_view(kernel.getName()));
  llvm::Function& made = kernelOfBlock(*function, *literal, llvm::Align(8), name);
  kernel.replaceUsesWithIf(&made, [](const llvm::Use& use) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return !call || !call->isCallee(&use);
  });
  if (function == &kernel) {
    kernel.setCallingConv(llvm::CallingConv::SPIR_FUNC);
    kernel.setLinkage(llvm::GlobalValue::InternalLinkage);
    for (llvm::User* const caller : kernel.users())
      if (auto* const call = llvm::dyn_cast<llvm::CallBase>(caller)) call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  } else {
    kernel.eraseFromParent();
  }
  return true;
}

/// A pointer to a buffer that a block has captured.
struct Captured {
  llvm::Type* type;
  std::uint64_t offset;  ///< in the literal
};

std::vector<Captured> capturedBy(llvm::Type& literal, const llvm::DataLayout& layout) {
  std::vector<Captured> captured;
  auto* const structure = llvm::dyn_cast<llvm::StructType>(&literal);
  if (!structure) return captured;
  for (unsigned i = 0; i < structure->getNumElements(); ++i) {
    const auto* const pointer = llvm::dyn_cast<llvm::PointerType>(structure->getElementType(i));
    const unsigned space = pointer ? pointer->getAddressSpace() : 0;
    if (space == globalAddressSpace || space == constantAddressSpace)
      captured.push_back({structure->getElementType(i), layout.getStructLayout(structure)->getElementOffset(i)});
  }
  return captured;
}

/// Stores null in place of the function's address.
void forgetFunction(llvm::Value& address) {
  for (llvm::Use& use : llvm::make_early_inc_range(address.uses())) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(use.getUser());
    if (store && &use == &store->getOperandUse(0))
      use.set(llvm::Constant::getNullValue(address.getType()));
    else if (llvm::isa<llvm::ConstantExpr>(use.getUser()))
      forgetFunction(*use.getUser());
  }
}

}  // namespace

llvm::Type* literalAt(const llvm::Value& address) {
  const llvm::Value* const object = llvm::getUnderlyingObject(&address);
  llvm::Type* type = nullptr;
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(object)) type = variable->getAllocatedType();
  if (const auto* constant = llvm::dyn_cast<llvm::GlobalVariable>(object)) type = constant->getValueType();
  return type && type->isSized() ? type : nullptr;
}

llvm::Function& kernelOfBlock(llvm::Function& function, llvm::Type& literal, llvm::Align alignment,
                              const std::string& name) {
  llvm::LLVMContext& context = function.getContext();
  const std::vector<Captured> captured = capturedBy(literal, function.getDataLayout());
  llvm::SmallVector<llvm::Type*, 4> types(function.getFunctionType()->params());
  types.front() = llvm::PointerType::get(context, 0);
  for (const Captured& each : captured) types.push_back(each.type);
  auto* const kernel = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                                              llvm::GlobalValue::InternalLinkage, name, *function.getParent());
  kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  kernel->setConvergent();
  kernel->setDoesNotThrow();
  kernel->addFnAttr(blockAttribute);
  kernel->addParamAttr(0, llvm::Attribute::getWithByValType(context, &literal));
  kernel->addParamAttr(0, llvm::Attribute::getWithAlignment(context, alignment));
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", kernel));
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (unsigned i = 0; i < function.arg_size(); ++i)
    arguments.push_back(builder.CreateAddrSpaceCast(kernel->getArg(i), function.getArg(i)->getType()));
  if (!captured.empty()) {
    llvm::AllocaInst* const copy = builder.CreateAlloca(&literal);
    copy->setAlignment(alignment);
    builder.CreateMemCpy(copy, alignment, kernel->getArg(0), alignment,
                         function.getDataLayout().getTypeAllocSize(&literal).getFixedValue());
    for (unsigned i = 0; i < captured.size(); ++i) {
      llvm::Argument& pointer = *kernel->getArg(static_cast<unsigned>(function.arg_size()) + i);
      pointer.addAttr(llvm::Attribute::get(context, capturedAttribute, std::to_string(captured[i].offset)));
      builder.CreateAlignedStore(
          &pointer, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy, captured[i].offset), llvm::Align(1));
    }
    arguments.front() = builder.CreateAddrSpaceCast(copy, function.getArg(0)->getType());
  }
  auto* const call = builder.CreateCall(&function, arguments);
  call->setCallingConv(function.getCallingConv());
  call->setConvergent();
  builder.CreateRetVoid();
  placeWrapper(*kernel, function, kernel->getName());
  return *kernel;
}

std::string nameOfBlock(std::string_view function) {
  llvm::StringRef name(function);
  name.consume_front("__");
  const llvm::StringRef parent = name.substr(0, name.find("_block_invoke"));
  const std::string readable = demangledName(parent);
  return readable.substr(0, readable.find('(')) + ".block";
}

bool isBlock(const llvm::Function& function) { return function.hasFnAttribute(blockAttribute); }

bool isWellFormedBlock(const llvm::Function& kernel) {
  llvm::Type* const literal = kernel.arg_empty() ? nullptr : kernel.getParamByValType(0);
  if (!literal || !literal->isSized() || kernel.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) return false;
  const std::uint64_t bytes = kernel.getDataLayout().getTypeAllocSize(literal).getFixedValue();
  return llvm::all_of(llvm::drop_begin(kernel.args()), [&](const llvm::Argument& argument) {
    const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
    if (!pointer) return false;
    if (pointer->getAddressSpace() == localAddressSpace) return true;
    const llvm::Attribute captured = argument.getAttributes().getAttribute(capturedAttribute);
    std::uint64_t offset = 0;
    return captured.isValid() && !captured.getValueAsString().getAsInteger(10, offset) && offset <= bytes &&
           bytes - offset >= sizeof(std::uint64_t);
  });
}

bool takesBlock(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return name.starts_with("__enqueue_kernel_") || (name.starts_with("__get_kernel_") && name.ends_with("_impl"));
}

llvm::Function* blockOf(llvm::Value& operand) {
  auto* const function = llvm::dyn_cast<llvm::Function>(operand.stripPointerCasts());
  return function && function->getCallingConv() == llvm::CallingConv::SPIR_KERNEL ? function : nullptr;
}

std::string makeKernelsOfBlocks(llvm::Module& module) {
  llvm::SmallSetVector<llvm::Function*, 8> kernels;
  for (llvm::Function& function : module) {
    if (!takesBlock(function)) continue;
    for (llvm::User* const user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
        for (llvm::Use& operand : call->args())
          if (llvm::Function* const kernel = blockOf(*operand); kernel && !isBlock(*kernel)) kernels.insert(kernel);
  }
  for (llvm::Function* const kernel : kernels)
    if (!replaceKernel(*kernel))
      return fmt::format("'{}' is enqueued as a block, but no block's literal has its address",
                         demangledName(kernel->getName()));
  for (llvm::Function& function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) forgetFunction(function);
  return {};
}

void forgetFunctionsOfBlocks(llvm::Module& module) {
  for (llvm::Function& function : module) forgetFunction(function);
}

}  // namespace clarity::compiler
