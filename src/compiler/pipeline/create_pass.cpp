// SPDX-License-Identifier: Apache-2.0
// This file creates passes by their names. It includes every pass, through a list that CMake makes of the headers in
// passes/, nvptx/ and workarounds/.
#include "compiler/pipeline/create_pass.h"

#include "compiler/analysis/affine.h"
#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/guard_facts.h"
#include "compiler/analysis/no_wrap.h"
#include "compiler/analysis/variance.h"
#include "compiler/ir/backend.h"
#include "compiler/ir/cost_model.h"
#include "compiler/nvptx/capability.h"
#include "compiler/pipeline/every_pass.h"
#include "compiler/pipeline/pipeline.h"
#include "compiler/pipeline/state.h"
#include "compiler/pipeline/steps.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/IPO/ModuleInliner.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>
#include <array>
#include <type_traits>

namespace clarity::compiler {
namespace {

/// A string as a template argument.
template <std::size_t Size>
struct Name {
  constexpr Name(const char (&text)[Size]) { std::copy_n(text, Size, chars.begin()); }  // NOLINT: implicit
  std::array<char, Size> chars{};
};

/// A step that is a function of the compile's state.
template <Name StepName, auto Run>
struct ModuleStep : llvm::PassInfoMixin<ModuleStep<StepName, Run>> {
  static llvm::StringRef name() { return {StepName.chars.data(), StepName.chars.size() - 1}; }
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    if (llvm::Error error = call(module, analyses)) state.error = llvm::toString(std::move(error));
    return llvm::PreservedAnalyses::none();
  }
  llvm::Error call(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    if constexpr (std::is_invocable_v<decltype(Run), PipelineState&, llvm::Module&, llvm::ModuleAnalysisManager&>)
      return Run(state, module, analyses);
    else
      return Run(state, module);
  }
  PipelineState& state;
};

template <Name StepName, auto Run>
struct KernelStep : llvm::PassInfoMixin<KernelStep<StepName, Run>> {
  static llvm::StringRef name() { return {StepName.chars.data(), StepName.chars.size() - 1}; }
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    return Run(state, function, analyses);
  }
  PipelineState& state;
};

/// LLVM's indvars for all loops but those over tiles that other loops are in. The writer of the nest gave these
/// counters their simplest form, and scalar evolution takes long for what depends on several of them.
struct IndVarsButAroundTiles : llvm::PassInfoMixin<IndVarsButAroundTiles> {
  static llvm::StringRef name() { return llvm::IndVarSimplifyPass::name(); }
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                              llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater) {
    if (!loop.isInnermost() && llvm::findOptionMDForLoop(&loop, "llvm.loop.isvectorized"))
      return llvm::PreservedAnalyses::all();
    return llvm::IndVarSimplifyPass().run(loop, analyses, results, updater);
  }
};

/// LLVM's own pipeline for a level. Its vectorisers are for what has no packets, with what the loops say about
/// independence.
void addDefault(llvm::ModulePassManager& passes, std::string_view level, const PipelineState& state) {
  llvm::PipelineTuningOptions tuning;
  if (state.target.backEnd == nvptxBackEndName) {
    // It makes versions for neighbouring elements in neighbouring iterations, which threads seldom access, and says
    // that other loops shall not be unrolled (unroll-loads).
    tuning.LoopVectorization = tuning.LoopInterleaving = false;
  } else {
    tuning.LoopUnrolling = (state.conditions & LevelO3) != 0;
    tuning.LoopVectorization = tuning.SLPVectorization =
        (state.conditions & LevelO3) && !state.allInPackets && state.mayUsePackets();
  }
  llvm::PassBuilder builder(&state.machine, tuning);
  if (tuning.LoopVectorization)
    builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& vectorisers, llvm::OptimizationLevel) {
      vectorisers.addPass(MaskedIndicesPass());
    });
  if (level == "default<O0>")
    passes.addPass(builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0));
  else
    passes.addPass(builder.buildPerModuleDefaultPipeline(level == "default<O1>" ? llvm::OptimizationLevel::O1
                                                                                : llvm::OptimizationLevel::O3));
}

/// Three sizes, as "16x16x1"; those behind the last are 1.
template <class Number>
bool parseSizes(llvm::StringRef text, std::array<Number, 3>& sizes) {
  llvm::SmallVector<llvm::StringRef, 3> parts;
  text.split(parts, 'x');
  for (unsigned d = 0; d < 3; ++d) {
    sizes[d] = 1;
    if (d < parts.size() && parts[d].getAsInteger(10, sizes[d])) return false;
  }
  return parts.size() <= 3;
}

/// "share-local-memory<2>": one number for a pass
template <class Number>
bool parseNumber(llvm::StringRef name, llvm::StringRef pass, Number& number) {
  return name.consume_front(pass) && name.consume_front("<") && name.consume_back(">") &&
         !name.getAsInteger(10, number);
}

/// "specialize-shape<16x16x1>"
bool parseShape(llvm::StringRef name, Shape& shape) {
  return name.consume_front("specialize-shape<") && name.consume_back(">") && parseSizes(name, shape.local);
}

