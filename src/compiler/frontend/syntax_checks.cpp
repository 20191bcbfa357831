// SPDX-License-Identifier: Apache-2.0
// This file visits the whole syntax tree once, including instantiations of templates.
#include "compiler/frontend/syntax_checks.h"

#include "compiler/frontend/atomic_orders.h"
#include "compiler/frontend/reporter.h"
#include "compiler/ir/program_functions.h"
#include "compiler/ir/target.h"
#include "support/printf_format.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/AddressSpaces.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace clarity::compiler {
namespace {

constexpr unsigned mostBits = 64;
/// Private, global, constant, local, generic.
constexpr unsigned mostAddressSpace = 4;

class Visitor : public clang::DynamicRecursiveASTVisitor {
public:
  Visitor(clang::CompilerInstance& compiler, Language language, const llvm::Module& module)
      : compiler_(compiler),
        language_(language),
        context_(compiler.getASTContext()),
        module_(module),
        names_(context_.createMangleContext()) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !callee->getIdentifier() || call->isInstantiationDependent()) return true;
    checkAtomicOrders(compiler_, *call, *callee);
    if (callee->getName() != "printf" || !callee->isVariadic() || call->getNumArgs() == 0) return true;
    if (const auto* format = literalOf(call->getArg(0))) checkFormat(*call, *format);
    return true;
  }

  /// Rejects names that would call the runtime, be called by it, or be a function of the process.
  bool VisitNamedDecl(clang::NamedDecl* declaration) override {
    if (!llvm::isa<clang::FunctionDecl, clang::VarDecl>(declaration)) return true;
    if (declaration->getIdentifier() && declaration->getName().starts_with(reservedPrefix))
      reportError(compiler_, declaration->getLocation(),
                  fmt::format("'{}': names that begin with {} are the implementation's",
                              std::string_view(declaration->getName()), reservedPrefix));
    if (const auto* label = declaration->getAttr<clang::AsmLabelAttr>(); label && !label->isInherited())
      reportError(compiler_, declaration->getLocation(),
                  fmt::format("'{}' has an assembly name, which OpenCL does not have", declaration->getNameAsString()));
    if (declaration->hasAttr<clang::ConstructorAttr>() || declaration->hasAttr<clang::DestructorAttr>())
      reportError(compiler_, declaration->getLocation(),
                  fmt::format("'{}' is to run before or behind kernels, which OpenCL does not have",
                              declaration->getNameAsString()));
    return true;
  }

  /// Numbers that devices have no instructions for.
  bool VisitBitIntTypeLoc(clang::BitIntTypeLoc type) override {
    if (const unsigned bits = type.getTypePtr()->getNumBits(); bits > mostBits)
      reportError(compiler_, type.getBeginLoc(),
                  fmt::format("integers of {} bits are not supported; at most {} are", bits, mostBits));
    return true;
  }
  bool VisitBuiltinTypeLoc(clang::BuiltinTypeLoc type) override {
    if (type.getTypePtr()->getKind() == clang::BuiltinType::BFloat16)
      reportError(compiler_, type.getBeginLoc(), "'__bf16' is not supported; half is, with cl_khr_fp16");
    return true;
  }

  /// Clang numbers the address spaces of the processor, beside OpenCL's.
  bool VisitAttributedTypeLoc(clang::AttributedTypeLoc type) override {
    if (!type.getAttrAs<clang::AddressSpaceAttr>()) return true;
    const clang::LangAS space = type.getType().getAddressSpace();
    if (clang::isTargetAddressSpace(space) && clang::toTargetAddressSpace(space) > mostAddressSpace)
      reportError(compiler_, type.getBeginLoc(),
                  fmt::format("OpenCL has no address space {}: write __private, __global, __constant, __local or "
                              "__generic",
                              clang::toTargetAddressSpace(space)));
    return true;
  }

  /// Attributes may be inherited from other declarations; they are reported at their own location.
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (const auto* size = function->getAttr<clang::OpenCLIntelReqdSubGroupSizeAttr>(); size && !size->isInherited())
      checkSubGroupSize(*function, *size);
    if (const auto* size = function->getAttr<clang::ReqdWorkGroupSizeAttr>();
        size && !size->isInherited() && !function->isDependentContext())
      checkWorkGroupSize(*function, *size);
    checkKernelName(*function);
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!compiler_.getLangOpts().CPlusPlus || !variable->hasGlobalStorage() ||
        !variable->isThisDeclarationADefinition() || variable->getType()->isDependentType() ||
        variable->getDeclContext()->isDependentContext())
      return true;
    if (isGuarded(*variable))
      reportError(compiler_, variable->getLocation(),
                  fmt::format("static variable '{}' needs a constant initialiser: work-items cannot wait for the first "
                              "one to initialise it",
                              placedNameOf(*variable)));
    else if (const llvm::Function* registration = module_.getFunction("__cxa_atexit");
             registration && registration->isDeclaration() &&
             variable->needsDestruction(context_) == clang::QualType::DK_cxx_destructor)
      reportError(compiler_, variable->getLocation(),
                  fmt::format("'{}' at program scope has a destructor, '{}', which would never run",
                              variable->getQualifiedNameAsString(), destructorOf(*variable)));
    return true;
  }

  /// Clang rejects virtual functions, but emits tables for virtual bases, which need runtime support that does not
  /// exist here.
  bool VisitCXXRecordDecl(clang::CXXRecordDecl* type) override {
    if (!type->isThisDeclarationADefinition() || type->isDependentContext()) return true;
    for (const clang::CXXBaseSpecifier& base : type->bases())
      if (base.isVirtual())
        reportError(compiler_, base.getBeginLoc(), "virtual base classes are not supported in C++ for OpenCL");
    return true;
  }

