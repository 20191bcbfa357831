// SPDX-License-Identifier: Apache-2.0
// This file reads PTX text. Names of registers and of a function's variables are resolved here, as blocks in braces
// have names of their own.
#include "syntax.h"
#include "tokens.h"

#include <cstring>

namespace clarity::ptx {

namespace {

Type typeOfDirective(std::string_view word) {
  return word.starts_with('.') ? typeNamed(word.substr(1)).value_or(Type{}) : Type{};
}

/// The function that a name means in a block.
struct Named {
  bool isRegister;
  unsigned index;
};

class Parser {
public:
  explicit Parser(std::string_view text) : tokens_(text) {}
  ModuleText module();

private:
  void skipTo(std::string_view end) {
    while (!tokens_.takeIf(end)) {
      if (tokens_.peek().form == Token::Form::End) tokens_.fail("'" + std::string(end) + "' was expected");
      (void)tokens_.take();
    }
  }
  Variable declaration(Space);
  void bounds(Variable&, unsigned bytesOfElement);
  void contents(Variable&, unsigned bytesOfElement);
  void content(Variable&, unsigned bytesOfElement, std::uint64_t offset);
  void function(bool isEntry);
  void functionParameters(std::vector<unsigned>& to);
  void limits();
  void body();
  void registers();
  void local(Space);
  bool directive();
  void statement();
  Operand operand();
  Operand plainOperand();
  Operand list(std::string_view end, Operand::Form);
  Operand named(std::string_view name) const;
  void declare(std::string_view name, bool isRegister, unsigned index) { scopes_.back()[name] = {isRegister, index}; }

