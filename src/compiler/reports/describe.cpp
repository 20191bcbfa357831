// SPDX-License-Identifier: Apache-2.0
// This file puts a plan, and what the builder has noted, into words.
#include "compiler/reports/describe.h"

#include "compiler/analysis/barrier_regions.h"
#include "compiler/analysis/reductions.h"
#include "compiler/ir/attributes.h"
#include "compiler/ir/cost_model.h"
#include "compiler/ir/program_functions.h"
#include "compiler/packets/weighted_region.h"
#include "compiler/reports/explain.h"
#include "compiler/reports/names.h"

#include <fmt/format.h>
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

#include <algorithm>
#include <cctype>

namespace clarity::compiler {
namespace {

constexpr std::size_t mostPlaces = 5;  ///< that one remark names

constexpr char laneByLane[] = "one work-item after the other";
constexpr char rearrange[] =
    "arrange the data, or the ids, so that neighbouring work-items access neighbouring elements";
constexpr char affineIndex[] = "an index that is a multiple of an id plus what all work-items share";
constexpr char constantDivisor[] = "a divisor that is a constant or the same for all work-items";
constexpr char oneEarlyExit[] = "one exit, tested in each iteration before anything is written";

bool isAccess(const llvm::Instruction& instruction) {
  return llvm::getLoadStorePointerOperand(&instruction) != nullptr;
}

class Describer {
public:
  Describer(const PacketPlan& plan, const PacketNotes& notes, std::string_view source)
      : plan_(plan), notes_(notes), source_(source), explain_(plan, source_) {}

  RegionReport run() {
    const PacketShape& shape = plan_.shape();
    result_.form = fmt::format("packets of {} work-items along {}", shape.lanes, "xyz"[shape.along]);
    if (shape.cells() > 1)
      result_.form += fmt::format(", tiles of {} row{} of {} packet{}", shape.rows, shape.rows == 1 ? "" : "s",
                                  shape.packets, shape.packets == 1 ? "" : "s");
    describe(plan_.run());
    joinRemainders();
    for (const Accesses& accesses : accesses_) add(accesses.remark());
    return std::move(result_);
  }

private:
  /// Accesses of one line with the same form.
  struct Accesses {
    Place place;
    How how = How::OnePlace;
    std::string operation, form, help;
    bool missed = false;
    std::vector<std::string> places;

    Remark remark() const {
      std::string list;
      for (std::size_t i = 0; i < std::min(places.size(), mostPlaces); ++i) list += (i ? ", " : "") + places[i];
      if (places.size() > mostPlaces) list += fmt::format(" and {} more", places.size() - mostPlaces);
      return {RemarkKind::Access, place, fmt::format("{} {}: {}", operation, list, form), help, missed};
    }
  };

  /// A loop that is unrolled has further forms, for the iterations that remain: unrolled by fewer, and one by one.
  void joinRemainders() {
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
      Accesses& whole = accesses_[i];
      if (whole.how != How::Runs && whole.how != How::SideBySide) continue;
      const auto begin = accesses_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      bool oneByOne = false;
      const auto removed = std::remove_if(begin, accesses_.end(), [&](const Accesses& other) {
        const bool isAlone = other.how == How::Elements || other.how == How::Gather;
        const bool isSame = other.place.line == whole.place.line && other.operation == whole.operation &&
                            other.places == whole.places && (isAlone || other.how == How::Runs);
        oneByOne |= isSame && isAlone;
        return isSame;
      });
      if (removed == accesses_.end()) continue;
      accesses_.erase(removed, accesses_.end());
      whole.form += oneByOne ? "; remaining iterations element by element" : "; fewer in remaining iterations";
    }
  }

  void describe(const Level& level) {
    if (level.loop) describeLoop(level);
    for (const Step& step : level.steps) {
      if (step.loop) {
        describe(*step.loop);
        continue;
      }
      describeBranch(level, *step.block);
      for (const llvm::Instruction& instruction : *step.block) describe(instruction);
    }
  }

  void add(Remark remark) {
    std::vector<Remark>& known = result_.lines[remark.place.line];
    if (llvm::none_of(known, [&](const Remark& other) { return other.message == remark.message; }))
      known.push_back(std::move(remark));
  }

  // --- control flow
  // ----------------------------------------------------------------------------------------------------

  bool leaves(const Level& level, const llvm::BasicBlock& block) const {
    return level.loop && llvm::any_of(llvm::successors(&block),
                                      [&](const llvm::BasicBlock* next) { return !level.loop->contains(next); });
  }

