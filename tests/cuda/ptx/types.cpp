// SPDX-License-Identifier: Apache-2.0
// This file names the types.
#include "syntax.h"

namespace clarity::ptx {

std::optional<Type> typeNamed(std::string_view word) {
  static const std::map<std::string_view, Type>& types = *new std::map<std::string_view, Type>{
      {"pred", predicate},
      {"b8", {Kind::Bits, 8}},
      {"b16", b16},
      {"b32", b32},
      {"b64", b64},
      {"b128", {Kind::Bits, 128}},
      {"u8", {Kind::Unsigned, 8}},
      {"u16", {Kind::Unsigned, 16}},
      {"u32", u32},
      {"u64", u64},
      {"s8", {Kind::Signed, 8}},
      {"s16", {Kind::Signed, 16}},
      {"s32", s32},
      {"s64", {Kind::Signed, 64}},
      {"f16", {Kind::Float, 16}},
      {"f16x2", {Kind::Float, 16, 2}},
      {"bf16", {Kind::BFloat, 16}},
      {"bf16x2", {Kind::BFloat, 16, 2}},
      {"f32", {Kind::Float, 32}},
      {"f64", {Kind::Float, 64}},
      {"u16x2", {Kind::Unsigned, 16, 2}},
      {"s16x2", {Kind::Signed, 16, 2}},
  };
  const auto found = types.find(word);
  if (found == types.end()) return std::nullopt;
  return found->second;
}

}  // namespace clarity::ptx
