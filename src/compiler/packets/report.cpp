// SPDX-License-Identifier: Apache-2.0
// This file puts a plan, and what the builder noted, into words.
#include "compiler/packets/report.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/reductions.h"
#include "compiler/attributes.h"
#include "compiler/link_builtins.h"
#include "compiler/packets/explain.h"
#include "compiler/primitives.h"
#include "compiler/remarks.h"

#include <fmt/format.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cctype>

namespace clarity::compiler {
namespace {

constexpr char pastTheCaches[] = "; past the caches in large launches";
constexpr std::size_t mostPlaces = 5;  ///< that one sentence names

/// The name in OpenCL C. Integers of LLVM have no sign: `isUnsigned` is what else is known.
std::string nameOf(const llvm::Type& type, bool isUnsigned = false) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) return nameOf(*vector->getElementType(), isUnsigned) + std::to_string(vector->getNumElements());
  if (type.isHalfTy()) return "half";
  if (type.isFloatTy()) return "float";
  if (type.isDoubleTy()) return "double";
  if (type.isPointerTy()) return "pointer";
  if (type.isStructTy()) return "structure";
  if (type.isArrayTy()) return "array";
  const std::string sign = isUnsigned ? "u" : "";
  switch (type.isIntegerTy() ? type.getIntegerBitWidth() : 0) {
    case 1: return "bool";
    case 8: return sign + "char";
    case 16: return sign + "short";
    case 32: return sign + "int";
    case 64: return sign + "long";
    default: break;
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  type.print(out);
  return text;
}

/// Whether a pointer comes from a kernel argument whose elements are declared as unsigned integers of this type's size.
bool declaredUnsigned(const llvm::Value& pointer, const llvm::Type& type) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(&pointer, 0));
  const llvm::MDNode* names = argument ? argument->getParent()->getMetadata("kernel_arg_base_type") : nullptr;
  if (!names || argument->getArgNo() >= names->getNumOperands()) return false;
  const auto* text = llvm::dyn_cast<llvm::MDString>(names->getOperand(argument->getArgNo()));
  return text && text->getString().take_while([](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }) == nameOf(*type.getScalarType(), true);
}

/// "'a'" for an access through a kernel argument or to a named variable.
std::string objectOf(const llvm::Value& pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
  if (const std::string name = variableName(*object); !name.empty()) return fmt::format("'{}'", name);
  if (llvm::isa<llvm::AllocaInst>(object)) return "private memory";
  if (const auto* call = llvm::dyn_cast<llvm::Instruction>(object); call && primitiveOf(*call) == Primitive::LocalMemory) return "local memory";
  if (!llvm::isa<llvm::GlobalVariable>(object) || !object->hasName()) return "memory";
  llvm::StringRef name = object->getName();
  name.consume_front("cl.");  // place-global-variables
  return fmt::format("'{}'", demangledName(name));
}

bool isKept(const llvm::Value& pointer) {
  const auto* call = llvm::dyn_cast<llvm::Instruction>(llvm::getUnderlyingObject(&pointer, 0));
  return call && primitiveOf(*call) == Primitive::KeptMemory;
}

/// Where printf collects its arguments: nothing that a reader has written.
bool isOfPrintf(const llvm::Value& pointer) {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
  return variable && llvm::any_of(variable->users(), [](const llvm::User* user) {
           const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
           return call && call->getCalledFunction() && call->getCalledFunction()->getName().contains("printf");
         });
}

bool isAccess(const llvm::Instruction& instruction) { return llvm::getLoadStorePointerOperand(&instruction) != nullptr; }

class Describer {
public:
  Describer(const PacketPlan& plan, const PacketNotes& notes, std::string_view source)
      : plan_(plan), notes_(notes), source_(source), explain_(plan, source_) {}

  RegionReport run() {
    const PacketShape& shape = plan_.shape();
    result_.form = fmt::format("packets of {} work-items along {}", shape.lanes, "xyz"[shape.along]);
    if (shape.cells() > 1) result_.form += fmt::format(", tiles of {} row{} of {} packet{}", shape.rows, shape.rows == 1 ? "" : "s", shape.packets, shape.packets == 1 ? "" : "s");
    look(plan_.run());
    joinLeftOvers();
    for (const Sentence& sentence : sentences_) add(sentence.line, sentence.text());
    return std::move(result_);
  }

private:
  /// Accesses of one line of which the same is said.
  struct Sentence {
    unsigned line = 0;
    How made = How::OnePlace;
    std::string beginning, how;
    std::vector<std::string> places;
    std::string text() const {
      std::string list;
      for (std::size_t i = 0; i < std::min(places.size(), mostPlaces); ++i) list += (i ? ", " : "") + places[i];
      if (places.size() > mostPlaces) list += fmt::format(" and {} more", places.size() - mostPlaces);
      return fmt::format("{} {}: {}", beginning, list, how);
    }
  };