/// "specialize-arguments<0=3E8;2=3F000000>": the bits of arguments, hexadecimal.
bool parseConstants(llvm::StringRef name, std::vector<ConstantArgument>& constants) {
  if (!name.consume_front("specialize-arguments<") || !name.consume_back(">")) return false;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  name.split(parts, ';');
  for (llvm::StringRef part : parts) {
    ConstantArgument& constant = constants.emplace_back();
    if (part.consumeInteger(10, constant.argument) || !part.consume_front("=") || part.getAsInteger(16, constant.bits))
      return false;
  }
  return true;
}

/// "specialize-images<k;0=10B5:10D2:4;1=s22>": a kernel; argument 0 is an image of an order, a type and so many bytes a
/// texel, all offsets within int; argument 1 is a sampler of these bits. Numbers are hexadecimal.
bool parseImages(llvm::StringRef name, std::string& kernel, std::vector<ImageFacts>& images) {
  if (!name.consume_front("specialize-images<") || !name.consume_back(">")) return false;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  name.split(parts, ';');
  kernel = parts[0].str();
  for (llvm::StringRef part : llvm::drop_begin(parts)) {
    ImageFacts facts{.offsetsFitInt = true};
    if (part.consumeInteger(10, facts.argument) || !part.consume_front("=")) return false;
    const bool isImage = !part.consume_front("s");
    if (isImage && (part.consumeInteger(16, facts.order) || !part.consume_front(":") ||
                    part.consumeInteger(16, facts.type) || !part.consume_front(":")))
      return false;
    if (isImage ? part.getAsInteger(16, facts.texelBytes) : part.getAsInteger(16, facts.sampler)) return false;
    images.push_back(facts);
  }
  return true;
}

/// "prepare-inlining<5000>": instructions of a kernel
bool parseInlining(llvm::StringRef name, unsigned& most) { return parseNumber(name, "prepare-inlining", most); }

/// "packets<8x1x4>": lanes, packets, rows
bool parsePackets(llvm::StringRef name, PacketsPass::Options& options) {
  if (!name.consume_front("packets<") || !name.consume_back(">")) return false;
  llvm::SmallVector<llvm::StringRef, 3> sizes;
  name.split(sizes, 'x');
  unsigned* const places[] = {&options.lanes, &options.packets, &options.rows};
  options.packets = options.rows = 1;
  for (unsigned i = 0; i < sizes.size() && i < 3; ++i)
    if (sizes[i].getAsInteger(10, *places[i])) return false;
  return sizes.size() <= 3;
}

/// "coarsen<4x1x1;32x1x1>": work-items of a thread, and how far their ids are apart
bool parseCells(llvm::StringRef name, nvptx::Cells& cells) {
  if (!name.consume_front("coarsen<") || !name.consume_back(">")) return false;
  const auto [count, apart] = name.split(';');
  return parseSizes(count, cells.count) && parseSizes(apart, cells.apart);
}

/// A pass of passes.def. Constructors there may name `machine`, `vectors`, `printed` and `capability`.
bool addOurs(llvm::FunctionPassManager& passes, llvm::StringRef name,
             [[maybe_unused]] const llvm::TargetMachine& machine, [[maybe_unused]] const VectorTarget& vectors,
             [[maybe_unused]] nvptx::Capability capability, [[maybe_unused]] llvm::raw_ostream& printed) {
#define CLARITY_FUNCTION_PASS(NAME, CREATE, TEXT) \
  if (name == NAME) {                             \
    passes.addPass(CREATE);                       \
    return true;                                  \
  }
#include "compiler/pipeline/passes.def"
  return false;
}

bool addOurs(llvm::ModulePassManager& passes, llvm::StringRef name, [[maybe_unused]] nvptx::Capability capability,
             [[maybe_unused]] llvm::raw_ostream& printed) {
#define CLARITY_MODULE_PASS(NAME, CREATE, TEXT) \
  if (name == NAME) {                           \
    passes.addPass(CREATE);                     \
    return true;                                \
  }
#include "compiler/pipeline/passes.def"
  return false;
}

}  // namespace

void addStep(llvm::ModulePassManager& passes, std::string_view pass, PipelineState& state, llvm::PassBuilder& builder) {
#define CLARITY_MODULE_STEP(NAME, FUNCTION, TEXT) \
  if (pass == NAME) return passes.addPass(ModuleStep<NAME, FUNCTION>{{}, state});
#define CLARITY_MODULE_STATE_PASS(NAME, CREATE) \
  if (pass == NAME) return passes.addPass(CREATE);
#include "compiler/pipeline/steps.def"
  if (pass == "inline")
    return passes.addPass(llvm::ModuleInlinerWrapperPass(llvm::getInlineParams(cost::budget::inlineThreshold)));
  if (pass.starts_with("default<")) return addDefault(passes, pass, state);
  if (!addOurs(passes, llvm::StringRef(pass), nvptx::leastCapability, llvm::nulls()))
    llvm::cantFail(builder.parsePassPipeline(passes, llvm::StringRef(pass)));
}

