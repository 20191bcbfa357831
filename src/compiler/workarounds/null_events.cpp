// SPDX-License-Identifier: Apache-2.0
// This file visits every declaration ahead of code generation.
#include "compiler/workarounds/null_events.h"

#include "compiler/workarounds/visit_ahead.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/Diagnostic.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace clarity::compiler {
namespace {

class EventVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit EventVisitor(clang::ASTContext& context) : context_(context) {}

  bool VisitVarDecl(clang::VarDecl* variable) override {
    auto* const wrong = llvm::dyn_cast_or_null<clang::RecoveryExpr>(variable->getInit());
    if (!wrong || wrong->subExpressions().size() != 1) return true;
    auto* const list = llvm::dyn_cast<clang::InitListExpr>(wrong->subExpressions().front());
    if (!list || !context_.getBaseElementType(variable->getType())->isEventT()) return true;
    const clang::QualType type = sizedType(*list, variable->getType());
    if (clang::Expr* const whole = wholeList(list, type)) {
      variable->setType(type);
      variable->setInit(whole);
    }
    return true;
  }

  bool VisitRecoveryExpr(clang::RecoveryExpr* wrong) override {
    clang::DiagnosticsEngine& diagnostics = context_.getDiagnostics();
    if (diagnostics.hasErrorOccurred()) return true;
    const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                    "the compiler does not understand this expression");
    diagnostics.Report(wrong->getBeginLoc(), id) << wrong->getSourceRange();
    return true;
  }

private:
  /// The type of `event_t e[] = {...}`, with a size.
  clang::QualType sizedType(const clang::InitListExpr& list, clang::QualType type) {
    const auto* const array = context_.getAsIncompleteArrayType(type);
    if (!array) return type;
    std::uint64_t length = 0;
    std::optional<Elements> at = Elements{0, 0};
    for (const clang::Expr* given : list.inits()) {
      if (at = elementsOf(*given, at->end); !at) return type;
      length = std::max(length, at->end);
    }
    const llvm::APInt size(64, length);
    return context_.getConstantArrayType(array->getElementType(), size, nullptr, clang::ArraySizeModifier::Normal, 0);
  }

  /// The elements that one initialiser gives a value.
  struct Elements {
    std::uint64_t begin = 0, end = 0;
  };
  static constexpr std::uint64_t mostElements = 1 << 16;

  /// `[2] = 0` names its element, `[2 ... 5] = 0` several; others follow those before. Nothing if it is none of these.
  std::optional<Elements> elementsOf(const clang::Expr& given, std::uint64_t next) const {
    const auto* const designated = llvm::dyn_cast<clang::DesignatedInitExpr>(&given);
    if (!designated) return Elements{next, next + 1};
    const clang::DesignatedInitExpr::Designator* const first = designated->designators().data();
    if (designated->size() != 1 || !(first->isArrayDesignator() || first->isArrayRangeDesignator()))
      return std::nullopt;
    const bool isRange = first->isArrayRangeDesignator();
    const auto begin = indexOf(isRange ? *designated->getArrayRangeStart(*first) : *designated->getArrayIndex(*first));
    const auto last = isRange ? indexOf(*designated->getArrayRangeEnd(*first)) : begin;
    if (!begin || !last || *last < *begin) return std::nullopt;
    return Elements{*begin, *last + 1};
  }

  std::optional<std::uint64_t> indexOf(const clang::Expr& index) const {
    const auto value = index.isValueDependent() ? std::nullopt : index.getIntegerConstantExpr(context_);
    if (!value || value->isNegative() || value->getActiveBits() > 32 || value->getZExtValue() >= mostElements)
      return std::nullopt;
    return value->getZExtValue();
  }

  /// The list with events in place of zeros, and null events where it has none; null if there is anything else.
  clang::InitListExpr* wholeList(clang::InitListExpr* list, clang::QualType type) {
    const auto* const array = context_.getAsConstantArrayType(type);
    if (!array) return nullptr;
    const clang::QualType element = array->getElementType();
    std::vector<clang::Expr*> values;
    std::optional<Elements> at = Elements{0, 0};
    for (clang::Expr* given : list->inits()) {
      if (at = elementsOf(*given, at->end); !at || at->end > array->getZExtSize()) return nullptr;
      if (auto* const designated = llvm::dyn_cast<clang::DesignatedInitExpr>(given)) given = designated->getInit();
      while (values.size() < at->end) values.push_back(nullEvent(element));
      for (std::uint64_t index = at->begin; index < at->end; ++index) {
        auto* const inner = llvm::dyn_cast<clang::InitListExpr>(given);
        values[index] = inner ? wholeList(inner, element) : event(given, element);
        if (!values[index]) return nullptr;
      }
    }
    auto* const whole =
        new (context_) clang::InitListExpr(context_, list->getLBraceLoc(), values, list->getRBraceLoc());
    whole->setType(type);
    if (values.size() < array->getZExtSize()) whole->setArrayFiller(nullEvent(element));
    return whole;
  }

  clang::Expr* nullEvent(clang::QualType type) {
    return new (context_) clang::ImplicitValueInitExpr(type.getUnqualifiedType());
  }

  clang::Expr* event(clang::Expr* given, clang::QualType type) {
    if (given->getType()->isEventT())
      return given->isGLValue()
                 ? clang::ImplicitCastExpr::Create(context_, type.getUnqualifiedType(), clang::CK_LValueToRValue, given,
                                                   nullptr, clang::VK_PRValue, {})
                 : given;
    const auto value = given->isValueDependent() ? std::nullopt : given->getIntegerConstantExpr(context_);
    if (!type->isEventT() || !value || !value->isZero()) return nullptr;
    return clang::ImplicitCastExpr::Create(context_, type.getUnqualifiedType(), clang::CK_ZeroToOCLOpaqueType, given,
                                           nullptr, clang::VK_PRValue, {});
  }

  clang::ASTContext& context_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> mendNullEvents(std::unique_ptr<clang::ASTConsumer> next) {
  return visitAhead(std::move(next), [](clang::ASTContext& context, clang::Decl& declaration) {
    EventVisitor(context).TraverseDecl(&declaration);
  });
}

}  // namespace clarity::compiler