  /// A loop whose turns go several at once has a second form, for the turns that are left over.
  void joinLeftOvers() {
    for (Sentence& whole : sentences_) {
      if (whole.made != How::Runs && whole.made != How::SideBySide) continue;
      const auto removed = llvm::remove_if(sentences_, [&](const Sentence& left) {
        return (left.made == How::Elements || left.made == How::Gather) && left.line == whole.line && left.beginning == whole.beginning && left.places == whole.places;
      });
      if (removed == sentences_.end()) continue;
      sentences_.erase(removed, sentences_.end());
      whole.how += "; turns left over element by element";
      return joinLeftOvers();
    }
  }

  void look(const Level& level) {
    if (level.loop) lookAtLoop(level);
    for (const Step& step : level.steps) {
      if (step.loop) {
        look(*step.loop);
        continue;
      }
      lookAtBranch(level, *step.block);
      for (const llvm::Instruction& instruction : *step.block) look(instruction);
    }
  }

  void add(unsigned line, std::string remark) {
    std::vector<std::string>& known = result_.lines[line];
    if (!llvm::is_contained(known, remark)) known.push_back(std::move(remark));
  }

  // --- control flow ----------------------------------------------------------------------------------------------------

  bool leaves(const Level& level, const llvm::BasicBlock& block) const {
    return level.loop && llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock* next) { return !level.loop->contains(next); });
  }

  void lookAtLoop(const Level& level) {
    const unsigned line = lineOf(*level.loop);
    if (!level.masked) return add(line, "loop: all work-items of a tile take the same turns");
    std::string why;
    for (const Step& step : level.steps)
      if (step.block && why.empty() && plan_.branchesApart(*step.block) && leaves(level, *step.block)) why = explain_.dependence(*step.block->getTerminator()->getOperand(0));
    std::string text = "loop: work-items leave it in different turns" + (why.empty() ? "" : ", as " + why);
    if (plan_.steady(level)) text += "; no masks until the first has left";
    else if (llvm::any_of(level.steps, [](const Step& step) { return step.loop != nullptr; })) text += "; under masks in every turn, as another loop is inside";
    else text += "; under masks in every turn, as it may be left after something was written, or from several places";
    add(line, text);
  }

  void lookAtBranch(const Level& level, const llvm::BasicBlock& block) {
    if (!plan_.branchesApart(block) || leaves(level, block)) return;
    const llvm::Instruction& branch = *block.getTerminator();
    add(Explainer::lineNear(branch), fmt::format("work-items part here, as {}: each way runs under a mask, if anybody takes it", explain_.dependence(*branch.getOperand(0))));
  }

  // --- instructions ----------------------------------------------------------------------------------------------------

  void look(const llvm::Instruction& instruction) {
    const llvm::ArrayRef<Note> notes = notes_.of(instruction);
    if (notes.empty()) return;
    if (isAccess(instruction)) return lookAtAccess(instruction, notes);
    const unsigned line = Explainer::lineNear(instruction);
    if (instruction.isAtomic()) {
      return add(line, fmt::format("{}: {}{}", atomicOf(instruction),
                                   notes[0].how == How::OneForAll ? "one for all work-items of a packet, as they share the place" : "one work-item after the other, as it is atomic",
                                   isOnReduction(instruction) ? "; in large launches each thread does so in a copy of its own, without locks, as nobody looks before the kernel ends" : ""));
    }
    if (instruction.isIntDivRem()) return lookAtDivision(instruction, notes[0], line);
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return lookAtCall(*call, line);
    add(line, fmt::format("'{}' of type {}: one work-item after the other, as it has no form for vectors", instruction.getOpcodeName(), nameOf(*instruction.getType())));
  }

  std::string atomicOf(const llvm::Instruction& instruction) const {
    const std::string text = explain_.expression(instruction);
    return text.ends_with(')') ? text : "atomic function on " + objectOf(*instruction.getOperand(llvm::isa<llvm::StoreInst>(instruction) ? 1 : 0));
  }

  void lookAtDivision(const llvm::Instruction& division, Note note, unsigned line) {
    if (line == 0) return add(0, "local ids come by division, as rows of the work-group may not consist of whole sub-groups");
    const std::string type = nameOf(*division.getType());
    if (note.how == How::Double) add(line, fmt::format("division of {}s that differ: by way of double, as vectors of integers cannot be divided", type));
    else add(line, fmt::format("division of {}s that differ: one work-item after the other, as vectors of integers cannot be divided", type));
  }

  void lookAtCall(const llvm::CallInst& call, unsigned line) {
    const llvm::Function* callee = call.getCalledFunction();
    std::string name = callee ? callee->getName().str() : "a function";
    if (name.starts_with("cl.")) return add(line, fmt::format("call of {}: one work-item after the other, as it is not inlined", name.substr(3)));
    if (name.find("printf") != std::string::npos) return add(line, "printf: one work-item after the other");
    if (callee && callee->isIntrinsic()) name = llvm::Intrinsic::getBaseName(callee->getIntrinsicID()).str();
    if (name.starts_with("__clarity_")) name = name.substr(10);
    if (name.starts_with("llvm.")) name = name.substr(5);
    if (llvm::isa<llvm::MemIntrinsic>(call)) return add(line, "a structure or an array is copied: one work-item after the other");
    add(line, fmt::format("call of {}: one work-item after the other, as it has no form for vectors", name));
  }

  // --- accesses --------------------------------------------------------------------------------------------------------

  std::string placeOf(const llvm::Instruction& access, const llvm::Value& pointer) const {
    const std::string text = explain_.expression(access);
    const bool isName = llvm::all_of(text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
    return isName ? objectOf(pointer) : text;
  }

  /// What is known of the kept variable that an address leads to.
  static const llvm::MDNode* variableIn(const llvm::Value& pointer) {
    const auto* at = llvm::dyn_cast<llvm::Instruction>(&pointer);
    while (at && !at->getMetadata(variableMetadata) && llvm::isa<llvm::GetElementPtrInst>(at)) at = llvm::dyn_cast<llvm::Instruction>(at->getOperand(0));
    return at ? at->getMetadata(variableMetadata) : nullptr;
  }
  static bool isMoved(const llvm::MDNode* kept) { return kept && kept->getNumOperands() > 2; }

  /// The compiler's own accesses stand for the variable's line, others for theirs.
  static unsigned lineOfAccess(const llvm::Instruction& access, const llvm::Value& pointer) {
    const llvm::MDNode* kept = variableIn(pointer);
    if (!isMoved(kept)) return Explainer::lineNear(access);
    return static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(kept->getOperand(0))->getZExtValue());
  }

  /// Values that the compiler keeps have names only: the accesses are its own, whatever line they stand at.
  std::string keptPlace(const llvm::Instruction& access, const llvm::Value& pointer) const {
    const llvm::MDNode* kept = variableIn(pointer);
    const std::string name = kept ? llvm::cast<llvm::MDString>(kept->getOperand(1))->getString().str() : std::string();
    if (name.empty()) return "what is kept across a barrier";
    const std::string text = isMoved(kept) ? std::string() : explain_.expression(access);
    return text.starts_with(name + "[") ? text : fmt::format("'{}'", name);
  }

  void lookAtAccess(const llvm::Instruction& access, llvm::ArrayRef<Note> notes) {
    const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
    const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&pointer);
    if (slot && slot->getMetadata(uniformSlotMetadata)) return;  // a register of the group
    const bool plain = llvm::all_of(notes, [](const Note& note) { return note.how == How::Consecutive || note.how == How::OnePlace; });
    if ((isKept(pointer) && plain) || isOfPrintf(pointer)) return;  // the kernel's remarks speak of what is kept
    const bool isLoad = llvm::isa<llvm::LoadInst>(access);
    const std::string beginning = fmt::format("{} {}", isLoad ? "loads" : "stores", typeOf(access, pointer));
    std::string place = isKept(pointer) ? keptPlace(access, pointer) : placeOf(access, pointer);
    if (place == objectOf(pointer) || (isKept(pointer) && !place.ends_with(']'))) place = (isLoad ? "from " : "to ") + place;
    Sentence sentence{.line = lineOfAccess(access, pointer), .made = notes.back().how, .beginning = beginning, .how = howOf(access, pointer, notes), .places = {}};
    const auto same = llvm::find_if(sentences_, [&](const Sentence& other) { return other.line == sentence.line && other.beginning == sentence.beginning && other.how == sentence.how; });
    Sentence& one = same == sentences_.end() ? sentences_.emplace_back(std::move(sentence)) : *same;
    if (!llvm::is_contained(one.places, place)) one.places.push_back(std::move(place));
  }

  std::string howOf(const llvm::Instruction& access, const llvm::Value& pointer, llvm::ArrayRef<Note> notes) const {
    const Note *whole = nullptr, *masked = nullptr;
    for (const Note& note : notes) (note.masked ? masked : whole) = &note;
    if (!masked) return phrase(access, pointer, *whole);
    const bool oneByOne = masked->how == How::Elements || masked->how == How::EachLane;
    if (!whole) return phrase(access, pointer, *masked) + (oneByOne || masked->how == How::OnePlace ? "" : ", under a mask");
    if (whole->how == masked->how) return phrase(access, pointer, *whole) + (oneByOne || masked->how == How::OnePlace ? "" : ", under a mask where not all come");
    if (masked->unmaskable) return fmt::format("{}; element by element where not all come, as this processor has no masks for {}s", phrase(access, pointer, *whole), typeOf(access, pointer));
    return phrase(access, pointer, *whole) + (masked->how == How::Elements ? "; element by element where not all come" : "; where not all come " + phrase(access, pointer, *masked));
  }

  static std::string typeOf(const llvm::Instruction& access, const llvm::Value& pointer) {
    const llvm::Type& type = *llvm::getLoadStoreType(&access);
    return nameOf(type, declaredUnsigned(pointer, type));
  }

  std::string phrase(const llvm::Instruction& access, const llvm::Value& pointer, const Note& note) const {
    const bool isLoad = llvm::isa<llvm::LoadInst>(access);
    const bool isPrivate = llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
    switch (note.how) {
      case How::OnePlace: return isLoad ? "the same for all work-items of a packet" : "one place for all work-items of a packet, the last one's value stays";
      case How::Consecutive: return isPrivate ? "private, work-items side by side" : std::string("consecutive") + (note.nonTemporal ? pastTheCaches : "");
      case How::Reversed: return std::string("consecutive, in reverse") + (note.nonTemporal ? pastTheCaches : "");
      case How::Strided: {
        const char* nth[] = {"", "", "2nd", "3rd", "4th"};
        return fmt::format("every {} element, {}", nth[note.count], isLoad ? "loaded whole and shuffled" : "read, filled in and stored whole");
      }
      case How::SideBySide: return fmt::format("{} side by side in every work-item: {} whole", note.count, isLoad ? "loaded" : "stored");
      case How::Runs: return fmt::format("{} side by side in every work-item: {} as vectors and transposed, as {}", note.count, isLoad ? "read" : "written", why(access, pointer, note));
      case How::Rows:
        return fmt::format("consecutive along {}: {} by {} and transposed, as {}", "xyz"[plan_.shape().across], isLoad ? "read" : "written", note.count, why(access, pointer, note));
      case How::Gather: return fmt::format("{} by one instruction, as {}", isLoad ? "gathered" : "scattered", why(access, pointer, note));
      case How::Elements: return fmt::format("{} element by element, as {}", isLoad ? "gathered" : "scattered", why(access, pointer, note));
      default: return access.isAtomic() ? "one work-item after the other, as it is atomic" : "one work-item after the other, as it is volatile";
    }
  }

  /// Why an access is not consecutive.
  std::string why(const llvm::Instruction& access, const llvm::Value& pointer, const Note& note) const {
    if (llvm::getLoadStoreType(&access)->isIntegerTy(1)) return "bools have no vectors in memory";
    if (note.unmaskable) return fmt::format("some work-items may not come and this processor has no masks for {}s", typeOf(access, pointer));
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0))) {
      if (plan_.form(pointer) == Form::Linear) return fmt::format("'{}' is accessed in several sizes, so that each work-item's copy is in one piece", variableName(*variable));
      return "every work-item uses an element of its own; " + explain_.places(pointer, access);
    }
    const std::string text = explain_.places(pointer, access);
    const auto bytes = static_cast<std::int64_t>(access.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&access)).getFixedValue());
    const bool near = plan_.form(pointer) == Form::Linear && plan_.stride(pointer) > bytes && plan_.stride(pointer) <= mostShuffledStride * bytes;
    if (!near || (note.how != How::Elements && note.how != How::Gather)) return text;
    return text + (llvm::isa<llvm::LoadInst>(access) ? ", and not all may come" : ", and what lies between must not be written");
  }

  const PacketPlan& plan_;
  const PacketNotes& notes_;
  const SourceText source_;
  const Explainer explain_;
  RegionReport result_;
  std::vector<Sentence> sentences_;
};

