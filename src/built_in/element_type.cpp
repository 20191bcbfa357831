// SPDX-License-Identifier: Apache-2.0
// This file lists the types of elements.
#include "built_in/element_type.h"

#include <algorithm>
#include <iterator>

namespace clarity::built_in {
namespace {

constexpr ElementType elementTypes[] = {
    {"f32", "float", "float", 4},   {"f64", "double", "double", 8}, {"f16", "half", "float", 2},
    {"bf16", "ushort", "float", 2}, {"i8", "char", "int", 1},       {"u8", "uchar", "uint", 1},
    {"i16", "short", "int", 2},     {"u16", "ushort", "uint", 2},   {"i32", "int", "int", 4},
    {"u32", "uint", "uint", 4},     {"i64", "long", "long", 8},     {"u64", "ulong", "ulong", 8},
};

}  // namespace

const ElementType* elementType(std::string_view suffix) {
  const auto* const found = std::ranges::find(elementTypes, suffix, &ElementType::suffix);
  return found == std::end(elementTypes) ? nullptr : found;
}

}  // namespace clarity::built_in
