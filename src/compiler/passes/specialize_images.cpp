// SPDX-License-Identifier: Apache-2.0
// This file copies functions of the builtin library for the formats and samplers of a shape, and inlines them.
#include "compiler/passes/specialize_images.h"

#include "compiler/ir/image_descriptor.h"
#include "compiler/ir/primitives.h"
#include "compiler/transforms/descriptor_members.h"
#include "compiler/transforms/normalised_integers.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <optional>

namespace clarity::compiler {
namespace {

bool isImage(const llvm::Value& value) {
  return value.getType()->isPointerTy() && value.getType()->getPointerAddressSpace() == constantAddressSpace;
}

/// The functions that have a form for each format: those of programs, and those that access a texel.
bool isImageFunction(const llvm::Function& function) {
  if (function.isDeclaration() || function.arg_empty() || !isImage(*function.getArg(0))) return false;
  llvm::StringRef name = function.getName();
  name.consume_front("cl.");  // library_names.h
  if (name.starts_with("__clarity_image_")) return true;
  std::size_t length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length)) return false;
  const llvm::StringRef base = name.take_front(length);
  return base == "read_imagef" || base == "read_imagei" || base == "read_imageui" || base == "read_imageh" ||
         base == "write_imagef" || base == "write_imagei" || base == "write_imageui" || base == "write_imageh";
}

/// Nothing writes an image that is read only while a kernel runs (OpenCL C 3.0, section 6.8).
bool isReadOnly(const llvm::Function& function) { return function.getName().contains("_ro"); }

class Specializer {
public:
  Specializer(llvm::Function& kernel, llvm::ArrayRef<ImageFacts> images, llvm::FunctionAnalysisManager& analyses)
      : kernel_(kernel), images_(images), analyses_(analyses) {}

  /// Whether anything has changed.
  bool run() {
    std::vector<Known> known(kernel_.arg_size());
    for (const ImageFacts& image : images_)
      if (image.argument < known.size()) known[image.argument] = image;
    bool changed = false;
    for (llvm::Argument& argument : kernel_.args()) {
      const Known& facts = known[argument.getArgNo()];
      if (facts && isImage(argument)) changed |= foldMembers(argument, *facts);
      if (facts && argument.getType()->isIntegerTy(64) && !argument.use_empty()) {
        argument.replaceAllUsesWith(llvm::ConstantInt::get(argument.getType(), facts->sampler));
        changed = true;
      }
    }
    changed |= inlineCalls(kernel_, known, false);
    for (const auto& [key, copy] : copies_) {
      analyses_.clear(*copy, copy->getName());
      if (copy->use_empty()) copy->eraseFromParent();
    }
    return changed;
  }

private:
  using Known = std::optional<ImageFacts>;
  using Key = std::tuple<llvm::Function*, std::vector<Known>, bool>;

  /// Replaces the calls in a function, of whose parameters so much is known, by what the called functions do.
  bool inlineCalls(llvm::Function& caller, const std::vector<Known>& known, bool readOnly) {
    llvm::SmallVector<llvm::CallInst*, 16> calls;
    for (llvm::Instruction& instruction : llvm::instructions(caller))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() && isImageFunction(*call->getCalledFunction()))
        calls.push_back(call);
    bool changed = false;
    for (llvm::CallInst* call : calls) {
      std::vector<Known> facts = factsOf(*call, known);
      if (!facts[0]) continue;
      llvm::Function& callee = *call->getCalledFunction();
      call->setCalledFunction(&specialized(callee, std::move(facts), readOnly || isReadOnly(callee)));
      llvm::InlineFunctionInfo info;
      changed |= llvm::InlineFunction(*call, info).isSuccess();
    }
    return changed;
  }

  std::vector<Known> factsOf(const llvm::CallInst& call, const std::vector<Known>& known) const {
    std::vector<Known> facts(call.arg_size());
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      const llvm::Value* value = call.getArgOperand(i);
      if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value); argument && isImage(*argument))
        facts[i] = known[argument->getArgNo()];
      // A sampler is the second parameter; what else is an integer of 64 bits is one of a place.
      if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
          constant && value->getType()->isIntegerTy(64))
        facts[i] = ImageFacts{.sampler = constant->getZExtValue()};
    }
    return facts;
  }

  llvm::Function& specialized(llvm::Function& function, std::vector<Known> facts, bool readOnly) {
    const auto [found, isNew] = copies_.try_emplace(Key(&function, facts, readOnly), nullptr);
    if (!isNew) return *found->second;
    llvm::ValueToValueMapTy map;
    llvm::Function& copy = *llvm::CloneFunction(&function, map);
    found->second = &copy;
    copy.setLinkage(llvm::GlobalValue::InternalLinkage);
    copy.removeFnAttr(llvm::Attribute::NoInline);
    for (llvm::Argument& argument : copy.args()) {
      const Known& known = facts[argument.getArgNo()];
      if (!known) continue;
      if (isImage(argument))
        foldMembers(argument, *known);
      else
        argument.replaceAllUsesWith(llvm::ConstantInt::get(argument.getType(), known->sampler));
    }
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SCCPPass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.run(copy, analyses_);
    if (readOnly) markInvariant(copy);
    inlineCalls(copy, facts, readOnly);
    return copy;
  }

  static void markInvariant(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && load->getPointerAddressSpace() == globalAddressSpace)
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
  }

  llvm::Function& kernel_;
  llvm::ArrayRef<ImageFacts> images_;
  llvm::FunctionAnalysisManager& analyses_;
  std::map<Key, llvm::Function*> copies_;
};

}  // namespace

llvm::PreservedAnalyses SpecializeImagesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  llvm::Function* function = module.getFunction(kernel);
  if (!function || llvm::none_of(function->args(), [](const llvm::Argument& argument) { return isImage(argument); }))
    return llvm::PreservedAnalyses::all();
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  Specializer(*function, images, functions).run();
  keepNormalisedIntegers(*function);
  passMembers(*function);
  return llvm::PreservedAnalyses::none();
}

}  // namespace clarity::compiler