private:
  void checkSubGroupSize(const clang::FunctionDecl& kernel, const clang::OpenCLIntelReqdSubGroupSizeAttr& size) {
    if (llvm::is_contained(subGroupSizes, size.getSubGroupSize())) return;
    reportError(compiler_, size.getLocation(),
                fmt::format("kernel '{}' requires sub-groups of {} work-items; possible are 4, 8, 16 and 32",
                            kernel.getNameAsString(), static_cast<int>(size.getSubGroupSize())));
  }

  /// The host finds kernels by their names: one that has another name in the module, or none, is lost.
  void checkKernelName(const clang::FunctionDecl& function) {
    if (!function.hasAttr<clang::DeviceKernelAttr>() || !function.isThisDeclarationADefinition() ||
        function.isDependentContext() || compiler_.getDiagnostics().hasErrorOccurred())
      return;
    const llvm::Function* kernel = module_.getFunction(function.getName());
    if (kernel && kernel->getCallingConv() == llvm::CallingConv::SPIR_KERNEL && !kernel->hasLocalLinkage()) return;
    reportError(compiler_, function.getLocation(),
                fmt::format("kernel '{}' cannot be found by its name: kernels are not overloaded, and have external "
                            "linkage",
                            function.getNameAsString()));
  }

  /// Not an error: the program may have other kernels, and the host may query CL_KERNEL_WORK_GROUP_SIZE.
  void checkWorkGroupSize(const clang::FunctionDecl& kernel, const clang::ReqdWorkGroupSizeAttr& size) {
    const auto dimension = [&](const clang::Expr* expression) {
      const auto value = expression->getIntegerConstantExpr(context_);
      return value ? value->getLimitedValue(UINT32_MAX) : 1;
    };
    const std::uint64_t x = dimension(size.getXDim()), y = dimension(size.getYDim()), z = dimension(size.getZDim());
    if (x <= largestWorkGroup && y <= largestWorkGroup && z <= largestWorkGroup && x * y * z <= largestWorkGroup)
      return;
    reportWarning(compiler_, size.getLocation(),
                  fmt::format("kernel '{}' requires work-groups of {} x {} x {} work-items; the device supports at "
                              "most {}: it cannot be launched",
                              kernel.getNameAsString(), x, y, z, largestWorkGroup));
  }

  static const clang::StringLiteral* literalOf(const clang::Expr* expression) {
    return llvm::dyn_cast<clang::StringLiteral>(expression->IgnoreParenImpCasts());
  }

  clang::SourceLocation placeIn(const clang::StringLiteral& literal, std::size_t offset) const {
    return literal.getLocationOfByte(static_cast<unsigned>(offset), context_.getSourceManager(), context_.getLangOpts(),
                                     context_.getTargetInfo());
  }

  /// Clang checks the types of the arguments against the format, by the rules of C's printf.
  void checkFormat(const clang::CallExpr& call, const clang::StringLiteral& literal) {
    const std::string text = literal.getString().str();
    unsigned argument = 1;
    for (const char* at = text.c_str(); *at;) {
      if (*at++ != '%') continue;
      if (*at == '%') {
        ++at;
        continue;
      }
      const char* const begin = at - 1;
      const auto conversion = support::parsePrintfConversion(at);
      const clang::SourceLocation place = placeIn(literal, static_cast<std::size_t>(begin - text.c_str()));
      if (!conversion) return reportInvalidConversion(place, begin);  // the rest of the format cannot be parsed
      if (conversion->foreign) reportLength(place, std::string_view(begin, at), conversion->elements > 1);
      if (conversion->since31 && language_ < Language::C31)
        reportWarning(compiler_, place,
                      fmt::format("'{}' has a length modifier of OpenCL C 3.1 (-cl-std=CL3.1); it is treated as 'l'",
                                  std::string_view(begin, at)));
      if (conversion->conversion == 's' && argument < call.getNumArgs()) checkString(*call.getArg(argument));
      ++argument;
    }
  }

  /// Clang warns of what is invalid in C, but not of what is valid in C and not in OpenCL C.
  void reportInvalidConversion(clang::SourceLocation place, const char* begin) {
    const char* end = begin + 1;
    while (*end && std::strchr("0123456789.-+ #*$'hlLjztv", *end)) ++end;
    if (*end && std::strchr("diouxXfFeEgGaAcspSCm%", *end))
      reportFormat(compiler_, place,
                   fmt::format("'{}' is not a conversion specification of OpenCL C; it is printed unchanged",
                               std::string_view(begin, end + 1)));
  }

  void reportLength(clang::SourceLocation place, std::string_view conversion, bool vector) {
    if (vector)
      reportFormat(compiler_, place,
                   fmt::format("'{}' does not specify the size of the elements: write hh, h, hl or l before '{}'",
                               conversion, conversion.back()));
    else
      reportWarning(
          compiler_, place,
          fmt::format("'{}' has a length modifier that is not part of OpenCL C; it is treated as 'l'", conversion));
  }

  void checkString(const clang::Expr& argument) {
    const clang::QualType type = argument.IgnoreParenImpCasts()->getType();
    if (isString(argument) || !(type->isPointerType() || type->isArrayType()))
      return;  // clang has warned of other types
    reportFormat(compiler_, argument.getBeginLoc(), "argument of '%s' is not a string literal");
  }

  static bool isString(const clang::Expr& argument) {
    const clang::Expr* bare = argument.IgnoreParenCasts();
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(bare))
      return isString(*choice->getTrueExpr()) && isString(*choice->getFalseExpr());
    return llvm::isa<clang::StringLiteral, clang::PredefinedExpr>(bare);
  }

  bool isGuarded(const clang::VarDecl& variable) {
    auto* names = llvm::dyn_cast<clang::ItaniumMangleContext>(names_.get());
    if (!names || !variable.isStaticLocal()) return false;
    std::string guard;
    llvm::raw_string_ostream out(guard);
    names->mangleStaticGuardVariable(&variable, out);
    return module_.getNamedValue(guard);
  }

  /// "k::n" for the static variable n of function k.
  static std::string placedNameOf(const clang::VarDecl& variable) {
    const auto* function = llvm::dyn_cast_or_null<clang::NamedDecl>(variable.getParentFunctionOrMethod());
    return (function ? function->getQualifiedNameAsString() + "::" : std::string()) + variable.getNameAsString();
  }

  std::string destructorOf(const clang::VarDecl& variable) const {
    const clang::CXXRecordDecl* type = context_.getBaseElementType(variable.getType())->getAsCXXRecordDecl();
    return type ? fmt::format("{}::~{}()", type->getQualifiedNameAsString(), type->getNameAsString())
                : std::string("of an unknown type");
  }

  clang::CompilerInstance& compiler_;
  Language language_;
  clang::ASTContext& context_;
  const llvm::Module& module_;
  std::unique_ptr<clang::MangleContext> names_;
};

}  // namespace

void checkSyntax(clang::CompilerInstance& compiler, Language language, clang::CodeGenerator& generator) {
  if (const llvm::Module* module = generator.GetModule())
    Visitor(compiler, language, *module).TraverseDecl(compiler.getASTContext().getTranslationUnitDecl());
}

}  // namespace clarity::compiler