  Tokens tokens_;
  ModuleText module_;
  FunctionText* function_ = nullptr;
  std::vector<std::map<std::string_view, Named>> scopes_;
};

/// ".align 8 .b8 name[4] = {...}", ".u64 .ptr .global .align 8 name", behind the space.
Variable Parser::declaration(Space space) {
  Variable made;
  made.space = space;
  Type type;
  bool isPointer = false;
  while (tokens_.peek().text.starts_with('.')) {
    const std::string_view word = tokens_.word();
    if (word == ".align") {
      const auto alignment = static_cast<std::uint64_t>(tokens_.integer());
      if (!isPointer) made.alignment = alignment;
    } else if (word == ".ptr") {
      isPointer = true;
    } else if (const Type named = typeOfDirective(word); named.bits) {
      type = named;
    }
  }
  const unsigned bytes = type.width() / 8;
  made.name = tokens_.word();
  made.bytes = bytes;
  made.alignment = std::max<std::uint64_t>(made.alignment, bytes);
  bounds(made, bytes);
  if (tokens_.takeIf("=")) contents(made, bytes);
  return made;
}

void Parser::bounds(Variable& variable, unsigned bytesOfElement) {
  std::uint64_t count = 1;
  while (tokens_.takeIf("[")) {
    count *= tokens_.isAt("]") ? 0 : static_cast<std::uint64_t>(tokens_.integer());
    tokens_.expect("]");
  }
  variable.bytes = bytesOfElement * count;
}

void Parser::content(Variable& variable, unsigned bytesOfElement, std::uint64_t offset) {
  std::uint64_t value = 0;
  if (tokens_.peek().form == Token::Form::Word) {
    std::string_view name = tokens_.word();
    const bool isGeneric = name == "generic";
    if (isGeneric) {
      tokens_.expect("(");
      name = tokens_.word();
      tokens_.expect(")");
    }
    const std::int64_t addend = tokens_.isAt("+") || tokens_.isAt("-") ? tokens_.integer() : 0;
    variable.pointers.push_back({offset, name, addend, isGeneric});
  } else if (tokens_.peek().form == Token::Form::Real) {
    value = tokens_.take().value;
  } else {
    value = static_cast<std::uint64_t>(tokens_.integer());
  }
  variable.contents.resize(std::max<std::size_t>(variable.contents.size(), offset + bytesOfElement));
  std::memcpy(variable.contents.data() + offset, &value, bytesOfElement);
}

void Parser::contents(Variable& variable, unsigned bytesOfElement) {
  variable.contents.resize(variable.bytes);
  if (!tokens_.isAt("{")) return content(variable, bytesOfElement, 0);
  std::uint64_t offset = 0;
  for (unsigned depth = 0; depth > 0 || offset == 0;) {
    if (tokens_.takeIf("{")) {
      ++depth;
    } else if (tokens_.takeIf("}")) {
      if (--depth == 0) break;
    } else if (!tokens_.takeIf(",")) {
      content(variable, bytesOfElement, offset);
      offset += bytesOfElement;
    }
  }
  if (variable.bytes < variable.contents.size()) tokens_.fail("fewer values were expected");
}

void Parser::functionParameters(std::vector<unsigned>& to) {
  tokens_.expect("(");
  while (!tokens_.takeIf(")")) {
    tokens_.expect(".param");
    const auto index = static_cast<unsigned>(function_->variables.size());
    function_->variables.push_back(declaration(Space::Parameter));
    declare(function_->variables.back().name, false, index);
    to.push_back(index);
    (void)tokens_.takeIf(",");
  }
}

/// Directives between a function's parameters and its body.
void Parser::limits() {
  while (tokens_.peek().text.starts_with('.')) {
    const std::string_view word = tokens_.word();
    const bool counts = word == ".maxntid" || word == ".reqntid";
    std::uint64_t product = 1;
    while (tokens_.peek().form == Token::Form::Integer) {
      product *= tokens_.take().value;
      (void)tokens_.takeIf(",");
    }
    if (counts) function_->maxThreads = static_cast<unsigned>(product);
  }
}

void Parser::function(bool isEntry) {
  FunctionText made;
  function_ = &made;
  scopes_.assign(1, {});
  made.isEntry = isEntry;
  made.line = tokens_.peek().line;
  if (tokens_.isAt("(")) functionParameters(made.results);
  made.name = tokens_.word();
  if (tokens_.isAt("(")) functionParameters(made.parameters);
  limits();
  if (tokens_.takeIf(";")) return;  // declared only
  body();
  module_.functions.push_back(std::move(made));
}

void Parser::registers() {
  const Type type = typeOfDirective(tokens_.word());
  if (!type.bits) tokens_.fail("a type was expected");
  do {
    const std::string_view name = tokens_.word();
    const auto first = static_cast<unsigned>(function_->registers.size());
    if (tokens_.takeIf("<")) {
      const auto count = static_cast<unsigned>(tokens_.integer());
      tokens_.expect(">");
      // Names of such ranges are made when they are looked for: "%r17" is the 17th behind "%r".
      function_->registers.resize(first + count, type);
      declare(name, true, first);
    } else {
      function_->registers.push_back(type);
      declare(name, true, first);
    }
  } while (tokens_.takeIf(","));
  tokens_.expect(";");
}

void Parser::local(Space space) {
  do {
    const auto index = static_cast<unsigned>(function_->variables.size());
    function_->variables.push_back(declaration(space));
    declare(function_->variables.back().name, false, index);
  } while (tokens_.takeIf(","));
  tokens_.expect(";");
}

/// Reads a directive of a function's body, if there is one.
bool Parser::directive() {
  const std::string_view word = tokens_.peek().text;
  if (!word.starts_with('.')) return false;
  (void)tokens_.take();
  if (word == ".reg")
    registers();
  else if (word == ".local" || word == ".param" || word == ".shared")
    local(word == ".local" ? Space::Local : word == ".param" ? Space::Parameter : Space::Shared);
  else if (word == ".pragma")
    skipTo(";");
  else if (word == ".loc")
    for (const unsigned line = tokens_.peek().line; tokens_.peek().line == line;) (void)tokens_.take();
  else
    tokens_.fail("an instruction was expected behind '" + std::string(word) + "'");
  return true;
}

void Parser::body() {
  tokens_.expect("{");
  while (!scopes_.empty()) {
    if (tokens_.takeIf("{"))
      scopes_.emplace_back();
    else if (tokens_.takeIf("}"))
      scopes_.pop_back();
    else if (!directive())
      statement();
  }
}

Operand Parser::named(std::string_view name) const {
  Operand made;
  made.form = Operand::Form::Name;
  made.name = name;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    auto found = scope->find(name);
    std::uint64_t number = 0;
    if (found == scope->end() && digits < name.size()) {
      found = scope->find(name.substr(0, digits));
      if (found != scope->end() && !found->second.isRegister) found = scope->end();
      for (const char c : name.substr(digits)) number = number * 10 + static_cast<unsigned>(c - '0');
    }
    if (found == scope->end()) continue;
    made.form = found->second.isRegister ? Operand::Form::Register : Operand::Form::Variable;
    made.index = static_cast<unsigned>(found->second.index + number);
    return made;
  }
  return made;
}

Operand Parser::list(std::string_view end, Operand::Form form) {
  Operand made;
  made.form = form;
  while (!tokens_.takeIf(end)) {
    made.parts.push_back(operand());
    (void)tokens_.takeIf(",");
  }
  return made;
}

Operand Parser::plainOperand() {
  Operand made;
  const Token& next = tokens_.peek();
  if (tokens_.takeIf("!")) {
    made = named(tokens_.word());
    made.isNegated = true;
  } else if (tokens_.takeIf("_")) {
    made.form = Operand::Form::Sink;
  } else if (next.form == Token::Form::Word) {
    made = named(tokens_.word());
  } else if (next.form == Token::Form::Real) {
    made.form = Operand::Form::Real;
    made.realBits = next.realBits;
    made.value = tokens_.take().value;
  } else {
    made.form = Operand::Form::Integer;
    made.value = static_cast<std::uint64_t>(tokens_.integer());
    return made;
  }
  if (tokens_.isAt("+") || tokens_.isAt("-")) made.displacement = tokens_.integer();
  return made;
}

Operand Parser::operand() {
  if (tokens_.takeIf("{")) return list("}", Operand::Form::Vector);
  if (tokens_.takeIf("(")) return list(")", Operand::Form::List);
  if (tokens_.takeIf("[")) {
    Operand address;
    address.form = Operand::Form::Address;
    Operand base = plainOperand();
    tokens_.expect("]");
    address.displacement = base.displacement;
    if (base.form == Operand::Form::Integer)
      address.displacement = static_cast<std::int64_t>(base.value);
    else
      address.parts.push_back(std::move(base));
    return address;
  }
  Operand first = plainOperand();
  if (!tokens_.takeIf("|")) return first;
  Operand pair;
  pair.form = Operand::Form::Pair;
  pair.parts.push_back(std::move(first));
  pair.parts.push_back(plainOperand());
  return pair;
}

void Parser::statement() {
  Statement made;
  made.line = tokens_.peek().line;
  if (tokens_.takeIf("@")) made.guard = plainOperand();
  made.text = tokens_.word();
  if (tokens_.takeIf(":")) {
    function_->labels[made.text] = static_cast<unsigned>(function_->statements.size());
    if (tokens_.takeIf(".branchtargets")) {
      auto& targets = function_->targets[made.text];
      do targets.push_back(tokens_.word());
      while (tokens_.takeIf(","));
      tokens_.expect(";");
    } else if (tokens_.isAt(".callprototype")) {
      skipTo(";");
    }
    return;
  }
  std::string_view rest = made.text;
  made.opcode = rest.substr(0, rest.find('.'));
  while (rest.contains('.')) {
    rest = rest.substr(rest.find('.') + 1);
    made.modifiers.push_back(rest.substr(0, rest.find('.')));
  }
  while (!tokens_.takeIf(";")) {
    made.operands.push_back(operand());
    if (!tokens_.takeIf(",") && !tokens_.isAt(";")) tokens_.fail("',' or ';' was expected");
  }
  function_->statements.push_back(std::move(made));
}

ModuleText Parser::module() {
  bool isExternal = false;
  while (tokens_.peek().form != Token::Form::End) {
    const std::string_view word = tokens_.word();
    if (word == ".version" || word == ".address_size") {
      (void)tokens_.take();
    } else if (word == ".target") {
      do (void)tokens_.word();
      while (tokens_.takeIf(","));
    } else if (word == ".visible" || word == ".weak" || word == ".common") {
      continue;
    } else if (word == ".extern") {
      isExternal = true;
      continue;
    } else if (word == ".entry" || word == ".func") {
      function(word == ".entry");
    } else if (word == ".global" || word == ".shared" || word == ".const") {
      const Space space = word == ".global" ? Space::Global : word == ".shared" ? Space::Shared : Space::Constant;
      module_.variables.push_back(declaration(space));
      module_.variables.back().isExternal = isExternal;
      tokens_.expect(";");
    } else {
      tokens_.fail("a function or variable was expected behind '" + std::string(word) + "'");
    }
    isExternal = false;
  }
  return std::move(module_);
}

}  // namespace

ModuleText parse(std::string_view text) { return Parser(text).module(); }

}  // namespace clarity::ptx
