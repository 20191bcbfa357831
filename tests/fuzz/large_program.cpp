// SPDX-License-Identifier: Apache-2.0
// This file makes large programs. Fields are integers, vectors, arrays, structures and unions of them; all arithmetic
// is in uint or ulong, shifts are masked, divisors are odd, indices are taken modulo the array's length, and the
// members of a union have one size, so every program is defined. Loops have constant trip counts, and functions call
// earlier ones only, while the number of statements that run stays small.
#include "large_program.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "random.h"

namespace clarity::fuzz {
namespace {

constexpr int kItems = 128, kGroup = 64;
/// Statements that a work-item may run.
constexpr std::int64_t kMostWork = 15'000;
/// Statements of a function with those of the functions that it calls: compilers inline them. The same of the kernel.
constexpr std::int64_t kMostOfFunction = 24, kLeastOfKernel = 20, kMostOfKernel = 70;

/// A place in the structure: `name[index].member`, where it is an array's, and vectors by their lanes.
struct Field {
  std::string name;
  std::string member;  ///< the elements' member, with its dot
  int count = 0;       ///< elements of an array
  int lanes = 1;
  std::string at(const std::string& index) const { return "p->" + name + "[" + index + "]" + member; }
};

struct Made {
  std::string name;
  std::int64_t work = 1, size = 1;
};

class LargeProgram {
public:
  explicit LargeProgram(std::uint64_t seed) : random_(seed * 2654435761u + 17) {}

  Program make() {
    makeStructure();
    const int functions = random_.between(5, 26), size = random_.between(12, 48);
    for (int i = 0; i < functions; ++i) makeFunction(size);
    makeKernel();
    return program_;
  }

private:
  static std::string text(std::int64_t value) { return std::to_string(value); }
  void line(const std::string& more) { code_ += std::string(static_cast<std::size_t>(2 * depth_), ' ') + more + "\n"; }

  void define(const std::string& name, const std::string& code) {
    program_.definitions.push_back({name, statement(code)});
  }

  struct Type {
    const char* name;
    int bytes;
  };
  const Type& type() {
    static constexpr std::array<Type, 8> types = {
        {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4}, {"uint", 4}, {"long", 8}, {"ulong", 8}}};
    return random_.pick(types);
  }

  /// Structures and unions of a few members, whose names end in `members`.
  struct Compound {
    std::string name;
    std::vector<std::string> members;
    int bytes = 0;
  };

  Compound makeInner(int number) {
    Compound made{.name = "Inner" + text(number), .members = {}, .bytes = 0};
    std::string code = "struct " + made.name + " {\n";
    for (int i = 0, count = random_.between(2, 6); i < count; ++i) {
      const Type& of = type();
      made.members.push_back(".f" + text(i));
      made.bytes += of.bytes;
      code += std::string("  ") + of.name + " f" + text(i) + ";\n";
    }
    define(made.name, code + "};");
    made.name = "struct " + made.name;
    return made;
  }

  Compound makeUnion() {
    define("Words", "union Words {\n  ulong all;\n  uint2 halves;\n  ushort parts[4];\n  char bytes[8];\n};");
    return {.name = "union Words", .members = {".all", ".halves.s1", ".parts[2]", ".bytes[5]"}, .bytes = 8};
  }

  void makeStructure() {
    std::vector<Compound> compounds{makeUnion()};
    for (int i = 0, count = random_.between(1, 3); i < count; ++i) compounds.push_back(makeInner(i));
    std::string declared;
    for (int bytes = 0, next = 0, least = random_.between(1000, 2800); bytes < least; ++next) {
      const std::string name = "g" + text(next);
      const int form = random_.below(100), count = random_.between(2, random_.chance(30) ? 48 : 12);
      if (form < 14) {
        const Compound& compound = random_.pick(compounds);
        const bool isArray = random_.chance(50);
        const int length = isArray ? std::min(count, 8) : 0;
        for (const std::string& member : compound.members)
          fields_.push_back(
              {.name = isArray ? name : name + member, .member = isArray ? member : "", .count = length, .lanes = 1});
        bytes += compound.bytes * std::max(length, 1);
        declared += "  " + compound.name + " " + name + (isArray ? "[" + text(length) + "]" : "") + ";\n";
        continue;
      }
      const Type& of = type();
      Field field{.name = name, .member = "", .count = 0, .lanes = 1};
      if (form < 26) field.lanes = random_.chance(50) ? 4 : 2;
      if (form >= 26 && form < 62) field.count = count;
      bytes += of.bytes * field.lanes * std::max(field.count, 1);
      declared += std::string("  ") + of.name + (field.lanes > 1 ? text(field.lanes) : "") + " " + name +
                  (field.count ? "[" + text(field.count) + "]" : "") + ";\n";
      fields_.push_back(field);
    }
    define("Globals", "struct Globals {\n" + declared + "};");
  }

