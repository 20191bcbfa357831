// SPDX-License-Identifier: Apache-2.0
// This file computes with vectors element by element.

kernel void FN(axpy_unit)(S alpha, const global T* x, global T* y) {
  const size_t i = get_global_id(0);
  STORE(y, i, alpha * LOAD(x, i) + LOAD(y, i));
}

kernel void FN(axpy_strided)(S alpha, const global T* x, ulong incx, global T* y, ulong incy) {
  const size_t i = get_global_id(0);
  STORE(y, i * incy, alpha * LOAD(x, i * incx) + LOAD(y, i * incy));
}

kernel void FN(scal_unit)(S alpha, global T* x) {
  const size_t i = get_global_id(0);
  STORE(x, i, alpha * LOAD(x, i));
}

kernel void FN(scal_strided)(S alpha, global T* x, ulong incx) {
  const size_t i = get_global_id(0) * incx;
  STORE(x, i, alpha * LOAD(x, i));
}
