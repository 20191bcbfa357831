// SPDX-License-Identifier: Apache-2.0
// This file declares what the parts of the generator share. How programs stay defined and deterministic:
// - Every expression is defined for all values of its operands: signed arithmetic goes through unsigned types, shifts
//   are masked, divisors cannot be 0 or -1, floating values are made finite and small before functions that need it. So
//   any operand may be replaced by any other of its type. An index or a trip count that needs a range is limited in its
//   expression.
// - A work-item writes its own elements of the outputs only, and private memory; counters change by atomic functions
//   that commute. Inputs are only read.
// - Local memory is a slot for each work-item; other slots are only read between two barriers where no work-item
// writes.
// - Barriers and work-group functions stand where the flow is uniform: what decides it is computed from values that
//   are equal in the whole group. Sub-group functions that need all work-items stand there too, or where a sub-group
//   decides together; those that do not (non_uniform, ballot, shuffle) stand anywhere but between labels, and name no
//   work-item that may be inactive.
// - Results that depend on the size of sub-groups come with an attribute that fixes it.
// - Loops have counters of their own that nothing else writes, and the product of all trip counts is bounded.
// Random choices must not depend on the order in which C++ evaluates function arguments: children are made inside
// braces, and patterns that need chance are made before.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "generator.h"
#include "program.h"
#include "random.h"

namespace clarity::fuzz {

/// Elements of every input: as many as the largest stride and the most work-items together need.
inline constexpr std::int64_t kInputCount = 4096;
/// Elements of a matrix: rows for some hundred turns of a loop.
inline constexpr std::int64_t kMatrixCount = 32768;

/// Something that can be read: a scalar, a vector, or the elements of an array or a buffer.
struct Variable {
  std::string pattern;  ///< the text; with "$0" where an index belongs
  Type type;
  std::int64_t count = 0;  ///< elements, of arrays
  bool uniform = false;    ///< equal in the whole work-group; of arrays: if the index is
  bool writable = false;
  std::optional<Range> range;
  bool addressable = false;  ///< a private variable whose address may be taken
};

struct StructureVariable {
  std::string name;  ///< with "$0" where an index belongs
  int structure = 0;
  std::int64_t count = 0;
};

struct Structure {
  struct Field {
    std::string name;
    Type type;
  };
  std::string name;
  std::vector<Field> fields;
};

struct Function {
  struct Formal {
    enum class Kind : std::uint8_t { Value, Structure, PrivatePointer, Input } kind = Kind::Value;
    Type type;
    int structure = 0;
  };
  std::string name;
  Type result;
  int resultStructure = -1;
  std::vector<Formal> formals;
  bool asksIds = false;
  bool usesSubGroups = false;
  int cost = 1;  ///< how often a call comes at most through its innermost statement
};

/// An output of which each work-item owns a row of elements side by side.
struct OutputRow {
  std::string start;  ///< the index of the first element
  std::string name;
  Base base;
  std::int64_t count;
};

/// A place where break or continue would go.
enum class Exit : std::uint8_t { None, Uniform, Divergent };

/// Facts about the control flow at the place that is being generated.
struct Flow {
  bool uniform = true;     ///< all work-items of a group reach it together
  bool together = true;    ///< all work-items of a sub-group reach it together
  bool structured = true;  ///< no label leads to it: which work-items are active is clear
  bool barriers = true;    ///< no work-item has returned, so barriers are allowed where the flow is uniform
  bool mayReturn = true;
  int depth = 0;
  int weight = 1;  ///< how often a work-item reaches it at most
  Exit breakTo = Exit::None, continueTo = Exit::None;
};

class Generator {
public:
  Generator(std::uint64_t seed, const Features& features);
  Program generate();

private:
  // The surroundings of the statements (generator.cpp, functions.cpp).
  void chooseFeatures();
  void chooseLaunches();
  Launch makeLaunch();
  void enlarge(Launch& launch);
  void makePrologue();
  void makeInputs();
  void makeOutputs();
  void makeOutput(int number);
  void makeCounters();
  void makeValues();
  void makeTables();
  void makeStructures();
  void makeLocalArrays();
  void makeFunction();
  void makeStructureFunction();
  Function::Formal makeFormal(std::string& signature);
  class FunctionScope;
  void makeHalves();
  void makeMatrices();
  void makeEpilogue(Node& body);
  void keepVariable(Node& body, const Variable& variable, int slot);
  void addPrologue(const std::string& name, const std::string& text);
  void addId(const std::string& name, const std::string& text, Range range, bool uniform);

  // Expressions (expressions.cpp, operations.cpp).
  NodeRef value(Type type, int depth);
  NodeRef uniformValue(Type type, int depth);
  NodeRef leaf(Type type);
  NodeRef convert(Type type, int depth);
  NodeRef constant(Type type);
  NodeRef operation(Type type, int depth);
  NodeRef vectorMade(Type type, int depth);
  NodeRef condition(int depth);
  NodeRef comparison(int depth);
  NodeRef tamed(const NodeRef& child);
  NodeRef call(Type type, int depth);
  NodeRef vectorLoad(Type type);
  NodeRef shuffled(Type type, int depth);
  NodeRef halfLoad(Type type);
  /// An integer expression whose value is in [0, count - 1].
  NodeRef index(std::int64_t count);
  NodeRef affine(std::int64_t count);
  NodeRef masked(std::int64_t count);
  NodeRef rangedLeaf(Type type);
  /// An integer expression of the type whose value is in [0, most].
  NodeRef tripCount(Type type, int most);
  NodeRef read(const Variable& variable);
  NodeRef elementOf(const Variable& variable, const NodeRef& where);
  const Variable* pickVariable(const std::function<bool(const Variable&)>& fits);
  Type scalarType();
  Type anyType();
  Type indexType();
  std::string tameName(Type type);

