// SPDX-License-Identifier: Apache-2.0
// This file writes SPIR-V by LLVM's own target (`clarity compile --emit spirv`). Programs are read by compiler/spirv.
#include "compiler/driver/inspect.h"
#include "compiler/guard/context.h"
#include "compiler/guard/worker.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/TargetSelect.h>

#include <mutex>
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
        if (!SPIRVTranslateModule(module->get(), to.bytes, to.error, extensions(), {})) to.bytes.clear();
        to.error += context.errors;
        if (!context.errors.empty()) to.bytes.clear();
      },
      status, log);
  if (!made) return {};
  if (!made->error.empty()) log += "error: LLVM wrote no SPIR-V: " + made->error + "\n";
  return made->bytes;
}

}  // namespace clarity::compiler