  /// A field, as an lvalue of integer type.
  std::string place() {
    const Field& field = random_.pick(fields_);
    if (field.lanes > 1) return "p->" + field.name + ".s" + text(random_.below(field.lanes));
    if (!field.count) return "p->" + field.name;
    if (!counters_.empty() && random_.chance(40)) return field.at(random_.pick(counters_) + " % " + text(field.count));
    if (random_.chance(8)) return field.at("(uint)" + local() + " % " + text(field.count) + "u");
    return field.at(text(random_.below(field.count)));
  }

  std::string local() { return random_.pick(locals_); }

  std::string value(int deep) {
    if (deep == 0 || random_.chance(20)) {
      const int form = random_.below(10);
      if (form < 2) return text(random_.between(1, 100000)) + "u";
      if (form < 3 && !counters_.empty()) return "(uint)" + random_.pick(counters_);
      return form < 6 ? "(uint)" + place() : "(uint)" + local();
    }
    const std::string a = value(deep - 1), b = value(random_.below(deep));
    switch (random_.below(11)) {
      case 0: return "(" + a + " + " + b + ")";
      case 1: return "(" + a + " * " + b + ")";
      case 2: return "(" + a + " - " + b + ")";
      case 3: return "(" + a + " ^ " + b + ")";
      case 4: return "(" + a + " & " + b + ")";
      case 5: return "(" + a + " << (" + b + " & 15u))";
      case 6: return "(" + a + " >> (" + b + " & 15u))";
      case 7: return "(" + a + " / (" + b + " | 1u))";
      case 8: return "(" + a + " < " + b + " ? " + a + " : " + b + ")";
      case 9: return "max(" + a + ", rotate(" + b + ", 5u))";
      default: return "(" + a + " % (" + b + " | 3u))";
    }
  }

  /// The depth of an expression: most are short.
  int depth() { return random_.chance(15) ? 3 : random_.between(1, 2); }

  void assign() {
    static constexpr std::array operators = {" = ", " ^= ", " += ", " |= ", " -= "};
    const int form = random_.below(10);
    if (form < 5)
      line(place() + (random_.chance(50) ? " = " : " ^= ") + value(depth()) + ";");
    else
      line(local() + random_.pick(operators) + value(depth()) + ";");
  }

  void block(int statements) {
    ++depth_;
    const std::size_t locals = locals_.size();
    for (int i = 0; i < statements; ++i) addStatement();
    locals_.resize(locals);
    --depth_;
    line("}");
  }

  void addStatement() {
    work_ += weight_;
    ++size_;
    const int form = random_.below(100);
    if (form < 4) {
      vector();
    } else if (form < 14) {
      const std::string name = "l" + text(next_++);
      line((random_.chance(25) ? "ulong " : "uint ") + name + " = " + value(2) + ";");
      locals_.push_back(name);
    } else if (form < 27 && depth_ < 5) {
      line("if (" + value(2) + (random_.chance(50) ? " > " : " != ") + value(1) + ") {");
      block(random_.between(1, 4));
      if (!random_.chance(30)) return;
      line("else {");
      block(random_.between(1, 3));
    } else if (form < 30 && depth_ < 4) {
      choice();
    } else if (form < 37 && depth_ < 4) {
      loop();
    } else if (form < 43) {
      call();
    } else {
      assign();
    }
  }

  void vector() {
    static constexpr std::array operators = {" + ", " * ", " ^ ", " & "};
    const std::string name = "v" + text(next_++);
    line("uint4 " + name + " = (uint4)(" + value(1) + ", " + value(1) + ", " + local() + ", " + value(0) + ");");
    line(name + " = " + name + ".yzwx" + random_.pick(operators) + "max(" + name + ", (uint4)(" + value(0) + "));");
    locals_.push_back(name + ".s" + text(random_.below(4)));
  }

  void choice() {
    line("switch (" + value(1) + " & 3u) {");
    for (int i = 0, cases = random_.between(1, 3); i <= cases; ++i) {
      line(i < cases ? "case " + text(i) + ": {" : "default: {");
      block(random_.between(1, 2));
      if (i < cases && random_.chance(80)) line("break;");
    }
    line("}");
  }

  void loop() {
    const int trips = random_.between(2, 12);
    if (weight_ * trips > 300) return assign();
    const std::string counter = "i" + text(next_++);
    line("for (int " + counter + " = 0; " + counter + " < " + text(trips) + "; ++" + counter + ") {");
    const std::int64_t before = weight_;
    weight_ *= trips;
    counters_.push_back(counter);
    block(random_.between(1, 4));
    counters_.pop_back();
    weight_ = before;
  }

