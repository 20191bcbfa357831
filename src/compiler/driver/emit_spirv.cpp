// SPDX-License-Identifier: Apache-2.0
// This file writes SPIR-V by LLVM's own target (`clarity compile --emit spirv`). Programs are read by compiler/spirv.
#include "compiler/driver/inspect.h"
#include "compiler/guard/context.h"
#include "compiler/guard/worker.h"
#include "compiler/ir/program_functions.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

// The SPIR-V target exports this function and has no header for it. `options` are those of its command line.
extern "C" bool SPIRVTranslateModule(llvm::Module* module, std::string& output, std::string& error,
                                     const std::vector<std::string>& extensions,
                                     const std::vector<std::string>& options);

namespace clarity::compiler {
namespace {

/// Extensions that the target may use, of those that the reader knows.
const std::vector<std::string>& extensions() {
  static const auto& all = *new std::vector<std::string>{"SPV_EXT_shader_atomic_float_add",
                                                         "SPV_EXT_shader_atomic_float_min_max",
                                                         "SPV_EXT_shader_atomic_float16_add",
                                                         "SPV_EXT_relaxed_printf_string_address_space",
                                                         "SPV_INTEL_bfloat16_conversion",
                                                         "SPV_INTEL_memory_access_aliasing",
                                                         "SPV_INTEL_split_barrier",
                                                         "SPV_INTEL_subgroups",
                                                         "SPV_KHR_bit_instructions",
                                                         "SPV_KHR_expect_assume",
                                                         "SPV_KHR_float_controls",
                                                         "SPV_KHR_integer_dot_product",
                                                         "SPV_KHR_linkonce_odr",
                                                         "SPV_KHR_no_integer_wrap_decoration",
                                                         "SPV_KHR_shader_clock",
                                                         "SPV_KHR_subgroup_rotate",
                                                         "SPV_KHR_uniform_group_instructions"};
  return all;
}

void registerTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
  });
}

/// LLVM 22 makes `x & 255` of an integer that is cut to eight bits and widened to another width than its own, and
/// forgets that its width changes.
void maskCutIntegers(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const wide = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
    auto* const cut = wide ? llvm::dyn_cast<llvm::TruncInst>(wide->getOperand(0)) : nullptr;
    if (!cut || cut->getType()->isIntOrIntVectorTy(1)) continue;
    llvm::IRBuilder<> builder(wide);
    llvm::Value* const value = builder.CreateZExtOrTrunc(cut->getOperand(0), wide->getType());
    const llvm::APInt mask =
        llvm::APInt::getLowBitsSet(wide->getType()->getScalarSizeInBits(), cut->getType()->getScalarSizeInBits());
    wide->replaceAllUsesWith(builder.CreateAnd(value, llvm::ConstantInt::get(wide->getType(), mask)));
    wide->eraseFromParent();
  }
}

/// A conversion between integers by its mangled name: "_Z17convert_uchar_sats", "_Z12convert_int4Dv4_h".
struct IntegerConversion {
  bool fromSigned, toSigned, saturates;
};

std::optional<IntegerConversion> integerConversionOf(llvm::StringRef name) {
  unsigned length = 0;
  if (!name.consume_front("_Z") || name.consumeInteger(10, length) || length > name.size()) return std::nullopt;
  llvm::StringRef function = name.take_front(length), source = name.drop_front(length);
  if (source.consume_front("Dv")) source = source.drop_until([](char each) { return each == '_'; }).drop_front();
  if (!function.consume_front("convert_") || source.size() != 1) return std::nullopt;
  const bool isSigned = llvm::StringRef("acsil").contains(source),
             isUnsigned = llvm::StringRef("htjm").contains(source);
  const bool toSigned = !function.consume_front("u");
  const bool isInteger = function.starts_with("char") || function.starts_with("short") || function.starts_with("int") ||
                         function.starts_with("long");
  if (!isInteger || (!isSigned && !isUnsigned)) return std::nullopt;
  return IntegerConversion{isSigned, toSigned, function.contains("_sat")};
}

/// The nearest number that the type has.
llvm::Value* saturated(llvm::IRBuilder<>& builder, llvm::Value* value, const llvm::Type& to, IntegerConversion how) {
  llvm::Type* const from = value->getType();
  const unsigned bits = from->getScalarSizeInBits(), toBits = to.getScalarSizeInBits();
  const unsigned valueBits = bits - how.fromSigned, toValueBits = toBits - how.toSigned;  // without those of signs
  const auto constant = [&](const llvm::APInt& number) { return llvm::ConstantInt::get(from, number); };
  if (how.fromSigned && !how.toSigned)
    value = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, constant(llvm::APInt::getZero(bits)));
  if (how.fromSigned && how.toSigned && toBits < bits)
    value = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value,
                                          constant(llvm::APInt::getSignedMinValue(toBits).sext(bits)));
  if (toValueBits < valueBits)
    value = builder.CreateBinaryIntrinsic(how.fromSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, value,
                                          constant(llvm::APInt::getLowBitsSet(bits, toValueBits)));
  return value;
}

/// LLVM 22 writes the functions that convert integers to integers as if their operand had the other sign than their
/// result.
void makeConversions(llvm::Module& module) {
  for (llvm::Function& function : module) {
    const std::optional<IntegerConversion> how = integerConversionOf(function.getName());
    if (!how || !function.isDeclaration() || function.arg_size() != 1) continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      llvm::IRBuilder<> builder(call);
      llvm::Value* value = call->getArgOperand(0);
      if (how->saturates) value = saturated(builder, value, *call->getType(), *how);
      call->replaceAllUsesWith(builder.CreateIntCast(value, call->getType(), how->fromSigned));
      call->eraseFromParent();
    }
  }
}

