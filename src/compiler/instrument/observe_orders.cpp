// SPDX-License-Identifier: Apache-2.0
// This file finds calls of atomic functions, fences and asynchronous copies by their names.
#include "compiler/instrument/observe_orders.h"

#include "compiler/instrument/hooks.h"
#include "compiler/instrument/library_calls.h"
#include "compiler/instrument/sites.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/primitives.h"
#include "support/observer_hooks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace clarity::compiler {
namespace {

// Values of memory_order and memory_scope, and device::MemoryOrder::legacy.
constexpr std::uint32_t legacy = 1, acquire = 2, release = 3, acquireRelease = 4, device = 2, allDevices = 3;

/// The index of the argument that is a function's order.
unsigned orderOf(llvm::StringRef name) {
  if (name.contains("compare_exchange")) return 3;
  return name.starts_with("atomic_load") || name.starts_with("atomic_flag") ? 1 : 2;
}

/// atomic_add, atom_cmpxchg and the like, of OpenCL C 1.x.
bool isLegacy(llvm::StringRef name) {
  if (!name.consume_front("atomic_") && !name.consume_front("atom_")) return false;
  constexpr llvm::StringLiteral operations[] = {"add", "sub",     "xchg", "inc", "dec", "min",
                                                "max", "cmpxchg", "and",  "or",  "xor"};
  return llvm::is_contained(operations, name);
}

void callHook(llvm::IRBuilder<>& builder, llvm::Value* order, llvm::Value* scope) {
  llvm::Type* const number = builder.getInt32Ty();
  llvm::FunctionCallee hook = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      "__clarity_observe_order", llvm::FunctionType::get(builder.getVoidTy(), {number, number}, false));
  auto* function = llvm::cast<llvm::Function>(hook.getCallee());
  function->setDoesNotThrow();
  function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  function->addFnAttr(llvm::Attribute::WillReturn);
  builder.CreateCall(hook, {order, scope});
}

void observe(llvm::CallInst& call, llvm::StringRef name) {
  llvm::IRBuilder<> builder(&call);
  const auto number = [&](std::uint32_t value) -> llvm::Value* { return builder.getInt32(value); };
  const auto fence = [&](llvm::Value* order, llvm::Value* scope) {
    llvm::Value* const flags = builder.CreateShl(call.getArgOperand(0), std::uint64_t{fenceFlagsShift});
    emitHook(builder, "__clarity_observe_fence", {builder.CreateOr(order, flags), scope});
  };
  if (name.starts_with("sub_group_") || name.starts_with("intel_sub_group_")) {
    llvm::Value* const flags = name == "sub_group_barrier" ? call.getArgOperand(0) : number(allFences);
    emitHook(builder, "__clarity_observe_sub_group", {flags});
    return;
  }
  if (name == "mem_fence") return fence(number(acquireRelease), number(device));
  if (name == "read_mem_fence") return fence(number(acquire), number(device));
  if (name == "write_mem_fence") return fence(number(release), number(device));
  if (name == "atomic_work_item_fence") return fence(call.getArgOperand(1), call.getArgOperand(2));
  if (isLegacy(name)) {
    callHook(builder, number(legacy), number(device));
  } else if (name.starts_with("atomic_") && name.ends_with("_explicit")) {
    const unsigned order = orderOf(name), last = order + (name.contains("compare_exchange") ? 2 : 1);
    callHook(builder, call.getArgOperand(order), call.arg_size() > last ? call.getArgOperand(last) : number(device));
  } else {
    return;
  }
  builder.SetInsertPoint(call.getNextNode());
  callHook(builder, number(acquireRelease), number(device));
}

bool isCopy(llvm::StringRef name) { return name.starts_with("async_work_group") && !name.ends_with("fence"); }

/// The orders of a function and of those that it calls.
struct Orders {
  bool orders = false;  ///< an atomic operation whose result is used orders more
  bool isUsed = false;  ///< the result of a relaxed one is used
  bool fences = false;
  unsigned copies = 0;  ///< calls; with several, waits may be for some of them
  void add(const Orders& other) {
    orders |= other.orders;
    isUsed |= other.isUsed;
    fences |= other.fences;
    copies = std::min(copies + other.copies, 2u);
  }
};

Orders ordersOf(const llvm::Function& function, llvm::DenseMap<const llvm::Function*, Orders>& known);

/// Whether an operation on what may be global memory is for its own work-group only.
bool hasNarrowScope(const llvm::CallBase& call, llvm::StringRef name) {
  if (!name.ends_with("_explicit")) return false;
  const unsigned last = orderOf(name) + (name.contains("compare_exchange") ? 2 : 1);
  const auto* scope = call.arg_size() > last ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(last)) : nullptr;
  if (!scope || scope->equalsInt(device) || scope->equalsInt(allDevices)) return false;
  const llvm::Value* const object = llvm::getUnderlyingObject(call.getArgOperand(0), 0);
  return object->getType()->getPointerAddressSpace() != localAddressSpace;
}

