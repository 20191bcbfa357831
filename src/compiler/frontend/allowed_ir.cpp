// SPDX-License-Identifier: Apache-2.0
// This file lists what is allowed: of LLVM's intrinsic functions those that passes and back ends know, so that a new
// one is refused until it has been added here.
#include "compiler/frontend/allowed_ir.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

namespace clarity::compiler {
namespace {

/// Private, global, constant, local, generic.
constexpr unsigned mostAddressSpace = 4;
constexpr unsigned mostIntegerBits = 128;
/// Division and conversion of wider integers are calls of a runtime library.
constexpr unsigned mostDivisibleBits = 64;

constexpr llvm::StringLiteral otherType = "an address space or a type that OpenCL does not have";

/// Base names without "llvm.". Those that end with '.' stand for all that begin so.
constexpr llvm::StringLiteral allowedIntrinsics[] = {
    // integers
    "abs", "bitreverse", "bswap", "ctlz", "ctpop", "cttz", "fshl", "fshr", "pext", "pdep", "sadd.", "scmp", "sdiv.fix",
    "smax", "smin", "smul.", "sshl.sat", "ssub.", "uadd.", "ucmp", "umax", "umin", "umul.", "ushl.sat", "usub.",
    // floating point
    "acos", "arithmetic.fence", "asin", "atan", "atan2", "canonicalize", "ceil", "convert.from.fp16", "convert.to.fp16",
    "copysign", "cos", "cosh", "exp", "exp10", "exp2", "fabs", "floor", "fma", "fmuladd", "fptosi.sat", "fptoui.sat",
    "frexp", "is.fpclass", "ldexp", "llrint", "llround", "log", "log10", "log2", "lrint", "lround", "maximum",
    "maximumnum", "maxnum", "minimum", "minimumnum", "minnum", "modf", "nearbyint", "pow", "powi", "rint", "round",
    "roundeven", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "trunc",
    // vectors and memory
    "masked.", "memcpy", "memcpy.inline", "memmove", "memset", "memset.inline", "prefetch", "vector.",
    // what helps the optimiser
    "annotation", "assume", "dbg.", "donothing", "expect", "expect.with.probability", "experimental.noalias.scope.decl",
    "fake.use", "invariant.end", "invariant.start", "is.constant", "launder.invariant.group", "lifetime.end",
    "lifetime.start", "objectsize", "ptr.annotation", "ptrmask", "sideeffect", "ssa.copy", "strip.invariant.group",
    "var.annotation",
    // the rest
    "debugtrap", "readcyclecounter", "trap", "ubsantrap"};

bool isAllowed(llvm::Intrinsic::ID intrinsic) {
  llvm::StringRef name = llvm::Intrinsic::getBaseName(intrinsic);
  name.consume_front("llvm.");
  return llvm::any_of(allowedIntrinsics, [&](llvm::StringRef allowed) {
    return allowed.ends_with(".") ? name.starts_with(allowed) : name == allowed;
  });
}

/// Whether the instruction becomes a call of a function that no device has.
bool needsWideIntegers(const llvm::Instruction& instruction) {
  const auto isWide = [](const llvm::Type& type) { return type.getScalarSizeInBits() > mostDivisibleBits; };
  switch (instruction.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI: return isWide(*instruction.getType());
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP: return isWide(*instruction.getOperand(0)->getType());
    default: return false;
  }
}

/// Whether clang gives an opaque type of OpenCL C these parameters.
bool isOfOpenCL(const llvm::TargetExtType& type) {
  static constexpr llvm::StringLiteral simple[] = {"spirv.Sampler", "spirv.Event", "spirv.Queue", "spirv.DeviceEvent",
                                                   "spirv.ReserveId"};
  constexpr unsigned mostAccess = 2, buffer = 5, most = 2;  // dimensions: 0 to 2 are 1D to 3D
  const llvm::ArrayRef<unsigned> numbers = type.int_params();
  if (type.getName() == "spirv.Pipe") return numbers.size() == 1 && numbers[0] <= mostAccess;
  if (type.getName() == "spirv.Image")
    return numbers.size() == 7 && (numbers[0] <= most || numbers[0] == buffer) && numbers[6] <= mostAccess;
  return llvm::is_contained(simple, type.getName());
}

bool isStatic(const llvm::AllocaInst& variable) { return variable.isStaticAlloca() && !variable.isUsedWithInAlloca(); }

std::string forbiddenInCall(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return {};
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee) {
    const bool isKnown = llvm::isa<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
    if (isKnown) return "calls of functions with other types than theirs";
    return call.getFunctionType()->isVarArg() ? "variable arguments" : "";
  }
  if (callee->isTargetIntrinsic())
    return fmt::format("'{}', which is specific to a processor", std::string_view(callee->getName()));
  if (callee->isIntrinsic() && !isAllowed(callee->getIntrinsicID()))
    return fmt::format("'{}', which OpenCL has no use for", std::string_view(callee->getName()));
  return {};
}

bool containsBlockAddress(const llvm::Value& value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (!constant || llvm::isa<llvm::GlobalValue>(constant)) return false;
  return llvm::isa<llvm::BlockAddress>(constant) ||
         llvm::any_of(constant->operands(), [](const llvm::Use& use) { return containsBlockAddress(*use); });
}

/// The attributes with a text that mean something here.
bool isKnownAttribute(llvm::StringRef name) {
  static constexpr llvm::StringLiteral known[] = {"approx-func-fp-math",
                                                  "correctly-rounded-divide-sqrt-fp-math",
                                                  "denormal-fp-math",
                                                  "denormal-fp-math-f32",
                                                  "frame-pointer",
                                                  "less-precise-fpmad",
                                                  "no-infs-fp-math",
                                                  "no-nans-fp-math",
                                                  "no-signed-zeros-fp-math",
                                                  "no-trapping-math",
                                                  "stack-protector-buffer-size",
                                                  "uniform-work-group-size",
                                                  "unsafe-fp-math"};
  return llvm::is_contained(known, name) || name.starts_with("clarity-");
}

void dropAttributesOf(llvm::Function& function) {
  static constexpr llvm::Attribute::AttrKind foreign[] = {llvm::Attribute::Naked,
                                                          llvm::Attribute::SafeStack,
                                                          llvm::Attribute::ShadowCallStack,
                                                          llvm::Attribute::StackProtect,
                                                          llvm::Attribute::StackProtectReq,
                                                          llvm::Attribute::StackProtectStrong,
                                                          llvm::Attribute::SanitizeAddress,
                                                          llvm::Attribute::SanitizeHWAddress,
                                                          llvm::Attribute::SanitizeMemory,
                                                          llvm::Attribute::SanitizeMemTag,
                                                          llvm::Attribute::SanitizeThread,
                                                          llvm::Attribute::FnRetThunkExtern,
                                                          llvm::Attribute::SpeculativeLoadHardening,
                                                          llvm::Attribute::ReturnsTwice,
                                                          llvm::Attribute::PresplitCoroutine,
                                                          llvm::Attribute::NoCfCheck,
                                                          llvm::Attribute::UWTable};
  llvm::AttributeMask dropped;
  for (const llvm::Attribute attribute : function.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute() && !isKnownAttribute(attribute.getKindAsString()))
      dropped.addAttribute(attribute);
  for (const llvm::Attribute::AttrKind kind : foreign) dropped.addAttribute(kind);
  function.removeFnAttrs(dropped);
  if (function.hasPrologueData()) function.setPrologueData(nullptr);
  if (function.hasPrefixData()) function.setPrefixData(nullptr);
  if (function.hasPersonalityFn()) function.setPersonalityFn(nullptr);
  function.clearGC();
}

/// Annotations say nothing to a device, and take the addresses of variables, which would keep them in memory.
void dropAnnotations(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const llvm::Intrinsic::ID intrinsic = function.getIntrinsicID();
    const bool returns = intrinsic == llvm::Intrinsic::annotation || intrinsic == llvm::Intrinsic::ptr_annotation;
    if (!returns && intrinsic != llvm::Intrinsic::var_annotation) continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      if (returns) call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    if (function.use_empty()) function.eraseFromParent();
  }
}

