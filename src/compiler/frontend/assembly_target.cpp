// SPDX-License-Identifier: Apache-2.0
// This file hands everything that targets answer for themselves on to another target. Answers that are data are copied.
#include "compiler/frontend/assembly_target.h"

#include <clang/Basic/MacroBuilder.h>
#include <llvm/ADT/StringExtras.h>

#include <optional>
#include <utility>

namespace clarity::compiler {
namespace {

class AnyAssembly final : public clang::TargetInfo {
public:
  explicit AnyAssembly(llvm::IntrusiveRefCntPtr<clang::TargetInfo> target)
      : TargetInfo(*target), target_(std::move(target)) {}

  bool validateAsmConstraint(const char*& name, ConstraintInfo& info) const override {
    if (!llvm::isAlpha(*name)) return false;
    info.setAllowsRegister();
    return true;
  }

  void getTargetDefines(const clang::LangOptions& language, clang::MacroBuilder& builder) const override {
    target_->getTargetDefines(language, builder);
  }
  llvm::SmallVector<clang::Builtin::InfosShard> getTargetBuiltins() const override {
    return target_->getTargetBuiltins();
  }
  BuiltinVaListKind getBuiltinVaListKind() const override { return target_->getBuiltinVaListKind(); }
  std::string_view getClobbers() const override { return target_->getClobbers(); }
  std::optional<unsigned> getDWARFAddressSpace(unsigned space) const override {
    return target_->getDWARFAddressSpace(space);
  }
  bool hasFeature(llvm::StringRef feature) const override { return target_->hasFeature(feature); }
  CallingConvCheckResult checkCallingConvention(clang::CallingConv convention) const override {
    return target_->checkCallingConvention(convention);
  }
  clang::CallingConv getDefaultCallingConv() const override { return target_->getDefaultCallingConv(); }
  bool hasBitIntType() const override { return target_->hasBitIntType(); }
  bool hasInt128Type() const override { return target_->hasInt128Type(); }
  unsigned getVtblPtrAddressSpace() const override { return target_->getVtblPtrAddressSpace(); }
  clang::LangAS getOpenCLTypeAddrSpace(clang::OpenCLTypeKind kind) const override {
    return target_->getOpenCLTypeAddrSpace(kind);
  }
  std::optional<clang::LangAS> getConstantAddressSpace() const override { return target_->getConstantAddressSpace(); }

protected:
  llvm::ArrayRef<const char*> getGCCRegNames() const override { return {}; }
  llvm::ArrayRef<GCCRegAlias> getGCCRegAliases() const override { return {}; }

private:
  llvm::IntrusiveRefCntPtr<clang::TargetInfo> target_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<clang::TargetInfo> withAnyAssembly(llvm::IntrusiveRefCntPtr<clang::TargetInfo> target) {
  return llvm::makeIntrusiveRefCnt<AnyAssembly>(std::move(target));
}

}  // namespace clarity::compiler