std::string obstacleText(const llvm::Instruction& obstacle) {
  if (llvm::isa<llvm::AllocaInst>(obstacle)) return "a private array has a size that is only known when running";
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&obstacle);
  if (call && call->isInlineAsm()) return "inline assembly has no form for lanes";
  const std::string type = nameOf(*obstacle.getType());
  if (call && call->getCalledFunction() && !call->getCalledFunction()->isIntrinsic()) return fmt::format("what {} returns, a value of type {}, does not fit into lanes", std::string_view(call->getCalledFunction()->getName()), type);
  return fmt::format("'{}' of type {} has no form for lanes", obstacle.getOpcodeName(), type);
}

unsigned firstLine(const RegionReport& region) {
  for (const auto& [line, remarks] : region.lines)
    if (line) return line;
  return ~0u;
}

unsigned lastLine(const RegionReport& region) { return region.lines.empty() ? 0 : region.lines.rbegin()->first; }

std::string rangeOf(const RegionReport& region) {
  const unsigned first = firstLine(region), last = lastLine(region);
  if (last == 0) return "";
  return first == last ? fmt::format(", line {}", first) : fmt::format(", lines {} to {}", first, last);
}

/// A form without what it shares with the one before it: "packets of " and " along x".
std::string withoutBeginning(const std::string& form, const std::string& before) {
  const std::string_view beginning = "packets of ";
  if (!form.starts_with(beginning) || !before.starts_with(beginning)) return form;
  const std::size_t mine = form.find(' ', beginning.size()), others = before.find(' ', beginning.size());
  return form.substr(mine) == before.substr(others) ? form.substr(beginning.size(), mine - beginning.size()) : form.substr(beginning.size());
}

}  // namespace

