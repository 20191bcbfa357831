// SPDX-License-Identifier: Apache-2.0
// This file declares what turns one run of a region into vector code: control flow (packet_builder.cpp), values
// (packet_values.cpp), instructions (packet_instructions.cpp), memory accesses (packet_memory.cpp, packet_groups.cpp,
// packet_runs.cpp) and sub-groups (packet_sub_groups.cpp).
#pragma once

#include "compiler/packets/address.h"
#include "compiler/packets/memory_order.h"
#include "compiler/packets/packet_notes.h"
#include "compiler/packets/packet_plan.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include <array>
#include <functional>
#include <optional>

namespace llvm {
class IntrinsicInst;
}

namespace clarity::compiler {

struct Collective;

/// Makes the code of one tile. Every value has one form for each cell of the tile between which it differs; what is used
/// outside its own block travels in stack variables that the caller promotes to SSA form (variables()).
///
///   before:  %x = phi ...             after:  %x = phi ...         (first lane of the first cell)
///            %p = gep float, %a, %x           %p = gep float, %a, %x
///            %v = load float, %p              %v = load <8 x float>, %p
class PacketBuilder {
public:
  struct Input {
    std::array<llvm::Value*, 3> counter{};  ///< of the tile's first work-item
    llvm::Value* lanes = nullptr;           ///< <lanes x i1>: which lanes exist; nullptr: all. Only with one cell
  };
  PacketBuilder(PacketPlan& plan, const VectorTarget& target, const PrivateLayouts& layouts, llvm::BasicBlock& allocas);

  /// What is known of the rows along the lanes: parts of lines of the cache must not go past it.
  enum class Rows { Unknown, Long, WholeInTile };
  /// Whole vectors that a work-item writes once may go past the caches: in this launch (`now`), or in larger ones.
  void stream(bool now, Rows rows) { rows_ = rows, streams_ = now; }
  /// From now on the builder notes how it makes instructions.
  void tell(PacketNotes& notes) { notes_ = &notes; }
  bool hasStreamed() const { return hasStreamed_; }

  /// Writes the code behind `from` (which has no terminator) and returns the block, without terminator, where it ends.
  llvm::BasicBlock* build(llvm::BasicBlock* from, const Input& input);
  /// Whether a region can be built at all; otherwise the instruction that cannot, for the report.
  static const llvm::Instruction* obstacle(const PacketPlan& plan);

  llvm::ArrayRef<llvm::AllocaInst*> variables() const { return variables_; }

private:
  using Cells = llvm::SmallVector<llvm::AllocaInst*, 4>;  ///< a variable for each cell
  struct Carried {
    llvm::AllocaInst* variable = nullptr;
    bool vector = false;
  };