Orders ordersOfCall(const llvm::CallBase& call, llvm::DenseMap<const llvm::Function*, Orders>& known) {
  const llvm::Function* const callee = call.getCalledFunction();
  if (!callee) return {.orders = true};
  const llvm::StringRef name = libraryName(*callee);
  if (name == "atomic_work_item_fence" || name.ends_with("mem_fence")) return {.fences = true};
  if (isCopy(name)) return {.copies = 1};
  if (!name.starts_with("atomic_") && !name.starts_with("atom_")) return ordersOf(*callee, known);
  // Scopes that are too narrow for others count only where all accesses are looked at.
  if (hasNarrowScope(call, name)) return {.orders = true};
  if (call.use_empty()) return {};
  const bool isExplicit = name.ends_with("_explicit") && call.arg_size() > orderOf(name);
  const auto* order = isExplicit ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(orderOf(name))) : nullptr;
  const bool isRelaxed = order && order->isZero();
  return {.orders = !isRelaxed, .isUsed = true};
}

Orders ordersOf(const llvm::Function& function, llvm::DenseMap<const llvm::Function*, Orders>& known) {
  // Functions that call each other in a circle, through pointers, may order anything.
  const auto [found, isNew] = known.try_emplace(&function, Orders{.orders = true});
  if (!isNew) return found->second;
  Orders all;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      all.add(ordersOfCall(*call, known));
    else
      all.orders |= instruction.isAtomic() && !instruction.use_empty();
  }
  return known[&function] = all;
}

bool isEvent(const llvm::Type* type) {
  const auto* target = llvm::dyn_cast<llvm::TargetExtType>(type);
  return target && target->getName() == "spirv.Event";
}

/// Events of the library have no state; instrumented code keeps in their variables which ones they are.
class Events {
public:
  explicit Events(InstrumentedPlaces& places) : places_(places) {}

  void begin(llvm::CallInst& copy) {
    llvm::IRBuilder<> builder(&copy);
    llvm::SmallVector<llvm::Value*, 5> values{siteOf(builder, copy), numberOf(copy.getArgOperand(copy.arg_size() - 1))};
    for (unsigned d = 0; d < 3; ++d) values.push_back(emitQuery(builder, Primitive::GlobalId, d));
    known_[&copy] = emitTracking(builder, copyBeginsHook, builder.getInt64Ty(), values);
  }

  void await(llvm::CallInst& wait) {
    llvm::IRBuilder<> builder(&wait);
    llvm::Value* const list = builder.CreatePtrToInt(wait.getArgOperand(1), builder.getInt64Ty());
    llvm::CallInst* const hook =
        emitHook(builder, "__clarity_copies_awaited", {siteOf(builder, wait), wait.getArgOperand(0), list});
    hook->getCalledFunction()->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly() |
                                                llvm::MemoryEffects::readOnly());
  }

  void store(llvm::StoreInst& store) {
    if (!isEvent(store.getValueOperand()->getType())) return;
    llvm::IRBuilder<> builder(&store);
    builder.CreateAlignedStore(numberOf(store.getValueOperand()), store.getPointerOperand(), store.getAlign());
    store.eraseFromParent();
  }

private:
  llvm::Value* siteOf(llvm::IRBuilder<>& builder, const llvm::Instruction& call) {
    return builder.getInt32(places_.add(siteAt(call, SiteKind::Barrier)));
  }

  /// The number of an event. Those that functions of the program get or return are not known.
  llvm::Value* numberOf(llvm::Value* event) {
    llvm::Type* const type = llvm::Type::getInt64Ty(event->getContext());
    if (llvm::isa<llvm::ConstantTargetNone>(event)) return llvm::ConstantInt::get(type, 0);
    if (const auto found = known_.find(event); found != known_.end()) return found->second;
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(event);
    if (!load) return llvm::ConstantInt::get(type, unknownEvent);
    llvm::IRBuilder<> builder(load);
    return known_[event] = builder.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign());
  }

  InstrumentedPlaces& places_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> known_;
};

}  // namespace

void findOrders(llvm::Module& module, InstrumentedPlaces&) {
  llvm::DenseMap<const llvm::Function*, Orders> known;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasLocalLinkage()) continue;
    const Orders orders = ordersOf(function, known);
    if (orders.orders || (orders.isUsed && orders.fences) || orders.copies > 1) function.addFnAttr(ordersAttribute);
  }
}

void markCopies(llvm::Module& module, InstrumentedPlaces&) {
  for (llvm::Function& function : module)
    if (libraryName(function).starts_with("async_work_group"))
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (instruction.mayReadOrWriteMemory())
          instruction.setMetadata(copyMetadata, llvm::MDNode::get(module.getContext(), {}));
}

void countCopies(llvm::Module& module, InstrumentedPlaces& places) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    llvm::SmallVector<llvm::CallInst*, 8> waits;
    llvm::SmallVector<llvm::StoreInst*, 16> stores;
    Events events(places);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) stores.push_back(store);
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::StringRef name = call && call->getCalledFunction() ? libraryName(*call->getCalledFunction()) : "";
      if (name == "wait_group_events") waits.push_back(call);
      if (isCopy(name)) events.begin(*call);
    }
    for (llvm::CallInst* wait : waits) events.await(*wait);
    for (llvm::StoreInst* store : stores) events.store(*store);
  }
}

void observeOrders(llvm::Module& module, InstrumentedPlaces&) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !function.getSubprogram()) continue;
    llvm::SmallVector<llvm::CallInst*, 16> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction())
        calls.push_back(call);
    for (llvm::CallInst* call : calls) observe(*call, libraryName(*call->getCalledFunction()));
  }
}

}  // namespace clarity::compiler
