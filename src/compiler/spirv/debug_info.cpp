// SPDX-License-Identifier: Apache-2.0
// This file makes LLVM's locations of a module's lines and scopes.
#include "compiler/spirv/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace clarity::compiler::spirv {
namespace {

/// Instructions that the sets have in common.
enum Info : std::uint32_t {
  debugFunction = 20,
  debugLexicalBlock = 21,
  debugLexicalBlockDiscriminator = 22,
  debugScope = 23,
  debugNoScope = 24,
  debugInlinedAt = 25,
  debugSource = 35,
  debugFunctionDefinition = 101,
  debugSourceContinued = 102,
  debugLine = 103,
  debugNoLine = 104,
};

/// The operands of OpExtInst begin behind the set and the number.
constexpr std::size_t firstOperand = 2;
/// Scopes in scopes, and calls in calls, that are followed: a module may lead in a circle.
constexpr unsigned mostNested = 200;
/// Texts beyond that are left out.
constexpr std::size_t mostTextBytes = 1u << 26;
/// A text of this kind is the checksum of a file (SPIRV-LLVM-Translator).
constexpr std::string_view checksumPrefix = "//__CSK_";

/// Whether more scopes are around one than are followed.
bool isTooDeep(const llvm::DILocalScope* scope) {
  unsigned depth = 0;
  while (const auto* const block = llvm::dyn_cast<llvm::DILexicalBlockBase>(scope)) {
    if (++depth > mostNested) return true;
    scope = block->getScope();
  }
  return false;
}

bool isTooDeep(const llvm::DILocation* call) {
  unsigned depth = 0;
  for (; call; call = call->getInlinedAt())
    if (++depth > mostNested) return true;
  return false;
}

bool isExtended(const Instruction& instruction) {
  return instruction.op == Op::ExtInst || instruction.op == Op::ExtInstWithForwardRefsKHR;
}

}  // namespace

DebugInfo::DebugInfo(ModuleReader& module, const Binary& binary) : module_(module), context_(module.context()) {
  // Names of files are strings: there are no lines without.
  if (!module.annotations().strings().empty()) collect(binary);
}

void DebugInfo::collect(const Binary& binary) {
  for (const Instruction& instruction : binary.instructions) {
    if (instruction.op == Op::Source || instruction.op == Op::SourceContinued) readSource(instruction);
    if (!isExtended(instruction) || !isDebug(module_.annotations().setOf(instruction))) continue;
    infos_[instruction.result] = &instruction;
    if (instruction[1] == debugFunction && instruction.has(firstOperand + 9))
      functions_[instruction[firstOperand + 9]] = &instruction;
    if (instruction[1] == debugFunctionDefinition)
      if (const Instruction* const function = find(idAt(instruction, 0))) functions_[idAt(instruction, 1)] = function;
    if (instruction[1] == debugSource || instruction[1] == debugSourceContinued) readSource(instruction);
  }
}

/// OpSource's text or DebugSource's, and what continues it.
void DebugInfo::readSource(const Instruction& instruction) {
  const bool isInfo = isExtended(instruction);
  const bool continues = instruction.op == Op::SourceContinued || (isInfo && instruction[1] == debugSourceContinued);
  if (!continues) lastSource_ = &instruction;
  // A module may say that one string is many texts.
  if (!lastSource_ || textBytes_ > mostTextBytes) return;
  const std::uint32_t file = isExtended(*lastSource_) ? idAt(*lastSource_, 0)
                             : lastSource_->has(2)    ? (*lastSource_)[2]
                                                      : 0;
  std::string text;
  if (isInfo)
    text = textAt(instruction, continues ? 0 : 1);
  else if (continues || instruction.has(3))
    text = literalString(instruction, continues ? 0 : 3).text;
  if (file == 0 || text.empty() || text.starts_with(checksumPrefix)) return;
  textBytes_ += text.size();
  if (textBytes_ <= mostTextBytes) texts_[file] += text;
}

const Instruction* DebugInfo::find(std::uint32_t id) const {
  const auto found = infos_.find(id);
  return found == infos_.end() ? nullptr : found->second;
}

std::uint32_t DebugInfo::idAt(const Instruction& instruction, std::size_t index) const {
  return instruction.has(firstOperand + index) ? instruction[firstOperand + index] : 0;
}