/// LLVM 22 writes vloada_half3(offset, p) as vload_half3(offset, p), which reads from p + 3 * offset. Here it becomes
/// vload_half3(0, p + 4 * offset).
void makeAlignedLoads(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    llvm::StringRef parameters = function.getName();
    if (!parameters.consume_front("_Z12vloada_half3") || function.arg_size() != 2) continue;
    llvm::FunctionCallee plain =
        module.getOrInsertFunction(("_Z11vload_half3" + parameters).str(), function.getFunctionType());
    llvm::cast<llvm::Function>(plain.getCallee())->copyAttributesFrom(&function);
    for (llvm::User* const user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      llvm::IRBuilder<> builder(call);
      llvm::Value* const first = builder.CreateShl(call->getArgOperand(0), 2);
      call->setArgOperand(1, builder.CreateGEP(builder.getHalfTy(), call->getArgOperand(1), first));
      call->setArgOperand(0, llvm::ConstantInt::get(first->getType(), 0));
      call->setCalledFunction(plain);
    }
  }
}

/// Puts variables into registers and the bodies of kernels, which clang keeps in functions of their own, into these:
/// the target finds the types that pointers point to by their uses.
void showTypes(llvm::Module& module) {
  llvm::SmallVector<llvm::Function*, 8> unused;
  for (llvm::Function& kernel : module) {
    if (kernel.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) continue;
    llvm::Function* const body = module.getFunction((kernelBodyPrefix + kernel.getName()).str());
    if (!body || body->isDeclaration()) continue;
    llvm::SmallVector<llvm::CallInst*, 1> calls;
    for (llvm::User* const user : body->users())
      if (auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
          call && call->getFunction() == &kernel && call->getCalledFunction() == body)
        calls.push_back(call);
    for (llvm::CallInst* const call : calls) {
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*call, info);
    }
    if (body->use_empty()) unused.push_back(body);
  }
  for (llvm::Function* const body : unused) body->eraseFromParent();
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::SmallVector<llvm::AllocaInst*, 16> variables;
    for (llvm::Instruction& instruction : function.getEntryBlock())
      if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable && llvm::isAllocaPromotable(variable))
        variables.push_back(variable);
    llvm::DominatorTree dominators(function);
    llvm::PromoteMemToReg(variables, dominators);
  }
}

/// LLVM 22 takes a variable whose address a call takes for one element of the type that the function accesses: an array
/// that asynchronous copies alone read and write would have one element. Here calls get the address of the first
/// element by an instruction, which has the array's type.
void showArrays(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.getValueType()->isArrayTy()) continue;
    llvm::SmallVector<llvm::Use*, 8> uses;
    for (llvm::Use& use : variable.uses())
      if (auto* const call = llvm::dyn_cast<llvm::CallInst>(use.getUser()); call && call->isArgOperand(&use))
        uses.push_back(&use);
    llvm::Value* const zero = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), 0);
    for (llvm::Use* const use : uses) {
      auto* const call = llvm::cast<llvm::CallInst>(use->getUser());
      use->set(llvm::GetElementPtrInst::CreateInBounds(variable.getValueType(), &variable, {zero, zero}, "",
                                                       call->getIterator()));
    }
  }
}

/// LLVM 22 writes OpConstantNull of an event with an operand too many.
std::string trimmed(const std::string& bytes) {
  constexpr std::size_t header = 5;
  constexpr std::uint32_t constantNull = 46, wordsOfConstantNull = 3;
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t)), kept;
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  if (words.size() < header) return bytes;
  kept.assign(words.begin(), words.begin() + header);
  for (std::size_t at = header; at < words.size();) {
    const std::size_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return bytes;
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
    const bool isLong = (words[at] & 0xffff) == constantNull && count > wordsOfConstantNull;
    if (isLong) words[at] = wordsOfConstantNull << 16 | constantNull;
    kept.insert(kept.end(), begin, begin + static_cast<std::ptrdiff_t>(isLong ? wordsOfConstantNull : count));
    at += count;
  }
  return {reinterpret_cast<const char*>(kept.data()), kept.size() * sizeof(std::uint32_t)};
}

}  // namespace

std::string spirvOf(const CompiledProgram& compiled, std::string& log) {
  struct Made {
    std::string bytes, error;
  };
  Status status;
  const auto made = makeGuarded<Made>(
      [&](Made& to) {
        registerTarget();
        CollectingContext context;
        const llvm::MemoryBufferRef bitcode(llvm::StringRef(compiled.bitcode), "compiled");
        auto module = llvm::parseBitcodeFile(bitcode, context);
        if (!module) {
          to.error = llvm::toString(module.takeError());
          return;
        }
        (*module)->setTargetTriple(llvm::Triple("spirv64-unknown-unknown"));
        makeConversions(**module);
        makeAlignedLoads(**module);
        showTypes(**module);
        showArrays(**module);
        for (llvm::Function& function : **module) maskCutIntegers(function);
        if (!SPIRVTranslateModule(module->get(), to.bytes, to.error, extensions(), {})) to.bytes.clear();
        to.error += context.errors;
        if (!context.errors.empty()) to.bytes.clear();
      },
      status, log);
  if (!made) return {};
  if (!made->error.empty()) log += "error: LLVM wrote no SPIR-V: " + made->error + "\n";
  return trimmed(made->bytes);
}

}  // namespace clarity::compiler