  // --- control flow
  void emitLevel(const Level& level);
  void emitPlain(const Level& level);
  void emitLinear(const Level& level);
  const llvm::BasicBlock* collectorOf(const llvm::BasicBlock& block) const;
  bool worthTwoForms(const Step& step) const;
  void emitLoop(const Level& level);
  void describeLoop(const Level& level, llvm::BasicBlock& header, llvm::ArrayRef<llvm::BasicBlock*> outside);
  void emitSteady(const Level& level, const SteadyLoop& steady, llvm::BasicBlock& otherForm, llvm::BasicBlock& after);
  void leaveSteady(llvm::BasicBlock& block);
  llvm::Value* allStay(llvm::BasicBlock& block, bool whenTrue);
  bool wrapsOnceAtMost(const llvm::Value& linear) const;
  llvm::Value* allPass(const llvm::ICmpInst& comparison, llvm::CmpInst::Predicate predicate);
  llvm::Value* allLanesOf(llvm::ArrayRef<llvm::Value*> lanes);
  void emitStep(const Level& level, const Step& step);
  void emitBranches(llvm::BasicBlock& block);
  void branchTogether(llvm::BasicBlock& block);
  void arriveApart(llvm::BasicBlock& block);
  llvm::BasicBlock* edgeTogether(llvm::BasicBlock& from, llvm::BasicBlock& to);
  llvm::BasicBlock* continuation(const Level& level, llvm::BasicBlock& from);
  void arrive(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::ArrayRef<llvm::Value*> lanes, llvm::Value* choice);
  void assignPhis(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::ArrayRef<llvm::Value*> lanes, llvm::Value* choice);
  bool meetsOthers(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  void clearLanes(const Level& level);
  llvm::BasicBlock* newBlock(const llvm::Twine& name);
  const Level& levelOf(const llvm::BasicBlock& block) const { return *plan_.of(block).level; }
  /// Whether a work-item's run is over: at its latch, or where nothing leads on.
  bool endsRun(const llvm::BasicBlock& block) const { return &block == plan_.items().latch || !plan_.contains(block); }

  // --- lanes
  Cells* lanesOf(const llvm::BasicBlock& block);   ///< nullptr: all lanes
  Cells* lanesOfLevel(const Level& level);
  Cells& makeLanes(const llvm::Twine& name);
  llvm::SmallVector<llvm::Value*, 4> loadLanes(const llvm::BasicBlock& block);  ///< empty: all
  llvm::Value* anyLane(llvm::ArrayRef<llvm::Value*> lanes);
  llvm::Value* anyLane(Cells& lanes);
  llvm::Value* guardOf(const llvm::BasicBlock& block);  ///< nullptr: always
  llvm::Type* laneStorage() const;
  llvm::Value* packLanes(llvm::Value* lanes);
  llvm::Value* unpackLanes(llvm::Value* stored);
  llvm::Value* noLanes() const;
  llvm::Value* allLanes() const;
  /// Lanes of all cells for which a value is made in this one; nullptr: all.
  llvm::Value* lanesFor(const llvm::Value& value, unsigned cell);
  llvm::Value* lanesOfCells(const llvm::Value& value, unsigned cell, llvm::ArrayRef<llvm::Value*> lanes);
  llvm::Value* lane(unsigned cell) { return blockLanes_.empty() ? nullptr : blockLanes_[cell]; }

  // --- values
  unsigned rowOf(unsigned cell) const { return cell / plan_.shape().packets; }
  unsigned packetOf(unsigned cell) const { return cell % plan_.shape().packets; }
  /// The cell that stands for all cells in which the value is the same.
  unsigned cellFor(const llvm::Value& value, unsigned cell) const;
  /// Cells that an instruction must be made for.
  llvm::SmallVector<unsigned, 8> cellsOf(const llvm::Value& value) const;
  llvm::SmallVector<unsigned, 8> cellsOfOperands(const llvm::Instruction& instruction) const;
  void define(const llvm::Instruction& value, unsigned cell, llvm::Value* made);
  llvm::Value* made(const llvm::Value& value, unsigned cell);
  llvm::Value* scalar(const llvm::Value& value, unsigned cell);  ///< first lane's; Scalar and Linear values only
  llvm::Value* vector(const llvm::Value& value, unsigned cell);
  llvm::Value* inLane(const llvm::Value& value, unsigned cell, llvm::Value* lane);  ///< lane: i64
  llvm::Value* advance(llvm::Value* scalar, std::int64_t by, const llvm::Value& like);
  llvm::Value* laneOffsets(llvm::Type* integer, std::int64_t stride) const;
  bool usedElsewhere(const llvm::Instruction& value) const;
  llvm::AllocaInst* makeVariable(llvm::Type* type, const llvm::Twine& name);
  llvm::Type* vectorOf(llvm::Type* type) const;
  llvm::Type* storageOf(llvm::Type* type) const;

  // --- instructions
  void emitBlock(llvm::BasicBlock& block);
  void emit(llvm::Instruction& instruction);
  void emitPhi(llvm::PHINode& phi);
  void emitScalar(llvm::Instruction& instruction, unsigned cell);
  llvm::Value* emitLinearValue(llvm::Instruction& instruction, unsigned cell);
  llvm::Value* extendNearZero(llvm::CastInst& extension, unsigned cell);
  void emitVector(llvm::Instruction& instruction, unsigned cell);
  llvm::Value* divide(llvm::BinaryOperator& division, unsigned cell);
  llvm::Value* divideEachLane(llvm::BinaryOperator& division, unsigned cell);
  void emitCall(llvm::CallInst& call);
  llvm::Value* vectorIntrinsic(llvm::IntrinsicInst& call, unsigned cell);
  llvm::Value* vectorMath(llvm::CallInst& call, unsigned cell);
  void emitExtract(llvm::ExtractValueInst& extract);
  /// Runs the instruction once for every lane that comes here, in order.
  void emitForEachLane(llvm::Instruction& instruction, unsigned cell, llvm::Value* here);
  void emitInEveryLane(llvm::Instruction& instruction, unsigned cell);
  bool oneForAll(const llvm::Instruction& instruction) const;
  void emitOneForAll(llvm::AtomicRMWInst& atomic, unsigned cell);
  static llvm::SmallVector<llvm::Type*, 2> fieldsOf(const llvm::Instruction& instruction);
  void defineFields(llvm::Instruction& instruction, unsigned cell, llvm::ArrayRef<llvm::Value*> fields);
  void emitPrivateVariable(const llvm::AllocaInst& variable);

  // --- sub-groups
  void emitSubGroup(llvm::CallInst& call, const Collective& asked);
  llvm::Value* subGroupId(llvm::CallInst& call);
  llvm::Value* ballot(llvm::Value* predicates);
  llvm::Value* ofThoseHere(llvm::CallInst& call, const Collective& asked);
  llvm::Value* exclusiveScan(llvm::CallInst& call, const Collective& asked);
  llvm::Value* clusteredReduce(llvm::CallInst& call, const Collective& asked);
  llvm::Value* agreed(const llvm::Value& value);
  llvm::Value* broadcast(llvm::CallInst& call);
  llvm::Value* shuffle(llvm::CallInst& call);
  llvm::Value* permute(llvm::Value* values, llvm::Value* from);
  llvm::Value* permuteWords(llvm::Value* values, llvm::Value* from);
  llvm::Value* permuteInMemory(llvm::Value* values, llvm::Value* from);

  // --- accesses side by side in every work-item
  struct AccessGroup {
    struct Member {
      llvm::Instruction* access = nullptr;
      std::int64_t offset = 0;  ///< bytes from what the addresses have in common
    };
    Address address;  ///< of the first member
    llvm::Type* type = nullptr;
    std::int64_t stride = 0;
    bool isStore = false;
    bool apart = false;                    ///< there is more between a lane's members and the next lane's
    llvm::SmallVector<Member, 4> members;  ///< by offset, once the group is complete
    llvm::Instruction* trigger = nullptr;  ///< the member that makes all of them
    std::int64_t triggerOffset = 0;
  };
  void findGroups(llvm::BasicBlock& block);
  /// What accesses of one small stride touch together: `in[2 * i]` and `in[2 * i + 1]` are made from the same vectors.
  struct Span {
    Address address;
    llvm::Type* type = nullptr;
    std::int64_t stride = 0, first = 0, last = 0;  ///< bytes; lowest and highest offset that a lane accesses
  };
  void addToSpans(const AccessGroup& access);
  /// The vectors that hold the elements of a strided access: elements from the first lane's to where each begins.
  llvm::SmallVector<std::int64_t, 4> partsOf(llvm::Instruction& access, std::int64_t elements) const;
  bool describeAccess(llvm::Instruction& instruction, AccessGroup& group) const;
  void keepGroup(AccessGroup& group);
  void keepRuns(const AccessGroup& group);
  void keepWhole(AccessGroup group);
  void emitGroup(const AccessGroup& group);
  llvm::Value* lanesOfPart(llvm::Value* here, unsigned part, std::size_t members);
  void loadGroup(const AccessGroup& group, llvm::Value* first, unsigned cell, llvm::Value* here);
  void storeGroup(const AccessGroup& group, llvm::Value* first, unsigned cell, llvm::Value* here);

  // --- runs: what lies side by side for one lane, and apart for the next
  using Place = llvm::function_ref<llvm::Value*(unsigned lane, unsigned offset)>;
  unsigned runLength(unsigned count) const;
  llvm::SmallVector<llvm::Value*, 16> loadRuns(llvm::Type* element, unsigned count, llvm::Align align, Place place);
  void storeRuns(llvm::ArrayRef<llvm::Value*> values, llvm::Align align, Place place);
  void streamRuns(llvm::ArrayRef<llvm::Value*> values, llvm::Align align, Place place);
  llvm::Value* placeOfLane(const llvm::Value& pointer, unsigned cell, unsigned lane, std::int64_t offset);
  bool runsAcross(const llvm::Instruction& access) const;
  void loadAcross(const llvm::LoadInst& load);
  void storeAcross(const llvm::StoreInst& store);
  void storeEachLane(const AccessGroup& group, llvm::ArrayRef<llvm::Value*> parts, unsigned cell, llvm::Value* here);
  llvm::Value* placesOfRuns(const AccessGroup& group, unsigned cell, llvm::Value* here);
  void withRuns(const AccessGroup& group, unsigned cell, llvm::Value* here, llvm::function_ref<void(llvm::Align, Place)> work);
  void loadGroupApart(const AccessGroup& group, unsigned cell, llvm::Value* here);
  void storeGroupApart(const AccessGroup& group, unsigned cell, llvm::Value* here);

  // --- memory
  void note(const llvm::Instruction& instruction, Note note) {
    if (notes_) notes_->add(instruction, note);
  }
  bool onePlace(const llvm::Value& pointer) const;
  void emitLoad(llvm::LoadInst& load);
  void emitStore(llvm::StoreInst& store);
  llvm::Value* loadVector(llvm::LoadInst& load, unsigned cell, llvm::Value* here);
  void storeVector(llvm::StoreInst& store, unsigned cell, llvm::Value* here);
  bool mayStream(const llvm::StoreInst& store);
  using Stored = std::pair<llvm::Value*, llvm::Value*>;  ///< a vector, and where it goes
  void storePast(llvm::ArrayRef<Stored> stores, llvm::Value* places, std::uint64_t unit, llvm::Align align);
  void storeStreamed(llvm::Value* stored, llvm::Value* first, unsigned cell, llvm::Align align);
  llvm::Value* placeFor(llvm::LoadInst& load, unsigned cell);
  llvm::Value* loadStrided(llvm::LoadInst& load, unsigned cell, std::int64_t elements);
  void storeStrided(llvm::StoreInst& store, unsigned cell, std::int64_t elements);
  llvm::Value* gather(llvm::LoadInst& load, unsigned cell, llvm::Value* here, bool unmaskable = false);
  void scatter(llvm::StoreInst& store, unsigned cell, llvm::Value* here, bool unmaskable = false);
  llvm::Value* addresses(const llvm::Value& pointer, unsigned cell);
  llvm::Value* spareAddress(llvm::Type* pointer);
  llvm::Value* lastActiveLane(llvm::Value* here);
  bool maskable(llvm::Type* element) const;
  llvm::Value* reversed(llvm::Value* vector);
  bool interleaved(const llvm::Value& pointer) const;
  llvm::Align alignOf(const llvm::Instruction& access) const;

  PacketPlan& plan_;
  const VectorTarget& target_;
  const PrivateLayouts& layouts_;
  llvm::BasicBlock& allocas_;
  llvm::Function& function_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> builder_;
  Input input_;
  const unsigned lanes_;
  llvm::BasicBlock* end_ = nullptr;

  llvm::BasicBlock* current_ = nullptr;  ///< original block whose code is being made
  llvm::SmallVector<llvm::Value*, 4> blockLanes_;  ///< of the current block by cell; empty: all
  using Key = std::pair<const llvm::Value*, unsigned>;
  llvm::DenseMap<Key, llvm::Value*> local_, localVectors_;  ///< known in the current block
  llvm::DenseMap<Key, Carried> carried_;                    ///< between blocks
  llvm::DenseMap<Key, llvm::AllocaInst*> incoming_;         ///< of phis
  llvm::DenseMap<Key, llvm::Value*> private_;               ///< private variables
  llvm::DenseMap<std::tuple<const llvm::Value*, unsigned, unsigned>, llvm::Value*> parts_;  ///< fields of structures, current block
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> places_;  ///< of blocks of plain levels and of loop headers
  llvm::DenseMap<const Level*, llvm::SmallVector<llvm::BasicBlock*, 8>> behind_;  ///< linear levels: what comes behind a step
  std::deque<Cells> laneStore_;
  llvm::DenseMap<const llvm::BasicBlock*, Cells*> collected_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::AllocaInst*> choices_;
  llvm::DenseMap<const Level*, Cells*> levelLanes_, nextTurn_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> arrivals_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> full_;  ///< collectors to which all lanes have come, in the form that is being made
  bool twoForms_ = false;                               ///< a step is being made in two forms
  Cells* inputLanes_ = nullptr;
  llvm::BasicBlock* otherForm_ = nullptr;  ///< header of the masked form of the steady loop that is being made
  llvm::AllocaInst* spare_ = nullptr;
  Rows rows_ = Rows::Unknown;  ///< along the lanes
  bool streams_ = false, hasStreamed_ = false;
  PacketNotes* notes_ = nullptr;
  llvm::SmallPtrSet<const llvm::Value*, 8> read_;  ///< what the kernel loads from, once mayStream() has looked
  llvm::SmallVector<llvm::AllocaInst*, 64> variables_;
  std::deque<AccessGroup> groups_;  ///< of the current block
  MemoryOrder memoryOrder_;         ///< of what its groups load
  llvm::DenseMap<const llvm::Instruction*, const AccessGroup*> groupOf_;
  llvm::SmallVector<Span, 4> spans_;  ///< of the current block
};

}  // namespace clarity::compiler
