// SPDX-License-Identifier: Apache-2.0
// This file holds the tables of operations on integers and floating values, each defined for all operands.
#include "generator_state.h"

namespace clarity::fuzz {
namespace {

/// A pattern with the names of types in it: %T the result's, %U and %S the unsigned and signed of its shape, %W the
/// unsigned type that arithmetic on it is safe in, %M one less than its bits; and a letter for each operand:
/// t like the result, u and s unsigned and signed, f floating of the same shape, m tamed, c a condition, i an int,
/// l a literal.
struct Operation {
  const char* pattern;
  const char* operands;
};

constexpr Operation kPromoted[] = {
    {"(%T)($0 + $1)", "tt"},
    {"(%T)($0 - $1)", "tt"},
    {"(%T)((uint)$0 * (uint)$1)", "tt"},
    {"(%T)($0 & $1)", "tt"},
    {"(%T)($0 | $1)", "tt"},
    {"(%T)($0 ^ $1)", "tt"},
    {"(%T)~$0", "t"},
    {"(%T)-$0", "t"},
    {"(%T)((uint)$0 << ($1 & %M))", "tu"},
    {"(%T)($0 >> ($1 & %M))", "tu"},
    {"(%T)($0 / (($1 & 15) + 1))", "tt"},
    {"(%T)($0 % (($1 & 7) + 1))", "tt"},
    {"(%T)($0 ? $1 : $2)", "ctt"},
    {"(%T)($1 > 0 ? $0 / $1 : $2)", "ttt"},
};
constexpr Operation kUnsigned[] = {
    {"($0 + $1)", "tt"},
    {"($0 - $1)", "tt"},
    {"($0 * $1)", "tt"},
    {"($0 + $1)", "tt"},
    {"($0 & $1)", "tt"},
    {"($0 | $1)", "tt"},
    {"($0 ^ $1)", "tt"},
    {"(~$0)", "t"},
    {"($0 << ($1 & (%T)(%M)))", "tt"},
    {"($0 >> ($1 & (%T)(%M)))", "tt"},
    {"($0 / ($1 | (%T)(1)))", "tt"},
    {"($0 % ($1 | (%T)(1)))", "tt"},
    {"($0 / (%T)(7))", "t"},
    {"($0 % (%T)(10))", "t"},
};
constexpr Operation kSignedScalar[] = {
    {"(%T)((%W)$0 + (%W)$1)", "tt"},
    {"(%T)((%W)$0 - (%W)$1)", "tt"},
    {"(%T)((%W)$0 * (%W)$1)", "tt"},
    {"($0 & $1)", "tt"},
    {"($0 | $1)", "tt"},
    {"($0 ^ $1)", "tt"},
    {"(~$0)", "t"},
    {"(%T)(0 - (%W)$0)", "t"},
    {"(%T)((%W)$0 << ($1 & %M))", "tu"},
    {"($0 >> ($1 & %M))", "tu"},
    {"($0 / (($1 & 15) + 1))", "tt"},
    {"($0 % (($1 & 7) + 1))", "tt"},
    {"($0 / 5)", "t"},
    {"($0 % 3)", "t"},
    {"($1 > 0 ? $0 % $1 : $2)", "ttt"},
};
constexpr Operation kScalar[] = {
    {"($0 ? $1 : $2)", "ctt"},
    {"($1 > 0 ? $0 / $1 : $2)", "ttt"},
    {"($0 < $1 ? $1 : $2)", "ttt"},
    {"($0 ? $1 : $2)", "ctt"},
};
constexpr Operation kSignedVector[] = {
    {"as_%T(as_%U($0) + as_%U($1))", "tt"},
    {"as_%T(as_%U($0) - as_%U($1))", "tt"},
    {"as_%T(as_%U($0) * as_%U($1))", "tt"},
    {"($0 & $1)", "tt"},
    {"($0 | $1)", "tt"},
    {"($0 ^ $1)", "tt"},
    {"(~$0)", "t"},
    {"as_%T(as_%U($0) << ($1 & (%U)(%M)))", "tu"},
    {"($0 >> ($1 & (%T)(%M)))", "tt"},
    {"($0 / (($1 & (%T)(15)) + (%T)(1)))", "tt"},
    {"($0 < $1)", "tt"},
    {"($0 == $1)", "uu"},
    {"(!$0)", "t"},
    {"($0 && $1)", "tt"},
};
constexpr Operation kVector[] = {
    {"($0 < $1 ? $2 : $3)", "tttt"},
    {"select($0, $1, $2 >= $3)", "tttt"},
    {"select($0, $1, $2)", "tts"},
};
// The functions of chapter 6.15.3 of the specification that both shapes have.
constexpr Operation kInteger[] = {
    {"min($0, $1)", "tt"},
    {"max($0, $1)", "tt"},
    {"add_sat($0, $1)", "tt"},
    {"sub_sat($0, $1)", "tt"},
    {"mul_hi($0, $1)", "tt"},
    {"mad_hi($0, $1, $2)", "ttt"},
    {"mad_sat($0, $1, $2)", "ttt"},
    {"hadd($0, $1)", "tt"},
    {"rhadd($0, $1)", "tt"},
    {"rotate($0, $1)", "tt"},
    {"popcount($0)", "t"},
    {"clz($0)", "t"},
    {"bitselect($0, $1, $2)", "ttt"},
    {"clamp($0, (%T)(3), (%T)(90))", "t"},
    {"select($0, $1, $2)", "ttu"},
};
constexpr Operation kUnsignedFunctions[] = {
    {"abs_diff($0, $1)", "ss"},
    {"abs_diff($0, $1)", "tt"},
    {"abs($0)", "s"},
    {"as_%T($0)", "s"},
};
constexpr Operation kSignedFunctions[] = {{"as_%T($0)", "u"}};
constexpr Operation kFloating[] = {
    {"($0 + $1)", "tt"},
    {"($0 - $1)", "tt"},
    {"($0 * $1)", "tt"},
    {"($0 + $1)", "tt"},
    {"($0 * $1)", "tt"},
    {"($0 / $1)", "tm"},
    {"($0 * $1 + $2)", "ttt"},
    {"fma($0, $1, $2)", "ttt"},
    {"fabs($0)", "t"},
    {"sqrt(fabs($0))", "t"},
    {"floor($0)", "t"},
    {"ceil($0)", "t"},
    {"trunc($0)", "t"},
    {"rint($0)", "t"},
    {"round($0)", "t"},
    {"($0 < $1 ? $2 : $3)", "tttt"},
    {"(fmin($0, $1) + (%T)(0))", "tt"},
    {"(fmax($0, $1) + (%T)(0))", "tt"},
    {"(max($0, $1) + (%T)(0))", "mm"},
    {"(min($0, $1) + (%T)(0))", "mm"},
    {"clamp($0, (%T)(-3), (%T)(8))", "m"},
    {"copysign($0, $1)", "mm"},
    {"fmod($0, $1)", "mm"},
    {"fdim($0, $1)", "mm"},
    {"step($0, $1)", "mm"},
    {"sign($0)", "m"},
    {"($0 > $1 ? $1 : $0)", "tt"},
    {"mad($0, $1, $2)", "mmm"},
    {"mix($0, $1, (%T)(0.25f))", "mm"},
};
constexpr Operation kFloatingScalar[] = {{"($0 ? $1 : $2)", "ctt"}};
constexpr Operation kMath[] = {
    {"sin($0)", "m"},
    {"cos($0)", "m"},
    {"tan($0)", "m"},
    {"exp(clamp($0, (%T)(-20), (%T)(20)))", "m"},
    {"exp2(clamp($0, (%T)(-20), (%T)(20)))", "m"},
    {"log(fabs($0))", "m"},
    {"log2(fabs($0) + (%T)(1))", "m"},
    {"rsqrt(fabs($0) + (%T)(1))", "m"},
    {"cbrt($0)", "m"},
    {"atan($0)", "m"},
    {"atan2($0, $1)", "mm"},
    {"pow(fabs($0), clamp($1, (%T)(-3), (%T)(3)))", "mm"},
    {"hypot($0, $1)", "mm"},
    {"tanh($0)", "m"},
    {"erf($0)", "m"},
    {"asin(clamp($0, (%T)(-1), (%T)(1)))", "m"},
    {"log10(fabs($0))", "m"},
    {"expm1(clamp($0, (%T)(-20), (%T)(20)))", "m"},
    {"log1p(fabs($0))", "m"},
    {"remainder($0, $1)", "mm"},
};

constexpr Operation kNative[] = {
    {"native_sin($0)", "m"},
    {"native_cos($0)", "m"},
    {"native_exp2(clamp($0, (%T)(-20), (%T)(20)))", "m"},
    {"native_exp(clamp($0, (%T)(-20), (%T)(20)))", "m"},
    {"native_log(fabs($0) + (%T)(1))", "m"},
    {"native_log2(fabs($0) + (%T)(1))", "m"},
    {"native_sqrt(fabs($0))", "m"},
    {"native_rsqrt(fabs($0) + (%T)(1))", "m"},
    {"native_recip(fabs($0) + (%T)(1))", "m"},
    {"native_divide($0, fabs($1) + (%T)(1))", "mm"},
    {"native_powr(fabs($0) + (%T)(1), clamp($1, (%T)(-3), (%T)(3)))", "mm"},
    {"half_exp(clamp($0, (%T)(-20), (%T)(20)))", "m"},
    {"half_divide($0, fabs($1) + (%T)(1))", "mm"},
};
constexpr Operation kInt24[] = {
    {"mul24($0 & (%T)(0xfff), $1 & (%T)(0xfff))", "tt"},
    {"mad24($0 & (%T)(0x7ff), $1 & (%T)(0x7ff), $2 & (%T)(0xffff))", "ttt"},
};

void replaceAll(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::string withTypes(const char* pattern, Type type) {
  std::string text = pattern;
  replaceAll(text, "%T", type.name());
  replaceAll(text, "%U", type.asUnsigned().name());
  replaceAll(text, "%S", type.asSigned().name());
  replaceAll(text, "%W", type.size() == 8 ? "ulong" : "uint");
  replaceAll(text, "%M", std::to_string(type.bits() - 1));
  return text;
}

using Table = std::vector<Operation>;
template <std::size_t N>
void append(Table& table, const Operation (&operations)[N], int times = 1) {
  for (int i = 0; i < times; ++i) table.insert(table.end(), operations, operations + N);
}

Table integerTable(Type type) {
  Table table;
  if (type.isPromoted())
    append(table, kPromoted, 2);
  else if (!type.isSigned())
    append(table, kUnsigned, 2);
  else if (type.isVector())
    append(table, kSignedVector, 2);
  else
    append(table, kSignedScalar, 2);
  if (type.isVector()) append(table, kVector, 2);
  if (!type.isVector() && !type.isPromoted()) append(table, kScalar, 2);
  append(table, kInteger);
  if (type.base == Base::Int || type.base == Base::UInt) append(table, kInt24);
  if (type.isSigned())
    append(table, kSignedFunctions);
  else
    append(table, kUnsignedFunctions);
  return table;
}

}  // namespace

NodeRef Generator::operation(Type type, int depth) {
  Table table;
  if (type.isInteger()) {
    table = integerTable(type);
  } else {
    append(table, kFloating);
    if (!type.isVector()) append(table, kFloatingScalar, 2);
    if (features_.math) append(table, kMath);
    if (features_.nativeMath && type.base == Base::Float) append(table, kNative);
  }
  const Operation chosen = random_.pick(table);
  NodeRef node = expression(type, withTypes(chosen.pattern, type));
  for (const char* operand = chosen.operands; *operand; ++operand) switch (*operand) {
      case 't': node->children.push_back(value(type, depth - 1)); break;
      case 'u': node->children.push_back(value(type.asUnsigned(), depth - 1)); break;
      case 's': node->children.push_back(value(type.asSigned(), depth - 1)); break;
      case 'm': node->children.push_back(tamed(value(type, depth - 1))); break;
      default: node->children.push_back(condition(depth - 1)); break;
    }
  return node;
}

}  // namespace clarity::fuzz