void addStep(llvm::FunctionPassManager& passes, std::string_view pass, PipelineState& state,
             llvm::PassBuilder& builder) {
#define CLARITY_KERNEL_STEP(NAME, FUNCTION, TEXT) \
  if (pass == NAME) return passes.addPass(KernelStep<NAME, FUNCTION>{{}, state});
#define CLARITY_STATE_PASS(NAME, CREATE) \
  if (pass == NAME) return passes.addPass(CREATE);
#include "compiler/pipeline/steps.def"
  if (!addOurs(passes, llvm::StringRef(pass), state.machine, state.vectors, nvptx::leastCapability, llvm::nulls()))
    llvm::cantFail(builder.parsePassPipeline(passes, llvm::StringRef(pass)));
}

void registerPasses(llvm::PassBuilder& builder, const llvm::TargetMachine& machine, const VectorTarget& vectors,
                    nvptx::Capability capability, llvm::raw_ostream& printed) {
  using Elements = llvm::ArrayRef<llvm::PassBuilder::PipelineElement>;
  builder.registerAnalysisRegistrationCallback(
      [](llvm::FunctionAnalysisManager& analyses) { registerAnalyses(analyses); });
  builder.registerPipelineParsingCallback(
      [&machine, &printed, vectors, capability](llvm::StringRef name, llvm::FunctionPassManager& passes, Elements) {
        if (Shape shape; parseShape(name, shape)) {
          passes.addPass(SpecializeShapePass(shape));
          return true;
        }
        if (std::vector<ConstantArgument> constants; parseConstants(name, constants)) {
          passes.addPass(SpecializeArgumentsPass(constants));
          return true;
        }
        if (PacketsPass::Options options{.target = vectors}; name == "packets" || parsePackets(name, options)) {
          passes.addPass(PacketsPass(options));
          return true;
        }
        if (nvptx::Cells cells; parseCells(name, cells)) {
          passes.addPass(nvptx::CoarsenPass(cells));
          return true;
        }
        if (unsigned cells = 0; parseNumber(name, "promote-local-memory", cells)) {
          passes.addPass(nvptx::PromoteLocalMemoryPass(cells));
          return true;
        }
        if (std::uint64_t groups = 0; parseNumber(name, "share-local-memory", groups)) {
          passes.addPass(nvptx::ShareLocalMemoryPass(groups));
          return true;
        }
        return addOurs(passes, name, machine, vectors, capability, printed);
      });
  registerLoopPasses(builder);
  builder.registerPipelineParsingCallback(
      [&printed, capability](llvm::StringRef name, llvm::ModulePassManager& passes, Elements) {
        if (unsigned most; parseInlining(name, most)) {
          passes.addPass(PrepareInliningPass(most));
          return true;
        }
        std::string kernel;
        if (std::vector<ImageFacts> images; parseImages(name, kernel, images)) {
          passes.addPass(SpecializeImagesPass(kernel, images));
          return true;
        }
        return addOurs(passes, name, capability, printed);
      });
}

void registerLoopPasses(llvm::PassBuilder& builder) {
  builder.registerPipelineParsingCallback(
      [](llvm::StringRef name, llvm::LoopPassManager& passes, llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name != "indvars<but-around-tiles>") return false;
        passes.addPass(IndVarsButAroundTiles());
        return true;
      });
}

void registerAnalyses(llvm::FunctionAnalysisManager& analyses) {
#define CLARITY_FUNCTION_ANALYSIS(TYPE) analyses.registerPass([] { return TYPE(); });
#include "compiler/pipeline/passes.def"
}

void registerNames(llvm::PassInstrumentationCallbacks& callbacks, [[maybe_unused]] const llvm::TargetMachine& machine) {
  [[maybe_unused]] const VectorTarget vectors;
  [[maybe_unused]] llvm::raw_ostream& printed = llvm::nulls();
  [[maybe_unused]] const nvptx::Capability capability = nvptx::leastCapability;
  const auto add = [&]<class Pass>(std::type_identity<Pass>, llvm::StringRef name) {
    static_assert(requires { Pass::isRequired(); }, "LLVM leaves out no pass of ours (description.h: Need)");
    if (callbacks.getPassNameForClassName(Pass::name()).empty()) callbacks.addClassToPassName(Pass::name(), name);
  };
#define CLARITY_FUNCTION_PASS(NAME, CREATE, TEXT) add(std::type_identity<decltype(CREATE)>(), NAME);
#define CLARITY_MODULE_PASS(NAME, CREATE, TEXT) add(std::type_identity<decltype(CREATE)>(), NAME);
#include "compiler/pipeline/passes.def"
  add(std::type_identity<PacketsPass>(), "packets");
  add(std::type_identity<SpecializeShapePass>(), "specialize-shape");
  add(std::type_identity<SpecializeImagesPass>(), "specialize-images");
  add(std::type_identity<SpecializeArgumentsPass>(), "specialize-arguments");
}

}  // namespace clarity::compiler
