// SPDX-License-Identifier: Apache-2.0
// This file visits every function ahead of code generation, those in namespaces included.
#include "compiler/workarounds/kernel_conventions.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Frontend/MultiplexConsumer.h>

#include <utility>
#include <vector>

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

class KernelConsumer : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (clang::Decl* declaration : declarations) KernelVisitor(*context_).TraverseDecl(declaration);
    return true;
  }

private:
  clang::ASTContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> mendKernelConventions(std::unique_ptr<clang::ASTConsumer> next) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> both;
  both.push_back(std::make_unique<KernelConsumer>());
  both.push_back(std::move(next));
  return std::make_unique<clang::MultiplexConsumer>(std::move(both));
}

}  // namespace clarity::compiler
