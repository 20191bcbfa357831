// SPDX-License-Identifier: Apache-2.0
// This file calls a visitor of declarations ahead of code generation.
#include "compiler/workarounds/visit_ahead.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Frontend/MultiplexConsumer.h>

#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

class VisitingConsumer : public clang::ASTConsumer {
public:
  explicit VisitingConsumer(std::function<void(clang::ASTContext&, clang::Decl&)> visit) : visit_(std::move(visit)) {}
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
    for (clang::Decl* declaration : declarations) visit_(*context_, *declaration);
    return true;
  }

private:
  const std::function<void(clang::ASTContext&, clang::Decl&)> visit_;
  clang::ASTContext* context_ = nullptr;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> visitAhead(std::unique_ptr<clang::ASTConsumer> next,
                                               std::function<void(clang::ASTContext&, clang::Decl&)> visit) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> both;
  both.push_back(std::make_unique<VisitingConsumer>(std::move(visit)));
  both.push_back(std::move(next));
  return std::make_unique<clang::MultiplexConsumer>(std::move(both));
}

}  // namespace clarity::compiler
