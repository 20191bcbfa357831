// SPDX-License-Identifier: Apache-2.0
// This file makes helper functions.
#include <algorithm>

#include "generator_state.h"

namespace clarity::fuzz {

/// Puts the kernel's state back after a function, in which nothing of it is visible.
class Generator::FunctionScope {
public:
  explicit FunctionScope(Generator& generator)
      : variables_(generator.variables_),
        structureVariables_(generator.structureVariables_),
        inputs_(generator.inputs_),
        flow_(generator.flow_),
        budget_(generator.budget_),
        inside_(generator.inFunction_),
        returns_(generator.features_.returns) {
    generator.structureVariables_.clear();
    generator.inputs_.clear();
    std::erase_if(generator.variables_, [](const Variable& v) { return !v.pattern.starts_with("table"); });
    generator.flow_ = {.uniform = false, .together = false, .barriers = false, .depth = 1};
    generator.inFunction_ = true;
    generator.asksIds_ = generator.usesSubGroups_ = false;
    generator.functionCost_ = 1;
    generator.budget_ = generator.random_.between(3, 9);
  }

  /// Sets the facts that the callers of the function must know.
  static void finish(const Generator& generator, Function& function) {
    function.usesSubGroups = generator.usesSubGroups_;
    function.asksIds = generator.asksIds_ || generator.usesSubGroups_;
    function.cost = generator.functionCost_ * 4;
  }

private:
  Keep<std::vector<Variable>> variables_;
  Keep<std::vector<StructureVariable>> structureVariables_;
  Keep<std::vector<InputPointer>> inputs_;
  Keep<Flow> flow_;
  Keep<int> budget_;
  Keep<bool> inside_, returns_;
};

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

void Generator::makeFunction() {
  const FunctionScope scope(*this);
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
  FunctionScope::finish(*this, function);
  const std::string attribute = random_.chance(35) ? "__attribute__((noinline)) " : "";
  const std::string head = attribute + function.result.name() + " " + function.name + "(" + signature + ") ";
  program_.definitions.push_back({function.name, statement(head + "$0", {body})});
  functions_.push_back(function);
}

void Generator::makeStructureFunction() {
  const FunctionScope scope(*this);
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
  FunctionScope::finish(*this, function);
  const std::string attribute = random_.chance(35) ? "__attribute__((noinline)) " : "";
  program_.definitions.push_back(
      {function.name, statement(attribute + structure.name + " " + function.name + "(" + structure.name + " " + name +
                                    ", " + type.name() + " " + number + ") $0",
                                {body})});
  functions_.push_back(function);
}

}  // namespace clarity::fuzz