  void describeLoop(const Level& level) {
    const Place place = placeOf(*level.loop);
    if (!level.divergent)
      return add({RemarkKind::Loop, place, "uniform loop: all work-items of a tile run the same iterations"});
    std::string why;
    for (const Step& step : level.steps)
      if (step.block && why.empty() && plan_.diverges(*step.block) && leaves(level, *step.block))
        why = explain_.dependence(*step.block->getTerminator()->getOperand(0));
    Remark remark{RemarkKind::Loop, place, "divergent loop"};
    if (!why.empty()) remark.message += ", exit " + why;
    if (plan_.steadyForm(level)) {
      remark.message += ": no masks until the first work-item leaves";
    } else {
      remark.missed = true;
      const bool nested = llvm::any_of(level.steps, [](const Step& step) { return step.loop != nullptr; });
      remark.message += nested ? ": masked in every iteration, as it contains a loop"
                               : ": masked in every iteration, as it has several exits, or writes before its exit";
      if (!nested) remark.help = oneEarlyExit;
    }
    add(std::move(remark));
  }

  void describeBranch(const Level& level, const llvm::BasicBlock& block) {
    if (!plan_.diverges(block) || leaves(level, block)) return;
    const llvm::Instruction& branch = *block.getTerminator();
    const bool isRare = WeightedRegion::rareSuccessor(branch) != nullptr;
    add({RemarkKind::Branch, explain_.placeNear(branch),
         fmt::format(
             "divergent branch, {}: {}", explain_.dependence(*branch.getOperand(0)),
             isRare ? "one side is rare and skipped where no work-item takes it" : "linearised, each side masked")});
  }

  // --- instructions
  // ----------------------------------------------------------------------------------------------------

  void describe(const llvm::Instruction& instruction) {
    const llvm::ArrayRef<Note> notes = notes_.of(instruction);
    if (notes.empty()) return;
    if (isAccess(instruction)) return describeAccess(instruction, notes);
    const Place place = explain_.placeNear(instruction);
    if (instruction.isAtomic()) return describeAtomic(instruction, notes[0], place);
    if (instruction.isIntDivRem()) return describeDivision(instruction, notes[0], place);
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return describeCall(*call, place);
    addLaneByLane(place, fmt::format("'{}' of type {}", instruction.getOpcodeName(), typeName(*instruction.getType())),
                  "it has no vector form");
  }

  void addLaneByLane(Place place, const std::string& what, std::string_view why, std::string help = {}) {
    const std::string message =
        why.empty() ? fmt::format("{}: {}", what, laneByLane) : fmt::format("{}: {}, as {}", what, laneByLane, why);
    add({RemarkKind::Call, place, message, std::move(help), true});
  }

  void describeAtomic(const llvm::Instruction& atomic, const Note& note, Place place) {
    std::string text = explain_.expression(atomic);
    if (!text.ends_with(')'))
      text = "atomic function on " + objectName(*atomic.getOperand(llvm::isa<llvm::StoreInst>(atomic) ? 1 : 0));
    const bool one = note.how == How::OneForAll;
    text += one ? ": one for all work-items of a packet, as they share the address"
                : fmt::format(": {}, as it is atomic", laneByLane);
    if (isOnReduction(atomic))
      text += "; privatised reduction in large launches: each thread has its own copy, without locks";
    add({RemarkKind::Atomic, place, text, one ? "" : "combine values in private or local memory first", !one});
  }

  void describeDivision(const llvm::Instruction& division, const Note& note, Place place) {
    if (place.line == 0)
      return add({RemarkKind::Division, place,
                  "local ids are computed by division, as rows of the work-group may not consist of whole sub-groups"});
    const std::string how = note.how == How::Double ? "computed in double" : laneByLane;
    add({RemarkKind::Division, place,
         fmt::format("division of {}s: {}, as there is no vector division of integers", typeName(*division.getType()),
                     how),
         constantDivisor, true});
  }

  static std::string withoutPrefix(const std::string& name, std::string_view prefix) {
    return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  }

  void describeCall(const llvm::CallInst& call, Place place) {
    const llvm::Function* callee = call.getCalledFunction();
    std::string name = callee ? callee->getName().str() : "a function";
    if (name.starts_with("cl."))
      return addLaneByLane(place, "call of " + withoutPrefix(name.substr(3), programPrefix), "it is not inlined");
    if (name.find("printf") != std::string::npos) return addLaneByLane(place, "printf", "");
    if (callee && callee->isIntrinsic()) name = llvm::Intrinsic::getBaseName(callee->getIntrinsicID()).str();
    if (name.starts_with("__clarity_")) name = name.substr(10);
    if (name.starts_with("llvm.")) name = name.substr(5);
    if (llvm::isa<llvm::MemIntrinsic>(call)) return addLaneByLane(place, "copy of a structure or an array", "");
    addLaneByLane(place, "call of " + name, "it has no vector form");
  }

