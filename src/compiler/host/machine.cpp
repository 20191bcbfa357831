// SPDX-License-Identifier: Apache-2.0
// This file makes machines and keeps a few idle ones.
#include "compiler/host/machine.h"

#include "compiler/frontend/clang.h"
#include "compiler/ir/cost_model.h"
#include "support/background.h"
#include "support/process_end.h"

#include <llvm/CodeGen/SelectionDAG.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Target/TargetMachine.h>

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

namespace clarity::compiler {
namespace {

constexpr std::size_t mostIdle = 4;
constexpr unsigned mostBlocksRevisited = cost::budget::mostBlocksRevisited;
constexpr auto optimisingLevel = llvm::CodeGenOptLevel::Default;

struct KnownMachine {
  Target target;
  std::unique_ptr<llvm::TargetMachine> machine;
};

/// Without a lock, which a child of fork() might find locked for ever. Never destroyed, as threads use it to the very
/// end.
using Idle = std::array<std::atomic<KnownMachine*>, mostIdle>;
Idle& idle() {
  static auto* const machines = new Idle{};
  return *machines;
}

void keep(KnownMachine* machine) {
  for (auto& place : idle()) {
    KnownMachine* none = nullptr;
    if (place.compare_exchange_strong(none, machine, std::memory_order_acq_rel)) return;
  }
  delete machine;
}

/// An idle machine for the target. Only those that optimise are kept (below).
KnownMachine* take(const Target& target) {
  for (auto& place : idle()) {
    KnownMachine* const machine = place.exchange(nullptr, std::memory_order_acq_rel);
    if (!machine) continue;
    if (machine->target == target) return machine;
    keep(machine);
  }
  return nullptr;
}

/// CodeGenPrepare starts again at a function's first block whenever it has changed the control flow, unless the
/// function has more blocks than this. LLVM's own 10,000 let it take a hundred times as long as all other passes.
void boundCodeGenPrepare() {
  const auto& options = llvm::cl::getRegisteredOptions();
  const auto found = options.find("cgpp-huge-func");
  if (found != options.end()) static_cast<llvm::cl::opt<unsigned>*>(found->second)->setValue(mostBlocksRevisited);
}

/// Makes what the code generator makes at first use and a shared LLVM destroys when the process ends, ahead of the
/// handler that waits for threads which generate code: its table of types, the file system of every PassBuilder, what
/// folds loads.
void makeStaticObjects(llvm::TargetMachine& machine, llvm::CodeGenOptLevel level) {
  (void)llvm::SelectionDAG(machine, level).getVTList(llvm::MVT::i32);
  (void)filesOfTheDisk();
  llvm::LLVMContext context;
  llvm::Module module("nothing", context);
  const auto* function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                                llvm::GlobalValue::ExternalLinkage, "nothing", module);
  (void)machine.getSubtargetImpl(*function)->getInstrInfo()->getOpcodeAfterMemoryUnfold(0, /*UnfoldLoad=*/true,
                                                                                        /*UnfoldStore=*/true);
  support::waitBeforeObjectsGo();
}

std::unique_ptr<llvm::TargetMachine> make(const Target& target, bool optimise) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    boundCodeGenPrepare();
  });
  const llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target* backend = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!backend) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // what may be fused the front end has said
  const auto level = optimise ? optimisingLevel : llvm::CodeGenOptLevel::None;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, target.cpu, target.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level, /*JIT=*/true));
  static std::once_flag made;
  if (machine && !support::staticObjectsArePermanent) std::call_once(made, [&] { makeStaticObjects(*machine, level); });
  return machine;
}

void giveBack(KnownMachine* known) {
  // At lower levels the code generator changes more of a machine than its level, and what it changed would stay.
  if (known->machine->getOptLevel() == optimisingLevel)
    keep(known);
  else
    delete known;
}

}  // namespace

Machine machineFor(const Target& target, bool optimise) {
  KnownMachine* known = optimise ? take(target) : nullptr;
  if (!known) {
    auto machine = make(target, optimise);
    if (!machine) return nullptr;
    known = new KnownMachine{target, std::move(machine)};
  }
  return Machine(known->machine.get(), [known](llvm::TargetMachine*) { giveBack(known); });
}

}  // namespace clarity::compiler