RegionReport describePackets(const PacketPlan& plan, const PacketNotes& notes, std::string_view source) { return Describer(plan, notes, source).run(); }

RegionReport describeScalar(const ItemLoop& items, const llvm::Instruction* obstacle, const NoPackets& reasons, std::string_view source) {
  RegionReport result;
  if (obstacle) {
    result.form = "one work-item at a time, as " + obstacleText(*obstacle);
    result.lines[Explainer::lineNear(*obstacle)].push_back("this keeps the region out of packets");
  } else if (reasons.dear) {
    result.form = fmt::format("one work-item at a time, as packets would take {:.1f} times as long by a rough count", reasons.packet / reasons.alone);
    const llvm::DILocation* place = reasons.dear->getDebugLoc();
    const std::string text = place ? SourceText(source).expressionAt(place->getLine(), place->getColumn()) : std::string();
    result.lines[Explainer::lineNear(*reasons.dear)].push_back(fmt::format("{} {} would go element by element, with too little to compute beside it", llvm::isa<llvm::LoadInst>(reasons.dear) ? "loads of" : "stores to",
                                                                           text.empty() ? objectOf(*llvm::getLoadStorePointerOperand(reasons.dear)) : text));
  } else {
    result.form = "one work-item at a time, as too few stand side by side";
    for (const llvm::BasicBlock* block : items.loop->blocks())
      for (const llvm::Instruction& instruction : *block)
        if (const unsigned line = lineOf(instruction); line && instruction.mayReadOrWriteMemory()) result.lines[line];
  }
  return result;
}

