// SPDX-License-Identifier: Apache-2.0
// This file declares the steps of steps.def. Each does what its line there says.
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/Error.h>

#include <string>
#include <string_view>

namespace clarity::compiler {

struct KernelInfo;
struct Options;
struct PipelineState;

// link_steps.cpp
llvm::Error collectConstructorsOf(PipelineState& state, llvm::Module& module);
llvm::Error numberBlocks(PipelineState& state, llvm::Module& module);
llvm::Error takeDeclaredBuiltins(PipelineState& state, llvm::Module& module);
llvm::Error linkBuiltinsInto(PipelineState& state, llvm::Module& module);
llvm::Error checkUndefined(PipelineState& state, llvm::Module& module);
llvm::Error retargetModule(PipelineState& state, llvm::Module& module);
llvm::Error declarePrimitives(PipelineState& state, llvm::Module& module);
llvm::Error placeVariables(PipelineState& state, llvm::Module& module);
llvm::Error internalizeProgram(PipelineState& state, llvm::Module& module);
llvm::Error renameFunctions(PipelineState& state, llvm::Module& module);
llvm::Error checkInlining(PipelineState& state, llvm::Module& module);
llvm::Error findCalls(PipelineState& state, llvm::Module& module);
llvm::Error instrumentModule(PipelineState& state, llvm::Module& module);

// kernel_facts.cpp
llvm::Error layOutArguments(PipelineState& state, llvm::Module& module);
llvm::Error chooseSubGroupSizes(PipelineState& state, llvm::Module& module);
llvm::Error findFacts(PipelineState& state, llvm::Module& module);

// estimate_work.cpp
llvm::Error estimateWork(PipelineState& state, llvm::Module& module);

// step_names.cpp
/// Whether -cl-clarity-disable names a step, or one of several of its name.
bool isDisabled(const Options& options, std::string_view step);

// keep_in_step.cpp
llvm::Error findWaits(PipelineState& state, llvm::Module& module);
llvm::Error keepInStep(PipelineState& state, llvm::Module& module);
llvm::Error keepWarpsInStep(PipelineState& state, llvm::Module& module);
/// The number of a kernel's work-items that run in step as they exchange values without a barrier, whatever its launch;
/// 0: none.
std::uint32_t itemsInStep(const llvm::Function& function, const KernelInfo& kernel, const Options& options);
/// For the build log: which work-items exchange values without a barrier; empty: none, or `step`, which would keep them
/// in step, is disabled.
std::string exchangeRemark(const llvm::Function& function, const KernelInfo& kernel, const Options& options,
                           std::string_view step);

// native_steps.cpp
llvm::Error internalizeKernel(PipelineState& state, llvm::Module& module);
llvm::Error inlineCalls(PipelineState& state, llvm::Module& module);
llvm::PreservedAnalyses splitVectors(PipelineState& state, llvm::Function& function,
                                     llvm::FunctionAnalysisManager& analyses);
llvm::PreservedAnalyses packetsWithinBudget(PipelineState& state, llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses);
llvm::PreservedAnalyses subGroupPackets(PipelineState& state, llvm::Function& function,
                                        llvm::FunctionAnalysisManager& analyses);
llvm::Error noteFacts(PipelineState& state, llvm::Module& module);
llvm::Error checkSubGroups(PipelineState& state, llvm::Module& module);
llvm::Error makeEntry(PipelineState& state, llvm::Module& module);
llvm::Error makeItemEntry(PipelineState& state, llvm::Module& module);
llvm::Error chooseLevel(PipelineState& state, llvm::Module& module);
llvm::Error chooseCodeGenerator(PipelineState& state, llvm::Module& module);

// nvptx_steps.cpp
llvm::Error knowImagesOf(PipelineState& state, llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
llvm::Error chooseItems(PipelineState& state, llvm::Module& module);
llvm::Error planItemsOfKernel(PipelineState& state, llvm::Module& module);
llvm::PreservedAnalyses interleaveAsPlanned(PipelineState& state, llvm::Function& function,
                                            llvm::FunctionAnalysisManager& analyses);
llvm::PreservedAnalyses shareLocalMemoryAsPlanned(PipelineState& state, llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses);
llvm::PreservedAnalyses coarsenKernel(PipelineState& state, llvm::Function& function,
                                      llvm::FunctionAnalysisManager& analyses);
llvm::PreservedAnalyses foldLanesAsPlanned(PipelineState& state, llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses);
llvm::PreservedAnalyses promoteLocalMemory(PipelineState& state, llvm::Function& function,
                                           llvm::FunctionAnalysisManager& analyses);
llvm::PreservedAnalyses countInBlocksAsPlanned(PipelineState& state, llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses);
llvm::Error retargetToPtx(PipelineState& state, llvm::Module& module);
llvm::Error lowerKernelToPtx(PipelineState& state, llvm::Module& module);
llvm::Error linkPtxLibrary(PipelineState& state, llvm::Module& module);
llvm::Error checkPtxCalls(PipelineState& state, llvm::Module& module);

}  // namespace clarity::compiler