unsigned DebugInfo::numberAt(const Instruction& instruction, std::size_t index) const {
  const std::uint32_t given = idAt(instruction, index);
  if (module_.annotations().setOf(instruction) == InstructionSet::Debug) return given;
  const auto* const number = llvm::dyn_cast_or_null<llvm::ConstantInt>(module_.valueOf(given));
  return number ? static_cast<unsigned>(number->getLimitedValue(~0u)) : 0;
}

std::string_view DebugInfo::textAt(const Instruction& instruction, std::size_t index) const {
  return module_.annotations().stringOf(idAt(instruction, index));
}

std::uint32_t DebugInfo::fileOfSource(std::uint32_t source) const {
  const Instruction* const info = find(source);
  return info && (*info)[1] == debugSource ? idAt(*info, 0) : 0;
}

llvm::DIFile* DebugInfo::file(std::uint32_t id) {
  llvm::DIFile*& made = files_[id];
  if (made) return made;
  const std::string_view name = module_.annotations().stringOf(id);
  // All files of a module have their text, or none.
  const auto text = texts_.find(id);
  std::optional<llvm::StringRef> source;
  if (!texts_.empty()) source = text == texts_.end() ? llvm::StringRef("\n") : llvm::StringRef(text->second);
  return made = llvm::DIFile::get(context_, name.empty() ? llvm::StringRef("program.spv") : llvm::StringRef(name), ".",
                                  std::nullopt, source);
}

/// The one of clang: it says that there are locations, and no more.
llvm::DICompileUnit& DebugInfo::unit(llvm::DIFile& file) {
  if (unit_) return *unit_;
  llvm::DIBuilder builder(module_.module());
  unit_ = builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL), &file, "SPIR-V", true, "",
                                    0, "", llvm::DICompileUnit::NoDebug, 0, false, false,
                                    llvm::DICompileUnit::DebugNameTableKind::None);
  builder.finalize();
  return *unit_;
}

llvm::DISubprogram* DebugInfo::makeSubprogram(std::string_view name, std::string_view linkageName, const Line& line) {
  llvm::DIFile* const file = this->file(line.file);
  auto* const type = llvm::DISubroutineType::get(context_, llvm::DINode::FlagZero, 0, llvm::MDTuple::get(context_, {}));
  return llvm::DISubprogram::getDistinct(context_, file, llvm::StringRef(name),
                                         linkageName == name ? llvm::StringRef() : llvm::StringRef(linkageName), file,
                                         line.line, type, line.line, nullptr, 0, 0, llvm::DINode::FlagPrototyped,
                                         llvm::DISubprogram::SPFlagDefinition, &unit(*file));
}

llvm::DISubprogram* DebugInfo::subprogramOf(const Instruction& function) {
  llvm::DISubprogram*& made = subprograms_[function.result];
  if (!made)
    made = makeSubprogram(textAt(function, 0), textAt(function, 6),
                          {fileOfSource(idAt(function, 2)), numberAt(function, 3), 0});
  return made;
}

/// nullptr for a scope that is none of a function: the module's, a type's.
llvm::DILocalScope* DebugInfo::scopeOf(std::uint32_t id, unsigned depth) {
  const Instruction* const info = find(id);
  if (!info || depth > mostNested) return nullptr;
  if ((*info)[1] == debugFunction) return subprogramOf(*info);
  if (const auto known = scopes_.find(id); known != scopes_.end()) return known->second;
  llvm::DILocalScope* made = nullptr;
  if ((*info)[1] == debugLexicalBlockDiscriminator) {
    made = scopeOf(idAt(*info, 2), depth + 1);
  } else if ((*info)[1] == debugLexicalBlock) {
    llvm::DILocalScope* const parent = scopeOf(idAt(*info, 3), depth + 1);
    const unsigned line = numberAt(*info, 1);
    if (parent && !isTooDeep(parent))
      made = llvm::DILexicalBlock::getDistinct(context_, parent, file(fileOfSource(idAt(*info, 0))), line,
                                               line == 0 ? 0 : numberAt(*info, 2));
  }
  return scopes_[id] = made;
}

