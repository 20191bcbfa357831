// SPDX-License-Identifier: Apache-2.0
// This file tells operations apart by the kind of their types.
#include "arithmetic.h"

namespace clarity::ptx {
namespace {

bool isHalf(Type type) { return type.isFloat() && type.bits == 16; }

template <Sum Operation>
void sum(Decoding& decoding) {
  const Type type = decoding.type();
  if (isHalf(type)) return halfSum(decoding, type, Operation);
  if (type.isFloat()) return floatSum(decoding, type, Operation);
  switch (Operation) {
    case Sum::Add: return integerSum(decoding, type, false);
    case Sum::Sub: return integerSum(decoding, type, true);
    case Sum::Mul: return integerProduct(decoding, type);
    case Sum::Fma: return integerProductSum(decoding, type);
    case Sum::Div: return integerDivision(decoding, type);
    default: decoding.fail("it is not one of integers");
  }
}

template <bool IsMax>
void minMax(Decoding& decoding) {
  const Type type = decoding.type();
  if (isHalf(type)) return halfMinMax(decoding, type, IsMax);
  if (type.isFloat()) return floatMinMax(decoding, type, IsMax);
  IsMax ? integerMax(decoding, type) : integerMin(decoding, type);
}

template <bool IsAbs>
void sign(Decoding& decoding) {
  const Type type = decoding.type();
  if (isHalf(type)) return halfSign(decoding, type, IsAbs);
  if (type.isFloat()) return floatSign(decoding, type, IsAbs);
  IsAbs ? integerAbs(decoding, type) : integerNeg(decoding, type);
}

}  // namespace

void addArithmetic(Opcodes& opcodes) {
  opcodes["add"] = sum<Sum::Add>;
  opcodes["sub"] = sum<Sum::Sub>;
  opcodes["mul"] = sum<Sum::Mul>;
  opcodes["fma"] = opcodes["mad"] = sum<Sum::Fma>;
  opcodes["div"] = sum<Sum::Div>;
  opcodes["sqrt"] = sum<Sum::Sqrt>;
  opcodes["rcp"] = sum<Sum::Rcp>;
  opcodes["min"] = minMax<false>;
  opcodes["max"] = minMax<true>;
  opcodes["abs"] = sign<true>;
  opcodes["neg"] = sign<false>;
}

}  // namespace clarity::ptx
