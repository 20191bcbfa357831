// SPDX-License-Identifier: Apache-2.0
// This file is the back end of NVIDIA GPUs: kernel IR to PTX.
#include "compiler/ptx/nvptx_backend.h"

#include "builtins/nvptx/library.h"
#include "compiler/host/host_backend.h"
#include "compiler/host/processor.h"
#include "compiler/host/target.h"
#include "compiler/nvptx/capability.h"
#include "compiler/packets/packet_shape.h"
#include "compiler/pipeline/steps.h"
#include "compiler/ptx/emit_ptx.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace clarity::compiler {
namespace {

constexpr std::uint32_t warpSize[] = {32};

/// Kernel IR is made with the address spaces of portable IR, which NVPTX numbers otherwise: until the kernel is lowered
/// the passes get the cost tables of a processor with fused multiply-add, of which the lowered kernel knows nothing.
const Target& neutralTarget() {
  static const Target& target = *new Target(hostTarget("x86-64-v3"));
  return target;
}

/// OpenCL C's name of atomics to which those of the host and of other devices are atomic.
constexpr std::string_view allDevices = " __opencl_c_atomic_scope_all_devices";

class NvptxBackEnd final : public BackEnd {
public:
  std::string_view name() const override { return nvptxBackEndName; }
  std::vector<std::string> macros(const Target& target) const override {
    std::vector<std::string> fast = {"FP_FAST_FMAF=1", "FP_FAST_FMA=1"};
    if (nvptx::capabilityOf(target) >= nvptx::firstWithHalves) fast.emplace_back("FP_FAST_FMA_HALF=1");
    return fast;
  }
  std::uint32_t subGroupSize(const Target&) const override { return warpSize[0]; }
  std::span<const std::uint32_t> subGroupSizes(const Target&) const override { return warpSize; }
  VectorTarget vectors(const Target&, const llvm::TargetMachine&) const override {
    static const VectorTarget vectors =
        hostBackEnd().vectors(neutralTarget(), *hostBackEnd().machine(neutralTarget(), true));
    return vectors;
  }
  Machine machine(const Target&, bool optimise) const override {
    return hostBackEnd().machine(neutralTarget(), optimise);
  }
  void retarget(llvm::Module& module, const llvm::TargetMachine& machine, const Target&) const override {
    compiler::retarget(module, machine, neutralTarget());
  }
  bool hasScopes() const override { return true; }
  bool multipliesMatrices() const override { return true; }
  bool takesAssembly() const override { return true; }
  bool choosesAmongFloats() const override { return true; }
  std::string_view floatForm(std::string_view name, bool relaxed) const override {
    return builtins::nvptxFloatForm(name, relaxed);
  }
  std::string_view doubleForm(std::string_view name) const override { return builtins::nvptxDoubleForm(name); }
  std::string objectionTo(const KernelInfo& kernel, const Target& target) const override {
    return nvptx::objectionTo(kernel, target);
  }
  std::string remarks(const llvm::Module& module, const KernelInfo& kernel, const Options& options,
                      const Target&) const override {
    return exchangeRemark(*module.getFunction(kernel.name), kernel, options, "keep-warps-in-step");
  }

  std::unique_ptr<DeviceCode> generate(const KernelToGenerate& work, std::string& error) const override {
    auto code = std::make_unique<NvptxCode>();
    if (!nvptx::lower(work, *code, error)) return nullptr;
    code->ptx = nvptx::textOf(work.module, work, error);
    return code->ptx.empty() ? nullptr : std::move(code);
  }

  std::string show(const KernelToGenerate& work, NativeForm form, std::string& error) const override {
    NvptxCode code;
    if (!nvptx::lower(work, code, error)) return {};
    if (form != NativeForm::IR) return nvptx::textOf(work.module, work, error);
    std::string text;
    llvm::raw_string_ostream out(text);
    work.module.print(out, nullptr);
    return text;
  }

  std::string report(const KernelToGenerate& work) const override { return nvptx::report(work); }

  std::shared_ptr<DeviceCode> read(std::string_view bytes) const override {
    auto code = std::make_shared<NvptxCode>();
    return code->take(bytes) ? code : nullptr;
  }
};

}  // namespace

const BackEnd& nvptxBackEnd() {
  static const BackEnd& backEnd = *new NvptxBackEnd;  // threads may be compiling when the process ends
  return backEnd;
}

Target nvptxTarget(int major, int minor) {
  const nvptx::Capability known = nvptx::knownCapability(static_cast<nvptx::Capability>(10 * major + minor));
  Target target = neutralTarget();
  target.backEnd = nvptxBackEndName;
  target.cpu = fmt::format("sm_{}", known);
  target.extensions = hostExtensions();  // those of every processor
  target.features.clear();
  if (known < nvptx::firstWithSystemScope) {
    const std::size_t place = target.extensions.find(allDevices);
    if (place != std::string::npos) target.extensions.erase(place, allDevices.size());
  }
  return target;
}

}  // namespace clarity::compiler