  // --- accesses
  // --------------------------------------------------------------------------------------------------------

  std::string nameOfPlace(const llvm::Instruction& access, const llvm::Value& pointer) const {
    const std::string text = explain_.expression(access);
    const bool isName =
        llvm::all_of(text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
    return isName ? objectName(pointer) : text;
  }

  /// The variable that is spilled at an address; null if it is unknown.
  static const llvm::MDNode* variableIn(const llvm::Value& pointer) {
    const auto* at = llvm::dyn_cast<llvm::Instruction>(&pointer);
    while (at && !at->getMetadata(variableMetadata) && llvm::isa<llvm::GetElementPtrInst>(at))
      at = llvm::dyn_cast<llvm::Instruction>(at->getOperand(0));
    return at ? at->getMetadata(variableMetadata) : nullptr;
  }
  static bool isByCompiler(const llvm::MDNode* spilled) { return spilled && spilled->getNumOperands() > 2; }

  /// Spills and reloads stand for the variable's line, other accesses for their own.
  Place placeOfAccess(const llvm::Instruction& access, const llvm::Value& pointer) const {
    const llvm::MDNode* spilled = variableIn(pointer);
    if (!isByCompiler(spilled)) return explain_.placeNear(access);
    return {static_cast<unsigned>(llvm::mdconst::extract<llvm::ConstantInt>(spilled->getOperand(0))->getZExtValue()),
            0};
  }

  std::string nameOfSpilled(const llvm::Instruction& access, const llvm::Value& pointer) const {
    const llvm::MDNode* spilled = variableIn(pointer);
    const std::string name =
        spilled ? llvm::cast<llvm::MDString>(spilled->getOperand(1))->getString().str() : std::string();
    if (name.empty()) return "a spilled value";
    const std::string text = isByCompiler(spilled) ? std::string() : explain_.expression(access);
    return text.starts_with(name + "[") ? text : fmt::format("'{}'", name);
  }

  void describeAccess(const llvm::Instruction& access, llvm::ArrayRef<Note> notes) {
    const llvm::Value& pointer = *llvm::getLoadStorePointerOperand(&access);
    const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&pointer);
    if (slot && slot->getMetadata(uniformSlotMetadata)) return;  // a register of the group
    const bool fast =
        llvm::all_of(notes, [](const Note& note) { return note.how == How::Consecutive || note.how == How::OnePlace; });
    if ((isSpilled(pointer) && fast) || isOfPrintf(pointer)) return;  // remarks of the kernel name what is spilled
    Accesses found{.place = placeOfAccess(access, pointer),
                   .how = notes.back().how,
                   .operation = fmt::format("{} {}", llvm::isa<llvm::LoadInst>(access) ? "load" : "store",
                                            typeOf(access, pointer)),
                   .form = formOf(access, pointer, notes),
                   .help = helpFor(access, pointer, notes),
                   .missed = llvm::any_of(notes, isSlow),
                   .places = {}};
    std::string place = isSpilled(pointer) ? nameOfSpilled(access, pointer) : nameOfPlace(access, pointer);
    if (place == objectName(pointer) || (isSpilled(pointer) && !place.ends_with(']')))
      place = (llvm::isa<llvm::LoadInst>(access) ? "from " : "to ") + place;
    const auto same = llvm::find_if(accesses_, [&](const Accesses& other) {
      return other.place.line == found.place.line && other.operation == found.operation && other.form == found.form;
    });
    Accesses& one = same == accesses_.end() ? accesses_.emplace_back(std::move(found)) : *same;
    if (!llvm::is_contained(one.places, place)) one.places.push_back(std::move(place));
  }

  static bool isSlow(const Note& note) {
    return note.how == How::Gather || note.how == How::Elements || note.how == How::EachLane;
  }

  std::string formOf(const llvm::Instruction& access, const llvm::Value& pointer, llvm::ArrayRef<Note> notes) const {
    const Note *whole = nullptr, *masked = nullptr;
    for (const Note& note : notes) (note.masked ? masked : whole) = &note;
    if (!masked) return phrase(access, pointer, *whole);
    const bool needsNoMask =
        masked->how == How::Elements || masked->how == How::EachLane || masked->how == How::OnePlace;
    if (!whole) return phrase(access, pointer, *masked) + (needsNoMask ? "" : ", masked");
    if (whole->how == masked->how)
      return phrase(access, pointer, *whole) + (needsNoMask ? "" : "; masked where work-items are inactive");
    const std::string elements = "; element by element where work-items are inactive";
    if (masked->unmaskable)
      return fmt::format("{}{}, as this processor cannot mask {}s", phrase(access, pointer, *whole), elements,
                         typeOf(access, pointer));
    return phrase(access, pointer, *whole) +
           (masked->how == How::Elements ? elements
                                         : "; where work-items are inactive, " + phrase(access, pointer, *masked));
  }

