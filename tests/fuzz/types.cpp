// SPDX-License-Identifier: Apache-2.0
// This file knows the names and sizes of types.
#include "types.h"

namespace clarity::fuzz {
namespace {

struct BaseFacts {
  const char* name;
  int size;
};
constexpr BaseFacts kFacts[kBaseCount] = {{"char", 1},  {"uchar", 1},  {"short", 2}, {"ushort", 2},
                                          {"int", 4},   {"uint", 4},   {"long", 8},  {"ulong", 8},
                                          {"float", 4}, {"double", 8}, {"half", 2}};

const BaseFacts& facts(Base base) { return kFacts[static_cast<int>(base)]; }

Base integerOfSize(int size, bool isSigned) {
  const Base signedBase = size == 1 ? Base::Char : size == 2 ? Base::Short : size == 4 ? Base::Int : Base::Long;
  return isSigned ? signedBase : static_cast<Base>(static_cast<int>(signedBase) + 1);
}

}  // namespace

int Type::size() const { return facts(base).size; }

std::string Type::name() const {
  std::string text = facts(base).name;
  if (lanes > 1) text += std::to_string(lanes);
  return text;
}

Type Type::asUnsigned() const { return {integerOfSize(size(), false), lanes}; }
Type Type::asSigned() const { return {integerOfSize(size(), true), lanes}; }

}  // namespace clarity::fuzz