llvm::DILocation* DebugInfo::inlinedAt(std::uint32_t id, unsigned depth) {
  const Instruction* const info = find(id);
  if (!info || (*info)[1] != debugInlinedAt || depth > mostNested) return nullptr;
  if (const auto known = inlined_.find(id); known != inlined_.end()) return known->second;
  llvm::DILocalScope* const scope = scopeOf(idAt(*info, 1));
  llvm::DILocation* const outer = inlinedAt(idAt(*info, 2), depth + 1);
  llvm::DILocation* made = nullptr;
  if (scope && (outer || !info->has(firstOperand + 2)) && !isTooDeep(outer))
    made = llvm::DILocation::getDistinct(context_, numberAt(*info, 0), 0, scope, outer);
  return inlined_[id] = made;
}

void DebugInfo::begin(const FunctionRange& range, std::string_view name) {
  function_ = range.function;
  subprogram_ = nullptr;
  line_.reset();
  scope_ = inlinedAt_ = 0;
  if (module_.annotations().strings().empty() || !range.function || range.function->isIntrinsic()) return;
  const auto described = functions_.find(range.definition->result);
  if (described != functions_.end()) {
    subprogram_ = subprogramOf(*described->second);
  } else {
    const auto line = std::ranges::find(range.body, Op::Line, &Instruction::op);
    if (line != range.body.end())
      subprogram_ = makeSubprogram(name, "", {(*line)[0], (range.line ? *range.line : *line)[1], 0});
  }
  // One DebugFunction may be said to be several functions.
  if (subprogram_ && !described_.insert(subprogram_).second)
    subprogram_ = makeSubprogram(name, "", {fileOfSource(idAt(*described->second, 2)), subprogram_->getLine(), 0});
  function_->setSubprogram(subprogram_);
}

void DebugInfo::read(const Instruction& instruction) {
  if (!subprogram_) return;
  switch (instruction.op) {
    case Op::Line: line_ = {instruction[0], instruction[1], instruction[2]}; return;
    case Op::Label:
    case Op::NoLine: line_.reset(); break;
    case Op::ExtInst:
    case Op::ExtInstWithForwardRefsKHR:
      if (isDebug(module_.annotations().setOf(instruction))) readExtended(instruction);
      return;
    default: return;
  }
  if (instruction.op == Op::Label) scope_ = inlinedAt_ = 0;
}

void DebugInfo::readExtended(const Instruction& instruction) {
  switch (instruction[1]) {
    case debugScope:
      scope_ = idAt(instruction, 0);
      inlinedAt_ = idAt(instruction, 1);
      return;
    case debugNoScope: scope_ = inlinedAt_ = 0; return;
    case debugLine:
      line_ = {fileOfSource(idAt(instruction, 0)), numberAt(instruction, 1), numberAt(instruction, 3)};
      return;
    case debugNoLine: line_.reset(); return;
    default: return;
  }
}

llvm::DebugLoc DebugInfo::location() {
  if (!subprogram_ || !line_) return {};
  llvm::DILocation* const call = inlinedAt_ ? inlinedAt(inlinedAt_) : nullptr;
  llvm::DILocalScope* scope = scope_ ? scopeOf(scope_) : nullptr;
  // The outermost scope is the function's; where it is not, the line remains.
  const llvm::DILocation* outermost = call;
  while (outermost && outermost->getInlinedAt()) outermost = outermost->getInlinedAt();
  const llvm::DILocalScope* const outer = outermost ? outermost->getScope() : scope;
  const bool isOurs = scope && outer && outer->getSubprogram() == subprogram_ && (call || !inlinedAt_);
  if (!isOurs) scope = subprogram_;
  if (llvm::DIFile* const place = file(line_->file); place != scope->getFile())
    scope = llvm::DILexicalBlockFile::get(context_, scope, place, 0);
  return llvm::DILocation::get(context_, line_->line, line_->line == 0 ? 0 : line_->column, scope,
                               isOurs ? call : nullptr);
}

void DebugInfo::end() {
  if (!subprogram_) return;
  for (llvm::Instruction& instruction : llvm::instructions(*function_))
    if (llvm::isa<llvm::CallInst>(instruction) && !instruction.getDebugLoc())
      instruction.setDebugLoc(llvm::DILocation::get(context_, 0, 0, subprogram_));
}

}  // namespace clarity::compiler::spirv
