// SPDX-License-Identifier: Apache-2.0
// This file finds violations in the IR, where one pass over the instructions is enough, and searches the syntax tree
// only for the source location of what it found.
#include "compiler/frontend/diagnostics.h"
#include "compiler/ir/demangled_name.h"

#include "builtins/builtins.h"
#include "compiler/frontend/allowed_ir.h"
#include "compiler/frontend/assembly.h"
#include "compiler/frontend/reporter.h"
#include "compiler/ir/attributes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>
#include <fmt/format.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdint>

namespace clarity::compiler {
namespace {

/// The first statement in `root`, in the source's order, for which `matches` returns true; or nullptr.
const clang::Stmt* findStatement(const clang::Stmt* root, llvm::function_ref<bool(const clang::Stmt&)> matches) {
  if (!root) return nullptr;
  if (matches(*root)) return root;
  for (const clang::Stmt* child : root->children())
    if (const clang::Stmt* found = findStatement(child, matches)) return found;
  return nullptr;
}

/// Functions whose first argument selects the memory of a fence (OpenCL C 3.0, 6.15.8), by name.
bool hasFenceFlags(llvm::StringRef name) {
  static constexpr llvm::StringLiteral functions[] = {
      "barrier",        "work_group_barrier", "sub_group_barrier",      "mem_fence",
      "read_mem_fence", "write_mem_fence",    "atomic_work_item_fence", "async_work_group_copy_fence"};
  return llvm::is_contained(functions, name);
}

/// CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE and CLK_IMAGE_MEM_FENCE.
constexpr std::uint64_t everyFenceFlag = 7;

/// Prefixes of functions that clang declares although the device may lack the feature.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> absentFunctions[] = {
    {"read_image", "images"},
    {"write_image", "images"},
    {"get_image_", "images"},
    {"read_pipe", "pipes"},
    {"write_pipe", "pipes"},
    {"reserve_", "pipes"},
    {"commit_", "pipes"},
    {"get_pipe_", "pipes"},
    {"sub_group_reserve", "pipes"},
    {"sub_group_commit", "pipes"},
    {"work_group_reserve", "pipes"},
    {"work_group_commit", "pipes"},
    {"enqueue_kernel", "device-side queues"},
    {"enqueue_marker", "device-side queues"},
    {"get_kernel_", "device-side queues"},
    {"get_default_queue", "device-side queues"},
    {"create_user_event", "device-side queues"},
};

class Checker {
public:
  Checker(clang::CompilerInstance& compiler, clang::CodeGenerator& generator, const llvm::Module& module,
          bool takesAssembly)
      : compiler_(compiler), generator_(generator), module_(module), takesAssembly_(takesAssembly) {}

  void run() {
    moduleAssembly();
    reportAliases();
    recordUndefinedVariables();
    for (const llvm::Function& function : module_)
      if (!function.isDeclaration()) visit(function);
    for (const llvm::Function& function : module_)
      if (!function.isDeclaration() && findCycle(function)) break;  // one cycle is enough to report
  }

private:
  using Callees = llvm::SmallVector<const llvm::Function*, 4>;
  enum class Visit { Never, OnPath, Done };

  void report(clang::SourceLocation place, llvm::StringRef text) { reportError(compiler_, place, text); }

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
    report(place, takesAssembly_ ? "assembly outside of functions is not supported"
                                 : "inline assembly is not supported in OpenCL C");
  }

  void reportAliases() {
    const auto reportOne = [&](const llvm::GlobalValue& value, llvm::StringRef what) {
      const clang::Decl* declaration = generator_.GetDeclForMangledName(value.getName());
      report(declaration ? declaration->getLocation() : clang::SourceLocation(),
             fmt::format("'{}' is {}, which OpenCL does not have", demangledName(value.getName()),
                         std::string_view(what)));
    };
    for (const llvm::GlobalAlias& alias : module_.aliases()) reportOne(alias, "an alias");
    for (const llvm::GlobalIFunc& function : module_.ifuncs()) reportOne(function, "chosen by a function");
  }

