// SPDX-License-Identifier: Apache-2.0
// This file makes the array of instructions of a module.
#include "program.h"

#include "decoding.h"
#include "flow.h"
#include "frames.h"
#include "results.h"
#include "warp.h"

#include <algorithm>
#include <set>

namespace clarity::ptx {
namespace {

void unknownInstruction(Warp& warp, const Instruction& in, Lanes lanes) {
  warp.fault(illegalInstructionFault, warp.launch().program->unknown[in.target], lanes);
}

/// Operands that are constants: 32 times the value, back from the end.
class Constants {
public:
  std::int32_t slot(unsigned bits, std::uint64_t value) {
    if (bits == 1) value = value ? allLanes : 0;
    if (bits < 64 && bits > 1) value &= (std::uint64_t{1} << bits) - 1;
    auto& found = slots_[{bits, value}];
    if (found == 0) {
      bytes_ += bits == 1 ? 64 : bits / 8 * warpSize;
      found = -bytes_;
    }
    return found;
  }
  std::vector<std::byte> contents() const {
    std::vector<std::byte> made(static_cast<std::size_t>(bytes_));
    for (const auto& [key, slot] : slots_) {
      const auto [bits, value] = key;
      std::byte* to = made.data() + bytes_ + slot;
      const std::size_t each = bits == 1 ? sizeof(Lanes) : bits / 8, count = bits == 1 ? 1 : warpSize;
      for (std::size_t i = 0; i < count; ++i) std::memcpy(to + i * each, &value, each);
    }
    return made;
  }

private:
  std::map<std::pair<unsigned, std::uint64_t>, std::int32_t> slots_;
  std::int32_t bytes_ = 0;
};

struct BasicBlock {
  std::size_t first, end;
  std::vector<unsigned> successors;
};

bool endsBlock(const Statement& statement) {
  return statement.opcode == "bra" || statement.opcode == "brx" || statement.opcode == "ret" ||
         statement.opcode == "exit" || statement.opcode == "call" || statement.opcode == "trap";
}

class Builder : public Names {
public:
  Builder(const ModuleText& text, Program& program, Memory& memory)
      : text_(text), program_(program), layout_(text, program, memory) {}
  void build();

  std::int32_t constant(unsigned bits, std::uint64_t value) override { return constants_.slot(bits, value); }
  std::int32_t sink() override { return layout_.sink(); }
  std::int32_t slot(unsigned index) override { return frame_->slots[index]; }
  Type typeOf(unsigned index) const override { return frame_->text->registers[index]; }
  std::uint64_t addressOf(const Operand&, Space&) override;
  bool isOfLaunch(const Operand&, std::uint64_t& offset) override;
  std::uint32_t list(std::vector<std::int32_t> slots) override {
    program_.operandLists.push_back(std::move(slots));
    return static_cast<std::uint32_t>(program_.operandLists.size() - 1);
  }

private:
  void function(Frame&);
  void visit(const FunctionText&, std::vector<const FunctionText*>& order, std::set<std::string_view>& open,
             std::set<std::string_view>& done);
  std::vector<BasicBlock> blocksOf(const FunctionText&) const;
  unsigned blockAt(std::string_view label) const;
  void blockCode(const std::vector<BasicBlock>&, unsigned block, unsigned following);
  void statement(const Statement&, unsigned block);
  void call(const Statement&);
  Instruction& add(Control, std::uint32_t target, unsigned line);
  void guard(Instruction&, const Statement&);
  void jump(unsigned from, unsigned to, unsigned line);
  void unknown(const Statement&, const std::string& what);
  void setPlaces(const std::vector<std::uint32_t>& places, std::size_t firstCode, std::size_t firstTable);

