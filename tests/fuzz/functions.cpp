// SPDX-License-Identifier: Apache-2.0
// This file makes helper functions.
#include <algorithm>

#include "generator_state.h"

namespace clarity::fuzz {

Function::Formal Generator::makeFormal(std::string& signature) {
  Function::Formal formal;
  const int form = weighted({65, features_.pointers ? 15 : 0, 20});
  const std::string name = fresh("q");
  if (!signature.empty()) signature += ", ";
  if (form == 0) {
    formal.type = anyType();
    signature += formal.type.name() + " " + name;
    variables_.push_back({name, formal.type, 0, false, true, std::nullopt, true});
  } else if (form == 1) {
    formal.kind = Function::Formal::Kind::PrivatePointer;
    formal.type = anyType();
    signature += formal.type.name() + "* " + name;
    variables_.push_back({"(*" + name + ")", formal.type, 0, false, true, std::nullopt, false});
  } else {
    formal.kind = Function::Formal::Kind::Input;
    formal.type = kInt;
    signature += "__global const int* " + name;
    variables_.push_back({name + "[$0]", formal.type, kInputCount, false, false, std::nullopt, false});
    inputs_.push_back({name, Base::Int});
  }
  return formal;
}

void Generator::beginFunction() {
  structureVariables_.clear();
  inputs_.clear();
  std::erase_if(variables_, [](const Variable& v) { return !v.pattern.starts_with("table"); });
  flow_ = {.uniform = false, .barriers = false, .mayReturn = true, .depth = 1};
  inFunction_ = true;
  asksIds_ = false;
  functionCost_ = 1;
  budget_ = random_.between(3, 9);
}

void Generator::makeFunction() {
  const Keep variables(variables_);
  const Keep structureVariables(structureVariables_);
  const Keep inputs(inputs_);
  const Keep flow(flow_);
  const Keep budget(budget_);
  const Keep inside(inFunction_);
  beginFunction();
  Function function;
  function.name = fresh("f");
  function.result = resultType_ = anyType();
  std::string signature;
  for (int count = random_.between(1, 4); count > 0; --count) function.formals.push_back(makeFormal(signature));
  if (random_.chance(20)) {
    asksIds_ = true;
    variables_.push_back({"(uint)get_global_id(0)", kUInt, 0, false, false, Range{0, 2 * kInputCount}, false});
  }
  NodeRef body = block();
  declare(*body);
  const std::size_t inner = variables_.size();
  for (int i = 0; i < 6 && budget_ > 0; ++i) addStatement(*body);
  body->children.push_back(statement("return $0;", {value(function.result, 3)}));
  body->children.back()->needed = true;
  variables_.resize(inner);
  function.asksIds = asksIds_;
  function.cost = functionCost_ * 4;
  const std::string attribute = random_.chance(35) ? "__attribute__((noinline)) " : "";
  const std::string head = attribute + function.result.name() + " " + function.name + "(" + signature + ") ";
  program_.definitions.push_back({function.name, statement(head + "$0", {body})});
  functions_.push_back(function);
}

void Generator::makeStructureFunction() {
  const Keep variables(variables_);
  const Keep structureVariables(structureVariables_);
  const Keep inputs(inputs_);
  const Keep flow(flow_);
  const Keep budget(budget_);
  const Keep inside(inFunction_);
  const Keep returns(features_.returns);
  beginFunction();
  features_.returns = false;
  Function function;
  function.name = fresh("f");
  function.resultStructure = random_.below(static_cast<std::int64_t>(structures_.size()));
  const Structure& structure = structures_[static_cast<std::size_t>(function.resultStructure)];
  const Type type = anyType();
  const std::string name = fresh("q"), number = fresh("q");
  for (const Structure::Field& field : structure.fields)
    variables_.push_back({name + "." + field.name, field.type, 0, false, true, std::nullopt, true});
  variables_.push_back({number, type, 0, false, true, std::nullopt, true});
  NodeRef body = block();
  for (int i = 0; i < 5 && budget_ > 0; ++i) addStatement(*body);
  body->children.push_back(statement("return " + name + ";"));
  body->children.back()->needed = true;
  Function::Formal first, second;
  first.kind = Function::Formal::Kind::Structure;
  first.structure = function.resultStructure;
  second.type = type;
  function.formals = {first, second};
  function.asksIds = asksIds_;
  function.cost = functionCost_ * 4;
  const std::string attribute = random_.chance(35) ? "__attribute__((noinline)) " : "";
  program_.definitions.push_back({function.name, statement(attribute + structure.name + " " + function.name + "(" + structure.name + " " +
                                                               name + ", " + type.name() + " " + number + ") $0",
                                                           {body})});
  functions_.push_back(function);
}

}  // namespace clarity::fuzz
