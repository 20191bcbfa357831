// SPDX-License-Identifier: Apache-2.0
// This file copies elements of one type to elements of another.

kernel void FN2(copy_unit)(const global T* x, global U* y) {
  const size_t i = get_global_id(0);
  STORE2(y, i, CONVERT2(LOAD(x, i)));
}

kernel void FN2(copy_strided)(const global T* x, ulong incx, global U* y, ulong incy) {
  const size_t i = get_global_id(0);
  STORE2(y, i * incy, CONVERT2(LOAD(x, i * incx)));
}