  // Statements (statements.cpp, control_flow.cpp).
  void fill(Node& block, int count);
  NodeRef body(int count);
  struct Choice;
  void addStatement(Node& block);
  void declare(Node& block);
  void assign(Node& block);
  void storeOutput(Node& block);
  void guardedDivision(Node& block);
  void atomicOnCounter(Node& block);
  void atomicOnOwn(Node& block);
  void privateArray(Node& block);
  void structure(Node& block);
  void copyStructure(Node& block);
  void pointer(Node& block);
  void vectorStore(Node& block);
  void halfStore(Node& block);
  void componentStore(Node& block);
  void callWithPointer(Node& block);
  void ifStatement(Node& block);
  void switchStatement(Node& block);
  void loop(Node& block);
  void jumps(Node& block);
  void jumpOut(Node& block);
  void exit(Node& block);
  /// From here on control flow is divergent: nothing that needs others to come along may be done.
  void diverge();

  // Accesses (accesses.cpp).
  void guardedLoad(Node& block);
  std::string neighbour(const std::string& t, const std::string& x, const std::string& by, const std::string& length,
                        bool isSigned);
  void neighbours(Node& block);
  void idParts(Node& block);
  void wrappingLoop(Node& block);
  void gridStride(Node& block);
  void rowLoop(Node& block);
  void raggedRow(Node& block);
  void genericPointer(Node& block);
  NodeRef wrapped(Type type);

  // The work-group together (groups.cpp).
  void enterPhase();
  void sharedPhase(Node& block);
  void tree(Node& block);
  void scan(Node& block);
  void broadcast(Node& block);
  void localCounters(Node& block);
  void globalPhase(Node& block);

  // Functions of several work-items (collectives.cpp).
  void groupFunction(Node& block);
  void checkedGroupFunction(Node& block);
  void makeSubGroups();
  NodeRef subGroupValue(Type type, int depth);
  void subGroupFunction(Node& block);
  void subGroupShuffle(Node& block);
  void subGroupBranch(Node& block);
  void subGroupLoop(Node& block);
  void checkedSubGroupFunction(Node& block);
  NodeRef subGroupCondition();
  /// Compares what a function of several work-items gives with what a loop over their values in local memory gives.
  struct Checked;
  void check(Node& block, const Checked& checked);

  // Matrices (matrices.cpp).
  struct Matrix {
    std::string name;
    Base base;
  };
  struct MatrixWalk;
  MatrixWalk matrixWalk();
  void matrixLoop(Node& block);
  void tiledMatrixLoop(Node& block);
  std::string matrixPlace(int most);
  std::string matrixElement(const MatrixWalk& walk, const Matrix& matrix, const std::string& k);
  std::string matrixUpdate(const MatrixWalk& walk, const std::string& sum, const std::string& k);

  int weighted(const std::vector<int>& weights);
  std::string fresh(const std::string& prefix) { return prefix + std::to_string(next_++); }

  Random random_;
  Features features_;
  Program program_;
  std::vector<Variable> variables_;
  std::vector<StructureVariable> structureVariables_;
  std::vector<Structure> structures_;
  std::vector<Function> functions_;
  std::vector<OutputRow> rows_;
  /// Pointers to inputs of kInputCount elements.
  struct InputPointer {
    std::string name;
    Base base;
  };
  std::vector<InputPointer> inputs_;
  std::vector<Matrix> matrices_;
  std::string halfInput_, halfOutput_;  ///< buffers of half, or empty
  int subGroupSize_ = 0;                ///< 0: the kernel has no sub-group functions
  std::vector<std::string> tamed_;
  Flow flow_;
  bool wantUniform_ = false;
  bool inFunction_ = false;
  bool asksIds_ = false;
  bool usesSubGroups_ = false;  ///< the function that is being made does
  int functionCost_ = 1;
  Type resultType_;  ///< the result's type in the function that is being made
  int budget_ = 0;   ///< statements still to be made
  int next_ = 0;     ///< number of the next name
  int dimensions_ = 1;
  std::int64_t items_ = 1;       ///< the most work-items of a launch
  std::int64_t localItems_ = 1;  ///< the most work-items of a work-group
  bool hasOffset_ = false;
  bool uneven_ = false;
  bool localGiven_ = true;
  Type idType_;  ///< the type of gid and its kind
  struct LocalArray {
    std::string name;
    Type type;
    bool shared = false;  ///< other work-items' slots are being read: no writes
  };
  std::vector<LocalArray> localArrays_;
  std::string localCounter_;  ///< an array of four counters in local memory that may be changed here, or empty
};

/// Keeps a value and puts it back.
template <class T>
class Keep {
public:
  explicit Keep(T& place) : place_(place), kept_(place) {}
  ~Keep() { place_ = kept_; }
  const T& kept() const { return kept_; }
  Keep(const Keep&) = delete;
  Keep& operator=(const Keep&) = delete;

private:
  T& place_;
  T kept_;
};

}  // namespace clarity::fuzz