/// @param seen types that have been looked at: structures may have the same member many times over
bool isAllowed(const llvm::Type& type, llvm::SmallPtrSetImpl<const llvm::Type*>& seen) {
  const llvm::Type& scalar = *type.getScalarType();
  if (const auto* pointer = llvm::dyn_cast<llvm::PointerType>(&scalar))
    if (pointer->getAddressSpace() > mostAddressSpace) return false;
  if (scalar.isIntegerTy() && scalar.getIntegerBitWidth() > mostIntegerBits) return false;
  if (const auto* opaque = llvm::dyn_cast<llvm::TargetExtType>(&type)) return isOfOpenCL(*opaque);
  if (type.isStructTy() || type.isArrayTy())
    return !seen.insert(&type).second ||
           llvm::all_of(type.subtypes(), [&](const llvm::Type* part) { return isAllowed(*part, seen); });
  return !llvm::isa<llvm::ScalableVectorType>(type) && !scalar.isBFloatTy() && !scalar.isFP128Ty() &&
         !scalar.isX86_FP80Ty() && !scalar.isPPC_FP128Ty();
}

}  // namespace

bool isAllowed(const llvm::Type& type) {
  llvm::SmallPtrSet<const llvm::Type*, 8> seen;
  return isAllowed(type, seen);
}