  const ModuleText& text_;
  Program& program_;
  Layout layout_;
  Constants constants_;
  Frame* frame_ = nullptr;
  std::vector<unsigned> blockOfStatement_;
  Order order_;
  std::vector<unsigned> itemOfBlock_;
};

std::uint64_t Builder::addressOf(const Operand& operand, Space& space) {
  const auto offset = static_cast<std::uint64_t>(operand.displacement);
  if (operand.form == Operand::Form::Variable) {
    space = frame_->text->variables[operand.index].space;
    return frame_->addresses[operand.index] + offset;
  }
  const Layout::Place* const place = layout_.variable(operand.name);
  if (!place) throw Error("'" + std::string(operand.name) + "' is not defined");
  space = place->space;
  return place->address + offset;
}

bool Builder::isOfLaunch(const Operand& operand, std::uint64_t& offset) {
  if (operand.form != Operand::Form::Variable || !frame_->text->isEntry ||
      !holds(frame_->text->parameters, operand.index))
    return false;
  offset = frame_->addresses[operand.index];
  return true;
}

std::vector<BasicBlock> Builder::blocksOf(const FunctionText& function) const {
  const auto& statements = function.statements;
  std::set<std::size_t> leaders{0};
  for (const auto& [label, at] : function.labels) leaders.insert(at);
  for (std::size_t i = 0; i < statements.size(); ++i)
    if (endsBlock(statements[i])) leaders.insert(i + 1);
  leaders.insert(statements.size());
  std::vector<BasicBlock> blocks;
  for (auto leader = leaders.begin(); std::next(leader) != leaders.end(); ++leader)
    blocks.push_back({*leader, *std::next(leader), {}});
  // The exit of the function, and labels at its end.
  blocks.push_back({statements.size(), statements.size(), {}});
  return blocks;
}

unsigned Builder::blockAt(std::string_view label) const {
  const auto found = frame_->text->labels.find(label);
  if (found == frame_->text->labels.end()) throw Error("there is no label '" + std::string(label) + "'");
  return blockOfStatement_[found->second];
}

Instruction& Builder::add(Control control, std::uint32_t target, unsigned line) {
  Instruction in;
  in.run = controlHandler(control);
  in.target = target;
  in.line = line;
  return program_.code.emplace_back(in);
}

void Builder::guard(Instruction& in, const Statement& statement) {
  if (!statement.guard) return;
  if (statement.guard->form != Operand::Form::Register || typeOf(statement.guard->index) != predicate)
    throw Error("line " + std::to_string(statement.line) + ": a guard is no predicate");
  in.guard = slot(statement.guard->index);
  in.guardNegated = statement.guard->isNegated;
}

void Builder::unknown(const Statement& statement, const std::string& what) {
  Instruction in;
  in.run = unknownInstruction;
  in.target = static_cast<std::uint32_t>(program_.unknown.size());
  in.line = statement.line;
  program_.unknown.push_back(what);
  program_.code.push_back(in);
}

/// Targets are items of the order until all have places.
void Builder::jump(unsigned from, unsigned to, unsigned line) {
  const auto latch = order_.latches.find({from, to});
  add(Control::Branch, latch == order_.latches.end() ? itemOfBlock_[to] : latch->second, line);
}

void Builder::call(const Statement& statement) {
  const auto& operands = statement.operands;
  const bool hasResult = !operands.empty() && operands[0].form == Operand::Form::List;
  const std::size_t at = hasResult ? 1 : 0;
  Frame* const callee = at < operands.size() ? layout_.frame(operands[at].name) : nullptr;
  if (!callee) return unknown(statement, "line " + std::to_string(statement.line) + ": the function is not known");
  Call made;
  made.returnSlot = callee->returnSlot;
  made.place = callee->place;
  const auto copy = [&](const Operand& list, const std::vector<unsigned>& formals, std::vector<Call::Copy>& to,
                        bool isResult) {
    if (list.parts.size() != formals.size())
      throw Error("line " + std::to_string(statement.line) + ": a call has another number of parameters");
    for (std::size_t i = 0; i < formals.size(); ++i) {
      if (list.parts[i].form != Operand::Form::Variable)
        throw Error("line " + std::to_string(statement.line) + ": a parameter of a call is no variable");
      const std::uint64_t here = frame_->addresses[list.parts[i].index], there = callee->addresses[formals[i]];
      to.push_back(
          {isResult ? there : here, isResult ? here : there,
           std::min(frame_->text->variables[list.parts[i].index].bytes, callee->text->variables[formals[i]].bytes)});
    }
  };
  if (hasResult) copy(operands[0], callee->text->results, made.results, true);
  if (at + 1 < operands.size() && operands[at + 1].form == Operand::Form::List)
    copy(operands[at + 1], callee->text->parameters, made.arguments, false);
  const auto index = static_cast<std::uint32_t>(program_.calls.size());
  program_.calls.push_back(std::move(made));
  guard(add(Control::Call, index, statement.line), statement);
  // Threads that called from here meet again, whatever branches they took.
  add(Control::Join, 0, statement.line);
  guard(add(Control::Results, index, statement.line), statement);
}

void Builder::statement(const Statement& statement, unsigned block) {
  if (statement.opcode == "call") return call(statement);
  if (statement.opcode == "bra") {
    jump(block, blockAt(statement.operands.at(0).name), statement.line);
    return guard(program_.code.back(), statement);
  }
  if (statement.opcode == "ret" || statement.opcode == "exit") {
    const bool ends = frame_->text->isEntry || statement.opcode == "exit";
    Instruction& in = add(ends ? Control::End : Control::Return, 0, statement.line);
    in.from[0] = frame_->returnSlot;
    return guard(in, statement);
  }
  if (statement.opcode == "brx") {
    std::vector<std::uint32_t> table;
    for (const std::string_view label : frame_->text->targets.at(statement.operands.at(1).name)) {
      const unsigned to = blockAt(label);
      const auto latch = order_.latches.find({block, to});
      table.push_back(latch == order_.latches.end() ? itemOfBlock_[to] : latch->second);
    }
    Instruction& in = add(Control::Table, static_cast<std::uint32_t>(program_.tables.size()), statement.line);
    program_.tables.push_back(std::move(table));
    in.from[0] = slot(statement.operands[0].index);
    return guard(in, statement);
  }
  const auto found = opcodes().find(statement.opcode);
  if (found == opcodes().end())
    return unknown(statement, "line " + std::to_string(statement.line) + ": instruction '" +
                                  std::string(statement.text) + "' is not known");
  Decoding decoding(statement, *this);
  decoding.in.line = statement.line;
  try {
    guard(decoding.in, statement);
    found->second(decoding);
    decoding.finish();
    if (!decoding.in.run) decoding.fail("its types are not known");
  } catch (const Error& error) {
    return unknown(statement, error.what());
  }
  program_.code.push_back(decoding.in);
}

void Builder::blockCode(const std::vector<BasicBlock>& blocks, unsigned block, unsigned following) {
  const BasicBlock& code = blocks[block];
  const auto& statements = frame_->text->statements;
  const unsigned line = code.first < statements.size() ? statements[code.first].line : frame_->text->line;
  add(Control::Join, 0, line).immediate = static_cast<std::int64_t>(code.end - code.first + 1);
  for (std::size_t i = code.first; i < code.end; ++i) statement(statements[i], block);
  if (block + 1 == blocks.size()) {
    add(frame_->text->isEntry ? Control::End : Control::Return, 0, line).from[0] = frame_->returnSlot;
    return;
  }
  const Statement* const last = code.end > code.first ? &statements[code.end - 1] : nullptr;
  const bool goesOn = !last || last->guard || !endsBlock(*last) || last->opcode == "call";
  if (goesOn && (following != block + 1 || order_.latches.contains({block, block + 1}))) jump(block, block + 1, line);
}

void Builder::setPlaces(const std::vector<std::uint32_t>& places, std::size_t firstCode, std::size_t firstTable) {
  for (std::size_t i = firstCode; i < program_.code.size(); ++i)
    if (program_.code[i].run == controlHandler(Control::Branch))
      program_.code[i].target = places[program_.code[i].target];
  for (std::size_t i = firstTable; i < program_.tables.size(); ++i)
    for (std::uint32_t& each : program_.tables[i]) each = places[each];
}

void Builder::function(Frame& frame) {
  frame_ = &frame;
  const FunctionText& text = *frame.text;
  std::vector<BasicBlock> blocks = blocksOf(text);
  blockOfStatement_.assign(text.statements.size() + 1, static_cast<unsigned>(blocks.size() - 1));
  for (unsigned i = 0; i < blocks.size(); ++i)
    for (std::size_t at = blocks[i].first; at < blocks[i].end; ++at) blockOfStatement_[at] = i;
  std::vector<std::vector<unsigned>> successors(blocks.size());
  for (unsigned i = 0; i + 1 < blocks.size(); ++i) {
    const Statement* const last = blocks[i].end > blocks[i].first ? &text.statements[blocks[i].end - 1] : nullptr;
    if (last && last->opcode == "bra") successors[i].push_back(blockAt(last->operands.at(0).name));
    if (last && last->opcode == "brx")
      for (const std::string_view label : text.targets.at(last->operands.at(1).name))
        successors[i].push_back(blockAt(label));
    if (!last || last->guard || !endsBlock(*last) || last->opcode == "call") successors[i].push_back(i + 1);
  }
  order_ = orderOf(successors);
  itemOfBlock_.assign(blocks.size(), 0);
  for (unsigned i = 0; i < order_.items.size(); ++i)
    if (!order_.items[i].isLatch) itemOfBlock_[order_.items[i].block] = i;
  const std::size_t firstCode = program_.code.size(), firstTable = program_.tables.size();
  frame.place = static_cast<std::uint32_t>(firstCode);
  std::vector<std::uint32_t> places;
  for (unsigned i = 0; i < order_.items.size(); ++i) {
    places.push_back(static_cast<std::uint32_t>(program_.code.size()));
    const Order::Item& item = order_.items[i];
    if (item.isLatch) {
      add(Control::Join, 0, text.line).immediate = 1;
      add(Control::Branch, itemOfBlock_[item.block], text.line);
      continue;
    }
    const bool hasNext = i + 1 < order_.items.size() && !order_.items[i + 1].isLatch;
    blockCode(blocks, item.block, hasNext ? order_.items[i + 1].block : ~0u);
  }
  setPlaces(places, firstCode, firstTable);
}

/// Functions ahead of those that call them.
void Builder::visit(const FunctionText& function, std::vector<const FunctionText*>& order,
                    std::set<std::string_view>& open, std::set<std::string_view>& done) {
  if (done.contains(function.name)) return;
  if (!open.insert(function.name).second) throw Error("function '" + std::string(function.name) + "' calls itself");
  for (const Statement& each : function.statements) {
    if (each.opcode != "call") continue;
    for (const Operand& operand : each.operands)
      for (const FunctionText& callee : text_.functions)
        if (operand.form == Operand::Form::Name && callee.name == operand.name) visit(callee, order, open, done);
  }
  done.insert(function.name);
  order.push_back(&function);
}

void Builder::build() {
  std::vector<const FunctionText*> order;
  std::set<std::string_view> open, done;
  for (const FunctionText& each : text_.functions) visit(each, order, open, done);
  for (const FunctionText* each : order) function(*layout_.frame(each->name));
  for (Entry& each : program_.entries) each.place = layout_.frame(each.name)->place;
  program_.constants = constants_.contents();
  program_.loadsReadOnly = std::ranges::any_of(program_.code, &Instruction::isReadOnly);
}

}  // namespace

Program::Program(std::string given, Memory& memory) : text(std::move(given)), memory_(memory) {
  const ModuleText module = parse(text);
  Builder(module, *this, memory).build();
}

Program::~Program() {
  for (const auto& [name, variable] : variables) memory_.release(variable.address);
}

const Entry* Program::entry(std::string_view name) const {
  for (const Entry& each : entries)
    if (each.name == name) return &each;
  return nullptr;
}

std::string Program::describe(std::uint32_t place) const {
  if (place >= code.size()) return "at its end";
  std::string_view rest = text;
  for (unsigned line = 1; line < code[place].line && rest.contains('\n'); ++line)
    rest = rest.substr(rest.find('\n') + 1);
  rest = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return "line " + std::to_string(code[place].line) + " of the PTX: '" + std::string(rest) + "'";
}

}  // namespace clarity::ptx