std::string textOf(const PacketReport& report) {
  std::vector<const RegionReport*> regions;
  unsigned moves = 0;
  for (const RegionReport& region : report.regions) {
    if (region.lines.empty()) ++moves;
    else regions.push_back(&region);
  }
  std::ranges::stable_sort(regions, {}, [](const RegionReport* region) { return firstLine(*region); });
  std::string text;
  const bool several = regions.size() > 1;
  for (std::size_t i = 0; i < regions.size();) {
    std::size_t end = i + 1;
    std::string forms = regions[i]->form;
    for (; end < regions.size() && regions[end]->lines == regions[i]->lines; ++end)
      if (regions[end]->form != regions[end - 1]->form) forms += (forms.size() > regions[i]->form.size() ? ", " : "; then of ") + withoutBeginning(regions[end]->form, regions[end - 1]->form);
    const std::string number = end - i == 1 ? fmt::format("region {}", i + 1) : fmt::format("regions {} to {}", i + 1, end);
    text += several ? fmt::format("  {}{}: {}\n", number, rangeOf(*regions[i]), forms) : fmt::format("  {}\n", forms);
    for (const auto& [line, remarks] : regions[i]->lines)
      for (const std::string& remark : remarks) text += line ? fmt::format("    line {}: {}\n", line, remark) : fmt::format("    {}\n", remark);
    i = end;
  }
  if (moves) text += fmt::format("  {} more region{} between barriers: nothing but values handed on\n", moves, moves == 1 ? "" : "s");
  return text;
}

}  // namespace clarity::compiler