  void call() {
    std::vector<Made> fitting;
    for (const Made& made : functions_)
      if (work_ + weight_ * made.work < kMostWork && size_ + made.size < mostSize_) fitting.push_back(made);
    if (fitting.empty()) return assign();
    const Made made = random_.pick(fitting);
    work_ += weight_ * made.work;
    size_ += made.size;
    line(place() + " ^= " + made.name + "(p, " + value(1) + ", " + value(1) + ");");
  }

  void makeFunction(int size) {
    const std::string name = "func" + text(static_cast<std::int64_t>(functions_.size()));
    code_.clear();
    locals_ = {"a", "b"};
    work_ = size_ = 1;
    mostSize_ = kMostOfFunction;
    line("uint " + name + "(struct Globals* p, uint a, ulong b) {");
    ++depth_;
    if (random_.chance(50)) {
      const int count = random_.between(3, 16);
      line("uint own[" + text(count) + "];");
      line("for (int i = 0; i < " + text(count) + "; ++i) own[i] = a + (uint)i;");
      locals_.push_back("own[(uint)a % " + text(count) + "u]");
      locals_.push_back("own[" + text(random_.below(count)) + "]");
    }
    for (int i = 0; i < size; ++i) addStatement();
    line("return " + value(2) + ";");
    --depth_;
    line("}");
    code_.pop_back();
    define(name, code_);
    functions_.push_back({name, work_, size_});
  }

  void exchange() {
    line("loc[lid] = " + value(2) + ";");
    line("barrier(CLK_LOCAL_MEM_FENCE);");
    line(place() + " ^= loc[(lid + " + text(random_.between(1, kGroup - 1)) + "u) % " + text(kGroup) + "u];");
    line("barrier(CLK_LOCAL_MEM_FENCE);");
  }

  void makeKernel() {
    program_.parameters.push_back({.name = "out",
                                   .declaration = "__global ulong* out",
                                   .use = Parameter::Use::Output,
                                   .base = Base::ULong,
                                   .count = kItems,
                                   .value = 0,
                                   .sameBufferAs = ""});
    const auto add = [&](const std::string& name, const std::string& more) {
      program_.prologue.push_back({name, statement(more)});
    };
    add("loc", "__local uint loc[" + text(kGroup) + "];");
    add("gid", "const uint gid = get_global_id(0);");
    add("lid", "const uint lid = get_local_id(0);");
    program_.body = ::clarity::fuzz::block();
    const auto flush = [&] {
      while (!code_.empty() && code_.back() == '\n') code_.pop_back();
      if (!code_.empty()) program_.body->children.push_back(statement(code_));
      program_.body->children.back()->needed = true;
      code_.clear();
    };
    code_.clear();
    line("struct Globals globals;");
    line("struct Globals* p = &globals;");
    const bool diverges = random_.chance(70), together = random_.chance(70);
    const std::string varied = diverges ? " + gid" : "";
    for (const Field& field : fields_) {
      const std::string number = text(random_.below(1000));
      if (field.count)
        line("for (int i = 0; i < " + text(field.count) + "; ++i) " + field.at("i") + " = i * " + number + varied +
             ";");
      else
        line("p->" + field.name + " = " + number + varied + ";");
    }
    flush();
    line("uint first = gid, second = lid;");
    locals_ = {"first", "second"};
    work_ = size_ = 1;
    mostSize_ = random_.between(kLeastOfKernel, kMostOfKernel);
    for (int i = 0, count = random_.between(3, 10); i < count; ++i) {
      if (together) exchange();
      call();
      if (random_.chance(40)) loop();
      flush();
    }
    line("ulong hash = 5381u;");
    for (const Field& field : fields_) {
      if (field.count)
        line("for (int i = 0; i < " + text(field.count) + "; ++i) hash = hash * 33u + (ulong)" + field.at("i") + ";");
      else
        line("hash = hash * 33u + (ulong)p->" + field.name + (field.lanes > 1 ? ".s1" : "") + ";");
    }
    line("out[gid] = hash;");
    flush();
    Launch launch;
    launch.global[0] = kItems;
    launch.local[0] = kGroup;
    program_.launches.push_back(launch);
  }

  Random random_;
  Program program_;
  std::vector<Field> fields_;
  std::vector<Made> functions_;
  std::vector<std::string> locals_, counters_;
  std::string code_;
  int depth_ = 0, next_ = 0;
  std::int64_t work_ = 0, weight_ = 1, size_ = 0, mostSize_ = 0;
};

}  // namespace

Program generateLarge(std::uint64_t seed) { return LargeProgram(seed).make(); }

}  // namespace clarity::fuzz
