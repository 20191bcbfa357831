// SPDX-License-Identifier: Apache-2.0
// This file finds the offences in the IR, where that is one quick look at every instruction, and goes back to the
// syntax tree only for the place of what it found.
#include "compiler/frontend/diagnostics.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <fmt/format.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdint>

namespace clarity::compiler {
namespace {

/// The first statement in `root`, in the source's order, for which `isIt` holds; or nullptr.
const clang::Stmt* findStatement(const clang::Stmt* root, llvm::function_ref<bool(const clang::Stmt&)> isIt) {
  if (!root) return nullptr;
  if (isIt(*root)) return root;
  for (const clang::Stmt* child : root->children())
    if (const clang::Stmt* found = findStatement(child, isIt)) return found;
  return nullptr;
}

/// Functions whose first argument says which memory a fence is for (OpenCL C 3.0, 6.15.8), by name.
bool takesFenceFlags(llvm::StringRef name) {
  static constexpr llvm::StringLiteral functions[] = {"barrier",        "work_group_barrier", "sub_group_barrier",      "mem_fence",
                                                      "read_mem_fence", "write_mem_fence",    "atomic_work_item_fence", "async_work_group_copy_fence"};
  return llvm::is_contained(functions, name);
}

/// CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE and CLK_IMAGE_MEM_FENCE.
constexpr std::uint64_t everyFenceFlag = 7;

class Checker {
public:
  Checker(clang::CompilerInstance& compiler, clang::CodeGenerator& generator, const llvm::Module& module)
      : compiler_(compiler), generator_(generator), module_(module) {}

  void run() {
    moduleAssembly();
    for (const llvm::Function& function : module_)
      if (!function.isDeclaration()) look(function);
    for (const llvm::Function& function : module_)
      if (!function.isDeclaration() && follow(function)) break;  // one cycle is enough to mend
  }

private:
  using Callees = llvm::SmallVector<const llvm::Function*, 4>;
  enum class Visit { Never, OnPath, Done };

  void report(clang::SourceLocation place, llvm::StringRef text) {
    clang::DiagnosticsEngine& diagnostics = compiler_.getDiagnostics();
    diagnostics.Report(place, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << text;
  }

  /// -w and -Werror do not reach warnings that are not clang's own.
  void warn(clang::SourceLocation place, llvm::StringRef text) {
    clang::DiagnosticsEngine& diagnostics = compiler_.getDiagnostics();
    if (diagnostics.getIgnoreAllWarnings()) return;
    if (diagnostics.getWarningsAsErrors()) return report(place, text);
    diagnostics.Report(place, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0")) << text;
  }

  const clang::FunctionDecl* declarationOf(const llvm::Function& function) {
    const auto* found =
        llvm::dyn_cast_or_null<clang::FunctionDecl>(generator_.GetDeclForMangledName(function.getName()));
    const clang::FunctionDecl* definition = nullptr;
    return found && found->isDefined(definition) ? definition : found;
  }

  static std::string nameOf(const clang::FunctionDecl* declaration, const llvm::Function& function) {
    return declaration ? declaration->getNameAsString() : function.getName().str();
  }

  void moduleAssembly() {
    if (module_.getModuleInlineAsm().empty()) return;
    clang::SourceLocation place;
    for (const clang::Decl* declaration : compiler_.getASTContext().getTranslationUnitDecl()->decls())
      if (llvm::isa<clang::FileScopeAsmDecl>(declaration)) place = declaration->getLocation();
    report(place, "inline assembly is not supported in OpenCL C");
  }

  /// Notes whom the function calls, and reports its inline assembly.
  void look(const llvm::Function& function) {
    Callees& callees = calls_[&function];
    bool assembly = false, fences = false;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) continue;
      assembly |= call->isInlineAsm();
      const llvm::Function* callee = call->getCalledFunction();
      fences |= callee && hasWrongFlags(*call, *callee);
      if (callee && !callee->isDeclaration() && !llvm::is_contained(callees, callee)) callees.push_back(callee);
    }
    if (assembly) reportAssembly(function);
    if (const clang::FunctionDecl* declaration = fences ? declarationOf(function) : nullptr) reportFences(declaration->getBody());
  }

