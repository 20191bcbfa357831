// SPDX-License-Identifier: Apache-2.0
// This file asks LLVM for lines.
#include "compiler/instrument/debug_lines.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <utility>

namespace clarity::compiler {
namespace {

using llvm::DILineInfoSpecifier;

class Dwarf final : public DebugLines {
public:
  explicit Dwarf(llvm::object::OwningBinary<llvm::object::ObjectFile> file)
      : file_(std::move(file)),
        context_(llvm::DWARFContext::create(*file_.getBinary(), llvm::DWARFContext::ProcessDebugRelocations::Process,
                                            nullptr, "", &ignore, &ignore)) {}

  std::vector<SiteCall> linesAt(std::uint64_t address) override {
    const DILineInfoSpecifier what(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                   DILineInfoSpecifier::FunctionNameKind::ShortName);
    const llvm::DIInliningInfo inlined =
        context_->getInliningInfoForAddress({address, llvm::object::SectionedAddress::UndefSection}, what);
    std::vector<SiteCall> lines;
    for (std::uint32_t i = 0; i < inlined.getNumberOfFrames(); ++i) {
      const llvm::DILineInfo& line = inlined.getFrame(i);
      if (line.Line != 0) lines.push_back({line.FunctionName, line.FileName, line.Line, line.Column});
    }
    return lines;
  }

private:
  /// Damaged or unknown information is as good as none.
  static void ignore(llvm::Error error) { llvm::consumeError(std::move(error)); }

  llvm::object::OwningBinary<llvm::object::ObjectFile> file_;
  std::unique_ptr<llvm::DWARFContext> context_;
};

}  // namespace

std::unique_ptr<DebugLines> DebugLines::open(const std::string& path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (file) return std::make_unique<Dwarf>(std::move(*file));
  llvm::consumeError(file.takeError());
  return nullptr;
}

}  // namespace clarity::compiler