std::string forbiddenIn(const llvm::Instruction& instruction) {
  if (instruction.isEHPad() || llvm::isa<llvm::InvokeInst, llvm::ResumeInst>(instruction)) return "exceptions";
  if (llvm::isa<llvm::IndirectBrInst, llvm::CallBrInst>(instruction)) return "jumps to computed addresses";
  if (llvm::isa<llvm::VAArgInst>(instruction)) return "variable arguments";
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
  if (variable && !isStatic(*variable)) return "memory on the stack whose size is not constant";
  if (!isAllowed(*instruction.getType())) return std::string(otherType);
  for (const llvm::Use& use : instruction.operands()) {
    if (!isAllowed(*use->getType())) return std::string(otherType);
    if (containsBlockAddress(*use)) return "addresses of labels";
  }
  if (needsWideIntegers(instruction)) return "division or conversion of integers of more than 64 bits";
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? forbiddenInCall(*call) : std::string();
}

std::string forbiddenIn(const llvm::Function& function) {
  if (function.isVarArg() && !function.isDeclaration()) return "variable arguments";
  if (!function.isIntrinsic() &&
      (!isAllowed(*function.getReturnType()) ||
       llvm::any_of(function.args(), [](const llvm::Argument& argument) { return !isAllowed(*argument.getType()); })))
    return std::string(otherType);
  return {};
}

std::string forbiddenIn(const llvm::Module& module) {
  if (!module.getModuleInlineAsm().empty()) return "assembly outside of functions";
  if (!module.alias_empty() || !module.ifunc_empty()) return "aliases";
  return {};
}

void dropForeignAttributes(llvm::Module& module) {
  dropAnnotations(module);
  for (const char* list : {"llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    if (llvm::GlobalVariable* variable = module.getNamedGlobal(list)) variable->eraseFromParent();
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getSection() != "llvm.metadata") variable.setSection("");  // that one is in no object
  for (llvm::Function& function : module) {
    function.setSection("");
    dropAttributesOf(function);
  }
  for (const char* name : {"llvm.linker.options", "llvm.dependent-libraries"})
    if (llvm::NamedMDNode* options = module.getNamedMetadata(name)) options->eraseFromParent();
}

}  // namespace clarity::compiler