  /// Records the callees of the function, and reports what no kernel may use.
  void visit(const llvm::Function& function) {
    Callees& callees = calls_[&function];
    bool assembly = false, fences = false;
    std::string forbidden = forbiddenIn(function);
    if (!forbidden.empty()) reportForbidden(function, nullptr, forbidden);
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (forbidden.empty() && !(forbidden = forbiddenIn(instruction)).empty())
        reportForbidden(function, &instruction, forbidden);
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call) continue;
      if (call->isInlineAsm() && takesAssembly_) {
        if (const std::string wrong = wrongWithAssembly(*call); !wrong.empty())
          report(placeOf(function, instruction), wrong);
        continue;
      }
      assembly |= call->isInlineAsm();
      const llvm::Function* callee = call->getCalledFunction();
      fences |= callee && hasWrongFlags(*call, *callee);
      if (callee && callee->isDeclaration()) recordUndefined(function, *callee);
      if (callee && !callee->isDeclaration() && !llvm::is_contained(callees, callee)) callees.push_back(callee);
    }
    if (assembly) reportAssembly(function);
    if (const clang::FunctionDecl* declaration = fences ? declarationOf(function) : nullptr)
      reportFences(declaration->getBody());
  }

  /// Records the first call of each function without a definition. A function of images, pipes or queues, which the
  /// device does not support, is an error.
  void recordUndefined(const llvm::Function& caller, const llvm::Function& callee) {
    if (callee.isIntrinsic() || callee.hasFnAttribute(firstUseAttribute)) return;
    const llvm::StringRef absent = absentFeature(callee);
    if (builtins::moduleOf(std::string_view(callee.getName())) && absent.empty()) return;
    const clang::SourceLocation place = placeOfCall(caller, callee);
    const_cast<llvm::Function&>(callee).addFnAttr(firstUseAttribute, textOf(place));
    const clang::FunctionDecl* declaration = declarationOf(callee);
    if (declaration && !declaration->isImplicit()) return;  // another program may define it
    if (!absent.empty())
      report(place, fmt::format("'{}' is not available: this device does not support {}", baseName(callee.getName()),
                                std::string_view(absent)));
  }

  bool has(llvm::StringRef feature) const {
    if (feature == "images") return hasImages_;
    const char* const option = feature == "pipes" ? "+__opencl_c_pipes" : "+__opencl_c_device_enqueue";
    return llvm::is_contained(compiler_.getTargetOpts().OpenCLExtensionsAsWritten, option);
  }

  /// The feature that the device would need for the function to exist; empty if it lacks nothing.
  llvm::StringRef absentFeature(const llvm::Function& callee) const {
    const std::string name = baseName(callee.getName());
    for (const auto& [prefix, feature] : absentFunctions)
      if (llvm::StringRef(name).starts_with(prefix)) return has(feature) ? "" : feature;
    return {};
  }

  /// The same for variables.
  void recordUndefinedVariables() {
    for (const llvm::GlobalVariable& variable : module_.globals()) {
      if (!variable.isDeclaration() || variable.use_empty()) continue;
      for (const clang::Decl* declaration : compiler_.getASTContext().getTranslationUnitDecl()->decls()) {
        const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
        const clang::Stmt* use =
            function && function->isThisDeclarationADefinition()
                ? findStatement(function->getBody(),
                                [&](const clang::Stmt& statement) {
                                  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement);
                                  return reference && llvm::isa<clang::VarDecl>(reference->getDecl()) &&
                                         reference->getDecl()->hasExternalFormalLinkage() &&
                                         reference->getDecl()->getDeclName().isIdentifier() &&
                                         reference->getDecl()->getName() == variable.getName();
                                })
                : nullptr;
        if (!use) continue;
        const_cast<llvm::GlobalVariable&>(variable).addAttribute(firstUseAttribute, textOf(use->getBeginLoc()));
        break;
      }
    }
  }

  /// "program.cl:3:7: ", as clang begins its lines.
  std::string textOf(clang::SourceLocation place) const {
    const clang::SourceManager& sources = compiler_.getSourceManager();
    const clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(place));
    if (presumed.isInvalid()) return {};
    return fmt::format("{}:{}:{}: ", presumed.getFilename(), presumed.getLine(), presumed.getColumn());
  }

  /// "read_imagef" for "_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i", "read_pipe" for "__read_pipe_2".
  static std::string baseName(llvm::StringRef name) {
    std::size_t length = 0;
    if (name.consume_front("_Z"))
      return name.consumeInteger(10, length) ? std::string() : name.take_front(length).str();
    name.consume_front("__");
    return name.rtrim("0123456789").rtrim('_').str();
  }

  /// `_Z7barrierj`: the length, then the name.
  static bool hasWrongFlags(const llvm::CallBase& call, const llvm::Function& callee) {
    const auto* flags = call.arg_empty() ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    llvm::StringRef name = callee.getName();
    std::size_t length = 0;
    return flags && (flags->getZExtValue() & ~everyFenceFlag) && name.consume_front("_Z") &&
           !name.consumeInteger(10, length) && hasFenceFlags(name.take_front(length));
  }

  /// A warning: the fence is generated, for all memory.
  void reportFences(const clang::Stmt* root) {
    if (!root) return;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(root);
    const clang::FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    clang::Expr::EvalResult flags;
    if (callee && callee->getIdentifier() && hasFenceFlags(callee->getName()) && call->getNumArgs() &&
        !call->getArg(0)->isValueDependent() && call->getArg(0)->EvaluateAsInt(flags, compiler_.getASTContext())) {
      const std::uint64_t value = flags.Val.getInt().getZExtValue();
      if (value & ~everyFenceFlag)
        reportWarning(
            compiler_, call->getArg(0)->getBeginLoc(),
            fmt::format(
                "{:#x} is not a combination of CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE and CLK_IMAGE_MEM_FENCE",
                value));
    }
    for (const clang::Stmt* child : root->children()) reportFences(child);
  }

  void reportForbidden(const llvm::Function& function, const llvm::Instruction* instruction, std::string_view what) {
    const std::string name = demangledName(function.getName());
    report(instruction ? placeOf(function, *instruction) : placeOf(function),
           fmt::format("'{}' uses {}", name.substr(0, name.find('(')), what));
  }

  clang::SourceLocation placeOf(const llvm::Function& function) {
    const clang::FunctionDecl* declaration = declarationOf(function);
    return declaration ? declaration->getLocation() : clang::SourceLocation();
  }

  /// The statement that has the instruction's line and column, or the function.
  clang::SourceLocation placeOf(const llvm::Function& function, const llvm::Instruction& instruction) {
    const clang::FunctionDecl* declaration = declarationOf(function);
    const llvm::DILocation* location = instruction.getDebugLoc().get();
    if (!declaration || !location) return placeOf(function);
    const auto isThere = [&](clang::SourceLocation place) {
      const clang::SourceManager& sources = compiler_.getSourceManager();
      const clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getExpansionLoc(place));
      return presumed.isValid() && presumed.getLine() == location->getLine() &&
             presumed.getColumn() == location->getColumn();
    };
    const clang::Stmt* statement = findStatement(declaration->getBody(), [&](const clang::Stmt& candidate) {
      const auto* expression = llvm::dyn_cast<clang::Expr>(&candidate);
      return isThere(candidate.getBeginLoc()) || (expression && isThere(expression->getExprLoc()));
    });
    return statement ? statement->getBeginLoc() : declaration->getLocation();
  }

  void reportAssembly(const llvm::Function& function) {
    const clang::FunctionDecl* declaration = declarationOf(function);
    const clang::Stmt* statement =
        declaration
            ? findStatement(declaration->getBody(), [](const clang::Stmt& s) { return llvm::isa<clang::AsmStmt>(s); })
            : nullptr;
    report(statement     ? statement->getBeginLoc()
           : declaration ? declaration->getLocation()
                         : clang::SourceLocation(),
           "inline assembly is not supported in OpenCL C");
  }

  /// Depth-first along the calls; true once a cycle has been reported.
  bool findCycle(const llvm::Function& function) {
    Visit& visit = visits_[&function];
    if (visit == Visit::Done) return false;
    visit = Visit::OnPath;
    path_.push_back(&function);
    for (const llvm::Function* callee : calls_[&function]) {
      if (callee == &function && isKernelAndBody(function)) continue;
      if (visits_.lookup(callee) == Visit::OnPath) {
        reportCycle(*callee);
        return true;
      }
      if (findCycle(*callee)) return true;
    }
    path_.pop_back();
    visits_[&function] = Visit::Done;
    return false;
  }

  /// Clang makes two functions of a kernel, one of which calls the other: with a name that is no kernel's, which is an
  /// error of its own, the two are one.
  bool isKernelAndBody(const llvm::Function& function) {
    const clang::FunctionDecl* declaration = declarationOf(function);
    return declaration && declaration->hasAttr<clang::DeviceKernelAttr>() && !callFrom(*declaration, function);
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
    if (!from) return {};
    const clang::Stmt* call = callFrom(*from, callee);
    return call ? call->getBeginLoc() : from->getLocation();
  }

  const clang::Stmt* callFrom(const clang::FunctionDecl& from, const llvm::Function& callee) {
    const clang::FunctionDecl* to = declarationOf(callee);
    return findStatement(from.getBody(), [&](const clang::Stmt& statement) {
      const auto* expression = llvm::dyn_cast<clang::CallExpr>(&statement);
      const clang::FunctionDecl* target = expression ? expression->getDirectCallee() : nullptr;
      if (!to)
        return target && target->getBuiltinID() && callee.getName().starts_with(("__" + target->getName()).str());
      return target && target->getCanonicalDecl() == to->getCanonicalDecl();
    });
  }

  clang::CompilerInstance& compiler_;
  clang::CodeGenerator& generator_;
  const llvm::Module& module_;
  const bool takesAssembly_;
  const bool hasImages_ = compiler_.getPreprocessor().isMacroDefined("__IMAGE_SUPPORT__");
  llvm::DenseMap<const llvm::Function*, Callees> calls_;
  llvm::DenseMap<const llvm::Function*, Visit> visits_;
  llvm::SmallVector<const llvm::Function*, 16> path_;
};

}  // namespace

void diagnoseForbidden(clang::CompilerInstance& compiler, clang::CodeGenerator& generator, bool takesAssembly) {
  if (const llvm::Module* module = generator.GetModule()) Checker(compiler, generator, *module, takesAssembly).run();
}

std::string diagnosticCount(unsigned warnings, unsigned errors) {
  const auto some = [](unsigned count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  if (!warnings && !errors) return {};
  if (!errors) return some(warnings, "warning") + " generated.\n";
  if (!warnings) return some(errors, "error") + " generated.\n";
  return some(warnings, "warning") + " and " + some(errors, "error") + " generated.\n";
}

}  // namespace clarity::compiler