  /// `_Z7barrierj`: a name behind its length.
  static bool hasWrongFlags(const llvm::CallBase& call, const llvm::Function& callee) {
    const auto* flags = call.arg_empty() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    llvm::StringRef name = callee.getName();
    std::size_t length = 0;
    return flags && (flags->getZExtValue() & ~everyFenceFlag) && name.consume_front("_Z") && !name.consumeInteger(10, length) &&
           takesFenceFlags(name.take_front(length));
  }

  /// A warning: the fence is made, for all memory.
  void reportFences(const clang::Stmt* root) {
    if (!root) return;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(root);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    clang::Expr::EvalResult flags;
    if (callee && callee->getIdentifier() && takesFenceFlags(callee->getName()) && call->getNumArgs() &&
        !call->getArg(0)->isValueDependent() && call->getArg(0)->EvaluateAsInt(flags, compiler_.getASTContext())) {
      const std::uint64_t value = flags.Val.getInt().getZExtValue();
      if (value & ~everyFenceFlag)
        warn(call->getArg(0)->getBeginLoc(), fmt::format("{:#x} is no combination of CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE and CLK_IMAGE_MEM_FENCE", value));
    }
    for (const clang::Stmt* child : root->children()) reportFences(child);
  }

  void reportAssembly(const llvm::Function& function) {
    const clang::FunctionDecl* declaration = declarationOf(function);
    const clang::Stmt* statement = declaration ? findStatement(declaration->getBody(), [](const clang::Stmt& s) {
      return llvm::isa<clang::AsmStmt>(s);
    }) : nullptr;
    report(statement     ? statement->getBeginLoc()
           : declaration ? declaration->getLocation()
                         : clang::SourceLocation(),
           "inline assembly is not supported in OpenCL C");
  }

  /// Depth-first along the calls; true once a cycle has been reported.
  bool follow(const llvm::Function& function) {
    Visit& visit = visits_[&function];
    if (visit == Visit::Done) return false;
    visit = Visit::OnPath;
    path_.push_back(&function);
    for (const llvm::Function* callee : calls_[&function]) {
      if (visits_.lookup(callee) == Visit::OnPath) {
        reportCycle(*callee);
        return true;
      }
      if (follow(*callee)) return true;
    }
    path_.pop_back();
    visits_[&function] = Visit::Done;
    return false;
  }

  void reportCycle(const llvm::Function& again) {
    const auto first = llvm::find(path_, &again);
    std::string text = "recursion is not supported in OpenCL C: ";
    for (auto at = first; at != path_.end(); ++at)
      text += fmt::format("'{}' {}calls ", nameOf(declarationOf(**at), **at), at == first ? "" : "which ");
    text += path_.end() - first == 1 ? "itself" : fmt::format("'{}'", nameOf(declarationOf(again), again));
    report(placeOfCall(*path_.back(), again), text);
  }

  clang::SourceLocation placeOfCall(const llvm::Function& caller, const llvm::Function& callee) {
    const clang::FunctionDecl* from = declarationOf(caller);
    const clang::FunctionDecl* to = declarationOf(callee);
    if (!from || !to) return {};
    const clang::Stmt* call = findStatement(from->getBody(), [&](const clang::Stmt& statement) {
      const auto* expression = llvm::dyn_cast<clang::CallExpr>(&statement);
      const clang::FunctionDecl* target = expression ? expression->getDirectCallee() : nullptr;
      return target && target->getCanonicalDecl() == to->getCanonicalDecl();
    });
    return call ? call->getBeginLoc() : from->getLocation();
  }

  clang::CompilerInstance& compiler_;
  clang::CodeGenerator& generator_;
  const llvm::Module& module_;
  llvm::DenseMap<const llvm::Function*, Callees> calls_;
  llvm::DenseMap<const llvm::Function*, Visit> visits_;
  llvm::SmallVector<const llvm::Function*, 16> path_;
};

}  // namespace

void diagnoseForbidden(clang::CompilerInstance& compiler, clang::CodeGenerator& generator) {
  if (const llvm::Module* module = generator.GetModule()) Checker(compiler, generator, *module).run();
}

std::string diagnosticCount(unsigned warnings, unsigned errors) {
  const auto some = [](unsigned count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); };
  if (!warnings && !errors) return {};
  if (!errors) return some(warnings, "warning") + " generated.\n";
  if (!warnings) return some(errors, "error") + " generated.\n";
  return some(warnings, "warning") + " and " + some(errors, "error") + " generated.\n";
}

}  // namespace clarity::compiler
