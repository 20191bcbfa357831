// SPDX-License-Identifier: Apache-2.0
// This file makes a program around its statements: launches, arguments, ids, and what is written at the end.
#include "generator.h"

#include <algorithm>
#include <array>

#include "generator_state.h"

namespace clarity::fuzz {
namespace {

std::string text(std::int64_t value) { return std::to_string(value); }

std::int64_t powerAtLeast(std::int64_t value) {
  std::int64_t power = 1;
  while (power < value) power *= 2;
  return power;
}

}  // namespace

Generator::Generator(std::uint64_t seed, const Features& features) : random_(seed), features_(features) {}

void Generator::chooseFeatures() {
  // A program of everything is a program of the most frequent things: leave some out.
#define FUZZ_FEATURE(name, documentation) features_.name = random_.chance(65) && features_.name;
#include "features.def"
#undef FUZZ_FEATURE
  features_.matrices = features_.matrices && random_.chance(35);
  features_.subGroups = features_.subGroups && random_.chance(50);
  features_.groupFunctions = features_.groupFunctions && random_.chance(60);
  constexpr int sizes[][2] = {{3, 9}, {7, 20}, {20, 45}};
  const int size = features_.matrices ? 0 : weighted({50, 38, 12});
  budget_ = random_.between(sizes[size][0], sizes[size][1]);
}

/// As many work-items as a matrix has rows and columns.
void Generator::enlarge(Launch& launch) {
  constexpr std::array<std::size_t, 3> locals[] = {{16, 16, 1}, {8, 8, 1}, {32, 2, 1}, {64, 1, 1}, {16, 4, 1},
                                                   {1, 1, 1},   {7, 5, 1}, {32, 8, 1}, {4, 16, 1}, {13, 3, 1}};
  if (dimensions_ == 2) launch.local = random_.pick(locals);
  for (int d = 0; d < dimensions_; ++d) {
    const std::size_t most = dimensions_ == 1 ? 1000 : dimensions_ == 2 ? 64 : 16;
    launch.global[d] = launch.local[d] * static_cast<std::size_t>(random_.between(
                                             1, static_cast<int>(std::max(most / launch.local[d], std::size_t{1}))));
  }
}

Launch Generator::makeLaunch() {
  Launch launch;
  launch.dimensions = static_cast<unsigned>(dimensions_);
  if (dimensions_ == 1) {
    constexpr std::size_t locals[] = {1, 3, 5, 7, 8, 16, 33, 37, 64, 32, 100};
    launch.local[0] = random_.pick(locals);
    const auto most = static_cast<int>(400 / launch.local[0]);
    launch.global[0] = launch.local[0] * static_cast<std::size_t>(random_.between(1, std::min(most, 60)));
  } else if (dimensions_ == 2) {
    constexpr std::array<std::size_t, 3> locals[] = {{8, 4, 1},  {1, 16, 1}, {5, 3, 1},  {16, 2, 1},
                                                     {16, 4, 1}, {4, 4, 1},  {1, 1, 1},  {32, 1, 1},
                                                     {1, 64, 1}, {3, 7, 1},  {37, 1, 1}, {9, 8, 1}};
    launch.local = random_.pick(locals);
    for (int d = 0; d < 2; ++d) launch.global[d] = launch.local[d] * static_cast<std::size_t>(random_.between(1, 3));
  } else {
    constexpr std::array<std::size_t, 3> locals[] = {{8, 2, 2}, {4, 4, 4}, {1, 5, 3}, {16, 1, 2},
                                                     {1, 1, 8}, {5, 3, 2}, {8, 1, 1}};
    launch.local = random_.pick(locals);
    for (int d = 0; d < 3; ++d) launch.global[d] = launch.local[d] * static_cast<std::size_t>(random_.between(1, 2));
  }
  if (features_.matrices) enlarge(launch);
  launch.localGiven = localGiven_;
  if (uneven_)
    for (int d = 0; d < dimensions_; ++d)
      launch.global[d] += static_cast<std::size_t>(
          random_.below(static_cast<std::int64_t>(std::min(launch.local[d], std::size_t{40}))));
  if (hasOffset_)
    for (int d = 0; d < dimensions_; ++d) launch.offset[d] = static_cast<std::size_t>(random_.below(20));
  return launch;
}

void Generator::chooseLaunches() {
  const bool plane = features_.twoDimensions && random_.chance(50), matrix = features_.matrices && random_.chance(75);
  dimensions_ = plane || matrix ? 2 : features_.threeDimensions && random_.chance(20) ? 3 : 1;
  hasOffset_ = features_.offsets && random_.chance(30);
  uneven_ = features_.uneven && random_.chance(30);
  // Where implementations choose the work-group size, nothing may depend on it.
  localGiven_ = features_.barriers || features_.subGroups || features_.groupFunctions || random_.chance(75);
  for (int count = 1 + weighted({60, 30, 10}); count > 0; --count) {
    const Launch launch = makeLaunch();
    program_.launches.push_back(launch);
    items_ = std::max(items_, static_cast<std::int64_t>(launch.items()));
    localItems_ = std::max(localItems_, static_cast<std::int64_t>(launch.localItems()));
  }
}

void Generator::addPrologue(const std::string& name, const std::string& line) {
  program_.prologue.push_back({name, statement(line)});
}

void Generator::addId(const std::string& name, const std::string& line, Range range, bool uniform) {
  addPrologue(name, "const " + idType_.name() + " " + name + " = " + line + ";");
  variables_.push_back({name, idType_, 0, uniform, false, range, false});
}

void Generator::makePrologue() {
  idType_ = indexType();
  const auto axis = [&](int d) {
    const std::string n = text(d);
    return hasOffset_ ? "get_global_id(" + n + ") - get_global_offset(" + n + ")" : "get_global_id(" + n + ")";
  };
  std::int64_t most[3] = {1, 1, 1}, mostLocal[3] = {1, 1, 1}, mostGroups = 1;
  for (const Launch& launch : program_.launches) {
    for (int d = 0; d < 3; ++d) {
      most[d] = std::max(most[d], static_cast<std::int64_t>(launch.global[d]));
      mostLocal[d] =
          std::max(mostLocal[d], static_cast<std::int64_t>(launch.localGiven ? launch.local[d] : launch.global[d]));
    }
    const auto groups = static_cast<std::int64_t>(
        launch.localGiven ? (launch.global[0] + launch.local[0] - 1) / launch.local[0] : launch.global[0]);
    mostGroups = std::max(mostGroups, groups);
  }
  if (localGiven_) {
    addId("groups", "get_num_groups(0)", {1, mostGroups}, true);
    addId("group", "get_group_id(0)", {0, mostGroups - 1}, true);
  }
  if (dimensions_ == 1) {
    addId("total", "get_global_size(0)", {1, items_}, true);
    if (localGiven_) addId("lsz", "get_local_size(0)", {1, localItems_}, true);
    if (!hasOffset_) variables_.push_back({"get_global_id(0)", kULong, 0, false, false, Range{0, items_ - 1}, false});
    if (localGiven_) addId("lid", "get_local_id(0)", {0, localItems_ - 1}, false);
    addId("gid", axis(0), {0, items_ - 1}, false);
    return;
  }
  const bool deep = dimensions_ == 3;
  addId("w", "get_global_size(0)", {1, most[0]}, true);
  addId("h", "get_global_size(1)", {1, most[1]}, true);
  addId("total", std::string("get_global_size(0) * get_global_size(1)") + (deep ? " * get_global_size(2)" : ""),
        {1, items_}, true);
  if (localGiven_) {
    addId("lsz", std::string("get_local_size(0) * get_local_size(1)") + (deep ? " * get_local_size(2)" : ""),
          {1, localItems_}, true);
    addId("lx", "get_local_id(0)", {0, mostLocal[0] - 1}, false);
    addId("ly", "get_local_id(1)", {0, mostLocal[1] - 1}, false);
    if (deep) addId("lz", "get_local_id(2)", {0, mostLocal[2] - 1}, false);
    const std::string far = deep ? "(get_local_id(2) * get_local_size(1) + get_local_id(1))" : "get_local_id(1)";
    addId("lid", far + " * get_local_size(0) + get_local_id(0)", {0, localItems_ - 1}, false);
  }
  addId("gx", axis(0), {0, most[0] - 1}, false);
  addId("gy", axis(1), {0, most[1] - 1}, false);
  if (deep) addId("gz", axis(2), {0, most[2] - 1}, false);
  addId("gid", deep ? "(gz * h + gy) * w + gx" : "gy * w + gx", {0, items_ - 1}, false);
}

void Generator::makeInputs() {
  std::vector<Base> bases{Base::Int};
  for (int count = random_.between(1, 4); count > 0; --count) {
    const Base base = scalarType().base;
    if (std::ranges::find(bases, base) == bases.end()) bases.push_back(base);
  }
  for (const Base base : bases) {
    const std::string name = fresh("in"), type = Type{base, 1}.name();
    const std::string restricted = random_.chance(40) ? " restrict " : " ";
    program_.parameters.push_back({.name = name,
                                   .declaration = "__global const " + type + "*" + restricted + name,
                                   .use = Parameter::Use::Input,
                                   .base = base,
                                   .count = kInputCount,
                                   .value = 0,
                                   .sameBufferAs = ""});
    variables_.push_back({name + "[$0]", {base, 1}, kInputCount, true, false, std::nullopt, false});
    inputs_.push_back({name, base});
  }
}

void Generator::makeOutput(int number) {
  constexpr std::int64_t rowCounts[] = {1, 2, 4, 4, 8};
  const Base base = number == 0 ? Base::UInt : scalarType().base;
  const std::int64_t count = number == 0 ? 8 : random_.pick(rowCounts);
  const bool atProgramScope = number > 0 && features_.programScope && random_.chance(40);
  const std::string name = (atProgramScope ? "scope" : "out") + text(number), k = text(count),
                    power = text(powerAtLeast(items_) - 1);
  const std::string odd = text(2 * random_.below(30) + 1),
                    gid = dimensions_ == 1 && !hasOffset_ && random_.chance(30) ? "get_global_id(0)" : "gid";
  std::string start = gid + " * " + k, inner;
  switch (weighted({40, 25, 10, 10, 8, dimensions_ == 2 ? 10 : 0})) {
    case 0: inner = start + " + $0"; break;
    case 1:
      inner = "$0 * total + " + gid;
      start.clear();
      break;
    case 2:
      start = "(total - 1 - " + gid + ") * " + k;
      inner = start + " + $0";
      break;
    case 3:
      start = "((" + gid + " * " + odd + " + 5) & " + power + ") * " + k;
      inner = start + " + $0";
      break;
    case 4:
      inner = "$0 * total + (total - 1 - " + gid + ")";
      start.clear();
      break;
    default:
      start = "(gx * h + gy) * " + k;
      inner = start + " + $0";
      break;
  }
  const std::int64_t elements = powerAtLeast(items_) * count + 32;
  const auto add = [&](const std::string& parameter, const std::string& same) {
    if (!atProgramScope)
      program_.parameters.push_back({.name = parameter,
                                     .declaration = "__global " + Type{base, 1}.name() + "* " + parameter,
                                     .use = Parameter::Use::Output,
                                     .base = base,
                                     .count = elements,
                                     .value = 0,
                                     .sameBufferAs = same});
    variables_.push_back({parameter + "[" + inner + "]", {base, 1}, count, false, true, std::nullopt, false});
    if (!start.empty()) rows_.push_back({start, parameter, base, count});
  };
  if (atProgramScope) {
    const std::string initial =
        random_.chance(50) ? " = {" + literalText({base, 1}, 1) + ", " + literalText({base, 1}, 7) + "}" : "";
    program_.definitions.push_back({name, statement("__global " + Type{base, 1}.name() + " " + name + "[" +
                                                    text(elements) + "]" + initial + ";")});
  }
  add(name, "");
  if (!atProgramScope && features_.aliasing && random_.chance(40)) add("outAgain" + text(number), name);
}

void Generator::makeOutputs() {
  for (int number = 0, count = random_.between(2, 4); number < count; ++number) makeOutput(number);
}

void Generator::makeCounters() {
  for (const bool isSigned : {false, true}) {
    const std::string name = isSigned ? "signedCounters" : "counters";
    program_.parameters.push_back({.name = name,
                                   .declaration = std::string("__global ") + (isSigned ? "int* " : "uint* ") + name,
                                   .use = Parameter::Use::Output,
                                   .base = isSigned ? Base::Int : Base::UInt,
                                   .count = 16,
                                   .value = 0,
                                   .sameBufferAs = ""});
  }
}

void Generator::makeValues() {
  for (int count = random_.between(1, 3); count > 0; --count) {
    const std::string name = fresh("n");
    const Type type = indexType();
    const int number = random_.between(1, 20);
    program_.parameters.push_back({.name = name,
                                   .declaration = type.name() + " " + name,
                                   .use = Parameter::Use::Value,
                                   .base = type.base,
                                   .count = 1,
                                   .value = number,
                                   .sameBufferAs = ""});
    variables_.push_back({name, type, 0, true, false, Range{0, number}, false});
  }
}

void Generator::makeHalves() {
  halfInput_ = fresh("in");
  halfOutput_ = fresh("outHalf");
  program_.parameters.push_back({.name = halfInput_,
                                 .declaration = "__global const half* " + halfInput_,
                                 .use = Parameter::Use::Input,
                                 .base = Base::UShort,
                                 .count = kInputCount,
                                 .value = 0,
                                 .sameBufferAs = ""});
  program_.parameters.push_back({.name = halfOutput_,
                                 .declaration = "__global half* " + halfOutput_,
                                 .use = Parameter::Use::Output,
                                 .base = Base::UShort,
                                 .count = 8 * items_,
                                 .value = 0,
                                 .sameBufferAs = ""});
  if (!features_.floats) return;
  variables_.push_back(
      {"vload_half($0, " + halfInput_ + ")", {Base::Float, 1}, kInputCount, true, false, std::nullopt, false});
  variables_.push_back(
      {"vload_half($0, " + halfOutput_ + " + gid * 8)", {Base::Float, 1}, 8, false, false, std::nullopt, false});
}

void Generator::makeTables() {
  for (int count = random_.between(0, 2); count > 0; --count) {
    const Type type = anyType();
    const std::string name = fresh("table");
    const int elements = random_.chance(50) ? 8 : 13;
    std::string list;
    for (int i = 0; i < elements; ++i)
      list += (i > 0 ? ", " : "") + literalText(type, random_.below(type.isSigned() ? 100 : 250));
    const std::string memory = !features_.programScope || random_.chance(50) ? "__constant "
                               : random_.chance(50)                          ? "__global "
                                                                             : "__global const ";
    program_.definitions.push_back(
        {name, statement(memory + type.name() + " " + name + "[" + text(elements) + "] = {" + list + "};")});
    variables_.push_back({name + "[$0]", type, elements, true, false, std::nullopt, false});
  }
}

void Generator::makeStructures() {
  for (int count = random_.between(1, 2); count > 0; --count) {
    Structure structure;
    structure.name = fresh("S");
    std::string fields;
    for (int i = 0, n = random_.between(2, 5); i < n; ++i) {
      const Type type = random_.chance(80) ? scalarType() : anyType();
      structure.fields.push_back({"m" + text(i), type});
      fields += "  " + type.name() + " m" + text(i) + ";\n";
    }
    program_.definitions.push_back(
        {structure.name, statement("typedef struct {\n" + fields + "} " + structure.name + ";")});
    structures_.push_back(structure);
  }
}

void Generator::makeLocalArrays() {
  for (int count = random_.between(1, 3); count > 0; --count) {
    const Type type = random_.chance(85) ? scalarType() : anyType();
    const std::string name = fresh("loc"), elements = text(localItems_), t = type.name();
    std::string declaration;
    if (random_.chance(30))
      program_.parameters.push_back({.name = name,
                                     .declaration = "__local " + t + "* " + name,
                                     .use = Parameter::Use::LocalMemory,
                                     .base = type.base,
                                     .count = localItems_ * (type.lanes == 3 ? 4 : type.lanes),
                                     .value = 0,
                                     .sameBufferAs = ""});
    else
      declaration = "__local " + t + " " + name + "[" + elements + "];\n";
    const std::string i = fresh("i"), initial = type.isVector()
                                                    ? "(" + t + ")((" + type.element().name() + ")(" + i + " * 3))"
                                                    : "(" + t + ")(" + i + " * 3)";
    addPrologue(name, declaration + "for (uint " + i + " = lid; " + i + " < " + elements + "; " + i + " += lsz) " +
                          name + "[" + i + "] = " + initial + ";\nbarrier(CLK_LOCAL_MEM_FENCE);");
    variables_.push_back({name + "[lid]", type, 0, false, true, std::nullopt, false});
    localArrays_.push_back({name, type, false});
  }
}

void Generator::keepVariable(Node& body, const Variable& variable, int slot) {
  const Type type = variable.type;
  NodeRef read = variable.count > 0 ? elementOf(variable, index(variable.count)) : expression(type, variable.pattern);
  std::vector<const Variable*> places;
  for (const Variable& place : variables_)
    if (place.pattern.starts_with("out") && place.count > 1) places.push_back(&place);
  const auto same = std::ranges::find_if(places, [&](const Variable* place) { return place->type == type; });
  const Variable& place = same != places.end() ? **same : *places.front();
  std::string where = place.pattern;
  where.replace(where.find("$0"), 2, text(slot % place.count));
  if (same != places.end()) {
    body.children.push_back(statement(where + (type.isFloating() ? " = $0;" : " ^= $0;"), {read}));
    return;
  }
  std::string sum;
  for (int lane = 0; lane < type.lanes; ++lane) {
    const std::string part = type.isVector() ? "($0).s" + text(lane) : "$0";
    sum += (lane > 0 ? " ^ " : "") + (type.isFloating() ? "convert_int_sat(" + part + " * 16)" : "(uint)" + part);
  }
  body.children.push_back(statement(where + " ^= " + sum + ";", {read}));
}

void Generator::makeEpilogue(Node& body) {
  int slot = 0;
  const std::vector<Variable> variables = variables_;
  for (const Variable& variable : variables) {
    const bool fixed = std::ranges::any_of(std::array{"in", "out", "table", "vload"},
                                           [&](const char* start) { return variable.pattern.starts_with(start); });
    if (fixed || variable.range) continue;
    keepVariable(body, variable, slot++);
  }
}

Program Generator::generate() {
  chooseFeatures();
  chooseLaunches();
  if (features_.structures) makeStructures();
  if (features_.tables) makeTables();
  const int functions = features_.functions ? random_.between(1, 3) : 0;
  for (int i = 0; i < functions; ++i)
    features_.structures&& random_.chance(35) ? makeStructureFunction() : makeFunction();
  makePrologue();
  makeInputs();
  makeOutputs();
  makeValues();
  makeCounters();
  if (features_.halves) makeHalves();
  if (features_.barriers) makeLocalArrays();
  if (features_.subGroups) makeSubGroups();
  flow_ = {};
  flow_.barriers = features_.barriers || features_.subGroups || features_.groupFunctions;
  program_.body = block();
  Node& body = *program_.body;
  if (features_.matrices) makeMatrices();
  if (features_.matrices) matrixLoop(body);
  for (int i = 0; i < 40 && budget_ > 0; ++i) {
    // The last part needs no barriers, so work-items may leave.
    if (flow_.barriers && budget_ <= 2) flow_.barriers = false;
    addStatement(body);
  }
  makeEpilogue(body);
  return program_;
}

Program generate(std::uint64_t seed, const Features& features) { return Generator(seed, features).generate(); }

bool setFeature(Features& features, const std::string& name, bool value) {
#define FUZZ_FEATURE(feature, documentation) \
  if (name == #feature) {                    \
    features.feature = value;                \
    return true;                             \
  }
#include "features.def"
#undef FUZZ_FEATURE
  return false;
}

std::string listFeatures() {
  std::string lines;
#define FUZZ_FEATURE(name, documentation) lines += "  " #name ": " documentation "\n";
#include "features.def"
#undef FUZZ_FEATURE
  return lines;
}

}  // namespace clarity::fuzz
