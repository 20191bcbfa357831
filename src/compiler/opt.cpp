// SPDX-License-Identifier: Apache-2.0
// This file makes our passes known to LLVM's pipeline parser.
#include "compiler/opt.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/variance.h"
#include "compiler/codegen/machine.h"
#include "compiler/passes/interleave_groups.h"
#include "compiler/passes/copy_byval_arguments.h"
#include "compiler/passes/expand_collectives.h"
#include "compiler/passes/collect_constructors.h"
#include "compiler/passes/guard_division.h"
#include "compiler/passes/lower_collectives.h"
#include "compiler/passes/lower_half.h"
#include "compiler/passes/lower_local_memory.h"
#include "compiler/passes/lower_printf.h"
#include "compiler/workarounds/lower_saturating_conversions.h"
#include "compiler/passes/lower_unshared_atomics.h"
#include "compiler/passes/interchange_loops.h"
#include "compiler/passes/resolve_generic_pointers.h"
#include "compiler/workarounds/lower_rounding.h"
#include "compiler/passes/mark_waiting_loops.h"
#include "compiler/passes/merge_groups.h"
#include "compiler/passes/narrow_indices.h"
#include "compiler/workarounds/narrow_products.h"
#include "compiler/passes/outline_sub_groups.h"
#include "compiler/passes/packets.h"
#include "compiler/passes/pass_ids.h"
#include "compiler/passes/place_global_variables.h"
#include "compiler/passes/prefetch_strides.h"
#include "compiler/passes/prepare_barriers.h"
#include "compiler/passes/prepare_inlining.h"
#include "compiler/passes/fold_guards.h"
#include "compiler/passes/save_live_values.h"
#include "compiler/workarounds/signed_conversions.h"
#include "compiler/workarounds/single_lane_stores.h"
#include "compiler/passes/specialize_shape.h"
#include "compiler/passes/split_bitcasts.h"
#include "compiler/passes/split_interior.h"
#include "compiler/passes/split_structures.h"
#include "compiler/passes/sub_group_size.h"
#include "compiler/passes/unroll_barrier_loops.h"
#include "compiler/passes/unroll_private_loops.h"
#include "compiler/passes/unroll_row_loops.h"
#include "compiler/passes/version_blocks.h"
#include "compiler/passes/work_item_loops.h"
#include "compiler/pipeline.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace clarity::compiler {
namespace {

/// "specialize-shape<16x16x1>"
bool parseShape(llvm::StringRef name, Shape& shape) {
  if (!name.consume_front("specialize-shape<") || !name.consume_back(">")) return false;
  llvm::SmallVector<llvm::StringRef, 3> sizes;
  name.split(sizes, 'x');
  for (unsigned d = 0; d < 3; ++d) {
    shape.local[d] = 1;
    if (d < sizes.size() && sizes[d].getAsInteger(10, shape.local[d])) return false;
  }
  return sizes.size() <= 3;
}

/// "prepare-inlining<5000>": instructions of a kernel
bool parseInlining(llvm::StringRef name, unsigned& most) {
  return name.consume_front("prepare-inlining<") && name.consume_back(">") && !name.getAsInteger(10, most);
}

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

void registerPasses(llvm::PassBuilder& builder, const VectorTarget& vectors, llvm::raw_ostream& printed) {
  builder.registerAnalysisRegistrationCallback([](llvm::FunctionAnalysisManager& analyses) {
#define CLARITY_FUNCTION_ANALYSIS(TYPE) analyses.registerPass([] { return TYPE(); });
#include "compiler/passes.def"
  });
  builder.registerPipelineParsingCallback(
      [&printed, vectors](llvm::StringRef name, llvm::FunctionPassManager& passes, llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (Shape shape; parseShape(name, shape)) {
          passes.addPass(SpecializeShapePass(shape));
          return true;
        }
        if (PacketsPass::Options options{.target = vectors}; name == "packets" || parsePackets(name, options)) {
          passes.addPass(PacketsPass(options));
          return true;
        }
#define CLARITY_FUNCTION_PASS(NAME, CREATE, TEXT) \
  if (name == NAME) {                             \
    passes.addPass(CREATE);                       \
    return true;                                  \
  }
#include "compiler/passes.def"
        return false;
      });
  builder.registerPipelineParsingCallback(
      [&printed](llvm::StringRef name, llvm::ModulePassManager& passes, llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (unsigned most; parseInlining(name, most)) {
          passes.addPass(PrepareInliningPass(most));
          return true;
        }
#define CLARITY_MODULE_PASS(NAME, CREATE, TEXT) \
  if (name == NAME) {                           \
    passes.addPass(CREATE);                     \
    return true;                                \
  }
#include "compiler/passes.def"
        return false;
      });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> passNames() {
  std::vector<std::pair<std::string, std::string>> names;
#define CLARITY_FUNCTION_PASS(NAME, CREATE, TEXT) names.emplace_back(NAME, TEXT);
#define CLARITY_MODULE_PASS(NAME, CREATE, TEXT) names.emplace_back(NAME, TEXT);
#include "compiler/passes.def"
  names.emplace_back("specialize-shape<XxYxZ>", "a known work-group size as constants");
  names.emplace_back("prepare-inlining<INSTRUCTIONS>", "the same for kernels of a given size at most");
  names.emplace_back("packets", "neighbouring work-items into the lanes of vectors");
  names.emplace_back("packets<LANESxPACKETSxROWS>", "the same in tiles of a given shape");
  return names;
}

PassOutput runPasses(std::string_view ir, std::string_view pipeline, std::string_view cpu) {
  PassOutput output;
  if (!knowsCpu(cpu)) {
    output.error = "there is no processor '" + std::string(cpu) + "'";
    return output;
  }
  const Target target = hostTarget(cpu);
  const auto machine = machineFor(target, true);
  if (!machine) {
    output.error = "no code generator for processor '" + std::string(cpu) + "'";
    return output;
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(llvm::StringRef(ir), diagnostic, context);
  if (!module) {
    llvm::raw_string_ostream text(output.error);
    diagnostic.print("", text, false);
    return output;
  }
  llvm::raw_string_ostream printed(output.printed);
  llvm::PassBuilder builder;
  registerPasses(builder, vectorTargetOf(target, *machine), printed);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, llvm::StringRef(pipeline))) {
    output.error = llvm::toString(std::move(error));
    return output;
  }
  passes.run(*module, modules);
  llvm::raw_string_ostream broken(output.error);
  if (llvm::verifyModule(*module, &broken)) return output;
  llvm::raw_string_ostream text(output.ir);
  module->print(text, nullptr);
  output.ok = true;
  return output;
}

}  // namespace clarity::compiler
