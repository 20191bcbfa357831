// SPDX-License-Identifier: Apache-2.0
// This file checks the arguments by the name of the function: for clang, orders and scopes are numbers. Only constants
// are checked.
#include "compiler/frontend/atomic_orders.h"

#include "compiler/frontend/reporter.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <fmt/format.h>
#include <llvm/Support/AtomicOrdering.h>

#include <optional>

namespace clarity::compiler {
namespace {

/// memory_order of clang's header has these values.
using Order = llvm::AtomicOrderingCABI;
/// __OPENCL_MEMORY_SCOPE_WORK_ITEM, the only scope without a name in clang.
constexpr int workItemScope = 0;

std::string_view nameOf(int order) {
  switch (static_cast<Order>(order)) {
    case Order::relaxed: return "memory_order_relaxed";
    case Order::acquire: return "memory_order_acquire";
    case Order::release: return "memory_order_release";
    case Order::acq_rel: return "memory_order_acq_rel";
    default: return "memory_order_seq_cst";
  }
}

bool is(std::optional<int> value, Order order) { return value == static_cast<int>(order); }

class Check {
public:
  Check(clang::CompilerInstance& compiler, const clang::CallExpr& call, llvm::StringRef name)
      : compiler_(compiler), call_(call), name_(name) {}

  void run() {
    if (!name_.consume_back("_explicit")) return;
    const bool clears = name_ == "atomic_flag_clear", compares = name_.starts_with("atomic_compare_exchange");
    const unsigned order = clears || name_ == "atomic_load" || name_ == "atomic_flag_test_and_set" ? 1
                           : compares                                                              ? 3
                                                                                                   : 2;
    if (name_ == "atomic_load") refuse(order, Order::release, "only loads");
    if (clears || name_ == "atomic_store") refuse(order, Order::acquire, "only stores");
    if (compares) checkFailure(order);
    checkScope(order + 1 + compares);
  }

private:
  std::optional<int> constant(unsigned argument) const {
    clang::Expr::EvalResult result;
    if (argument >= call_.getNumArgs() || !call_.getArg(argument)->EvaluateAsInt(result, compiler_.getASTContext()))
      return std::nullopt;
    return static_cast<int>(result.Val.getInt().getExtValue());
  }

  void warn(unsigned argument, const std::string& text) {
    reportWarning(compiler_, call_.getArg(argument)->getBeginLoc(), text);
  }

  void refuse(unsigned argument, Order half, std::string_view does) {
    const auto order = constant(argument);
    if (is(order, half) || is(order, Order::acq_rel))
      warn(argument, fmt::format("'{}_explicit' {} and cannot have {}", name_.str(), does, nameOf(*order)));
  }

  /// The order on failure must be valid for a load, and not stronger than the order on success.
  void checkFailure(unsigned success) {
    const auto wanted = constant(success), order = constant(success + 1);
    if (is(order, Order::release) || is(order, Order::acq_rel))
      warn(success + 1,
           fmt::format("'{}_explicit' only loads on failure and cannot have {} there", name_.str(), nameOf(*order)));
    else if (order && wanted && *order > *wanted)
      warn(success + 1, fmt::format("failure order {} of '{}_explicit' is stronger than its success order {}",
                                    nameOf(*order), name_.str(), nameOf(*wanted)));
  }

  void checkScope(unsigned argument) {
    if (constant(argument) == workItemScope)
      warn(argument,
           fmt::format("'{}_explicit' cannot have memory_scope_work_item, which is for fences of images", name_.str()));
  }

  clang::CompilerInstance& compiler_;
  const clang::CallExpr& call_;
  llvm::StringRef name_;
};

}  // namespace

void checkAtomicOrders(clang::CompilerInstance& compiler, const clang::CallExpr& call,
                       const clang::FunctionDecl& callee) {
  // Functions of the library are declared without a place in the source.
  if (callee.getName().starts_with("atomic_") && callee.isImplicit()) Check(compiler, call, callee.getName()).run();
}

}  // namespace clarity::compiler