  static std::string typeOf(const llvm::Instruction& access, const llvm::Value& pointer) {
    const llvm::Type& type = *llvm::getLoadStoreType(&access);
    return typeName(type, declaredUnsigned(pointer, type));
  }

  std::string phrase(const llvm::Instruction& access, const llvm::Value& pointer, const Note& note) const {
    const bool isLoad = llvm::isa<llvm::LoadInst>(access);
    const bool isPrivate = llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
    const std::string nonTemporal = note.nonTemporal ? "; non-temporal in large launches" : "";
    switch (note.how) {
      case How::OnePlace:
        return isLoad ? "uniform, one scalar load" : "uniform address, the last work-item's value stays";
      case How::Consecutive: return (isPrivate ? "private, interleaved by work-item" : "consecutive") + nonTemporal;
      case How::Reversed: return "consecutive in reverse" + nonTemporal;
      case How::Strided:
        return fmt::format("stride of {} elements, {}", note.count,
                           isLoad ? "vector loads and shuffles" : "vectors loaded, merged and stored");
      case How::SideBySide:
        return fmt::format("{} consecutive elements per work-item, whole vectors{}", note.count, nonTemporal);
      case How::Runs:
        return fmt::format("{} consecutive elements per work-item, vectors transposed, as {}", note.count,
                           why(access, pointer, note));
      case How::Rows:
        return fmt::format("consecutive along {}, {} rows transposed, as {}", "xyz"[plan_.shape().across], note.count,
                           why(access, pointer, note));
      case How::Gather:
        return fmt::format("{} instruction, as {}", isLoad ? "gather" : "scatter", why(access, pointer, note));
      case How::Elements:
        return fmt::format("{} element by element, as {}", isLoad ? "gather" : "scatter", why(access, pointer, note));
      default: return fmt::format("{}, as it is {}", laneByLane, access.isAtomic() ? "atomic" : "volatile");
    }
  }

  bool isNear(const llvm::Instruction& access, const llvm::Value& pointer) const {
    const auto bytes = static_cast<std::int64_t>(
        access.getDataLayout().getTypeAllocSize(llvm::getLoadStoreType(&access)).getFixedValue());
    const ValueForms& forms = plan_.forms();
    return forms.form(pointer) == Form::Affine && forms.stride(pointer) > bytes &&
           forms.stride(pointer) <= cost::mostShuffledStride * bytes;
  }

  /// Why an access is not consecutive.
  std::string why(const llvm::Instruction& access, const llvm::Value& pointer, const Note& note) const {
    if (llvm::getLoadStoreType(&access)->isIntegerTy(1)) return "bools have no vectors in memory";
    if (note.unmaskable)
      return fmt::format("work-items may be inactive and this processor cannot mask {}s", typeOf(access, pointer));
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0))) {
      if (plan_.forms().form(pointer) == Form::Affine)
        return fmt::format("'{}' is accessed in several sizes: each work-item's copy is in one piece",
                           variableName(*variable));
      return explain_.places(pointer, access);
    }
    const std::string text = explain_.places(pointer, access);
    if (!isNear(access, pointer) || !isSlow(note)) return text;
    return text + (llvm::isa<llvm::LoadInst>(access) ? ", and some work-items may be inactive"
                                                     : ", and what lies between must not be written");
  }

  std::string helpFor(const llvm::Instruction& access, const llvm::Value& pointer, llvm::ArrayRef<Note> notes) const {
    const Note* slow = llvm::find_if(notes, isSlow);
    if (slow == notes.end() || slow->unmaskable || slow->how == How::EachLane || isSpilled(pointer)) return {};
    if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0)))
      return "constant or uniform indices into private arrays";
    if (isNear(access, pointer)) return "an array for each member, instead of an array of structures";
    if (plan_.forms().form(pointer) == Form::Affine) return rearrange;
    switch (explain_.obstacleOf(pointer)) {
      case Explainer::Obstacle::Distance: return rearrange;
      case Explainer::Obstacle::Arithmetic: return affineIndex;
      case Explainer::Obstacle::Memory: break;
    }
    return {};
  }

  const PacketPlan& plan_;
  const PacketNotes& notes_;
  const SourceText source_;
  const Explainer explain_;
  RegionReport result_;
  std::vector<Accesses> accesses_;
};

}  // namespace

RegionReport describePackets(const PacketPlan& plan, const PacketNotes& notes, std::string_view source) {
  return Describer(plan, notes, source).run();
}

}  // namespace clarity::compiler
