// SPDX-License-Identifier: Apache-2.0
// This file knows which arguments of functions of the builtin library have to be the same in all work-items.
#include "compiler/instrument/check_uniform.h"

#include "compiler/instrument/hooks.h"
#include "compiler/instrument/library_calls.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/collectives.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <array>
#include <string>

namespace clarity::compiler {
namespace {

/// Arguments of a function, from `first` on, by their names in the specification.
struct UniformArguments {
  llvm::StringRef function;  ///< the beginning of its name, if it ends with '*'
  unsigned first;
  std::array<llvm::StringRef, 5> names;
};
constexpr UniformArguments known[] = {
    {"barrier", 0, {"flags"}},
    {"work_group_barrier", 0, {"flags", "scope"}},
    {"sub_group_barrier", 0, {"flags", "scope"}},
    {"async_work_group_copy", 0, {"dst", "src", "num_gentypes"}},
    {"async_work_group_strided_copy", 0, {"dst", "src", "num_gentypes", "stride"}},
    {"async_work_group_copy_*", 0, {}},
    {"wait_group_events", 0, {"num_events"}},
    {"work_group_broadcast", 1, {"local_id_x", "local_id_y", "local_id_z"}},
    {"work_group_reserve_*", 1, {"num_packets"}},
    {"sub_group_broadcast", 1, {"sub_group_local_id"}},
    {"sub_group_reserve_*", 1, {"num_packets"}},
};

const UniformArguments* uniformArgumentsOf(llvm::StringRef name) {
  for (const UniformArguments& each : known)
    if (each.function == name || (each.function.ends_with("*") && name.starts_with(each.function.drop_back())))
      return &each;
  return nullptr;
}

/// The number of the work-item's sub-group, and 1: 0 stands for its work-group.
llvm::Value* subGroupOf(llvm::IRBuilder<>& builder) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee id = module.getOrInsertFunction(std::string(subGroupPrefix) + "id",
                                                       llvm::FunctionType::get(builder.getInt32Ty(), false));
  return builder.CreateAdd(builder.CreateCall(id), builder.getInt32(1));
}

void observe(llvm::CallInst& call, llvm::StringRef name, const UniformArguments& arguments,
             InstrumentedPlaces& places) {
  llvm::IRBuilder<> builder(&call);
  for (unsigned i = 0; i < arguments.names.size() && arguments.first + i < call.arg_size(); ++i) {
    llvm::Value* value = call.getArgOperand(arguments.first + i);
    llvm::Type* const type = value->getType();
    // The copies of two and three dimensions have more arguments than names here.
    const bool isNamed = !arguments.names[i].empty() || arguments.names[0].empty();
    if (!isNamed || llvm::isa<llvm::Constant>(value) || (!type->isPointerTy() && !type->isIntegerTy())) continue;
    Site site = siteAt(call, SiteKind::Barrier);
    site.variable =
        arguments.names[i].empty() ? "argument " + std::to_string(arguments.first + i) : arguments.names[i].str();
    site.elementBytes = type->isPointerTy() ? 1 : 0;
    value = type->isPointerTy() ? builder.CreatePtrToInt(value, builder.getInt64Ty())
                                : builder.CreateZExtOrTrunc(value, builder.getInt64Ty());
    llvm::Value* const group = name.starts_with("sub_group") ? subGroupOf(builder) : builder.getInt32(0);
    emitHook(builder, "__clarity_observe_uniform", {builder.getInt32(places.add(site)), group, value});
  }
}

}  // namespace

void checkUniform(llvm::Module& module, InstrumentedPlaces& places) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    llvm::SmallVector<llvm::CallInst*, 8> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction())
        calls.push_back(call);
    for (llvm::CallInst* call : calls) {
      const llvm::StringRef name = libraryName(*call->getCalledFunction());
      if (const UniformArguments* arguments = uniformArgumentsOf(name)) observe(*call, name, *arguments, places);
    }
  }
}

}  // namespace clarity::compiler
