// SPDX-License-Identifier: Apache-2.0
// This file visits every function ahead of code generation, those in namespaces included.
#include "compiler/workarounds/kernel_conventions.h"

#include "compiler/workarounds/visit_ahead.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>

#include <utility>

namespace clarity::compiler {
namespace {

class KernelVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit KernelVisitor(clang::ASTContext& context) : context_(context) {}

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    const auto* type = function->getType()->getAs<clang::FunctionType>();
    if (!type || !function->hasAttr<clang::DeviceKernelAttr>() || type->getCallConv() == clang::CC_DeviceKernel)
      return true;
    const auto info = type->getExtInfo().withCallingConv(clang::CC_DeviceKernel);
    function->setType(clang::QualType(context_.adjustFunctionType(type, info), 0));
    return true;
  }

private:
  clang::ASTContext& context_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> mendKernelConventions(std::unique_ptr<clang::ASTConsumer> next) {
  return visitAhead(std::move(next), [](clang::ASTContext& context, clang::Decl& declaration) {
    KernelVisitor(context).TraverseDecl(&declaration);
  });
}

}  // namespace clarity::compiler
