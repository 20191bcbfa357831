// SPDX-License-Identifier: Apache-2.0
// This file declares the serial matrix multiplication that the samples compare their results with.
#ifndef SAMPLES_COMMON_MATRIX_H
#define SAMPLES_COMMON_MATRIX_H

#include "sample.h"

// c = a * b, all of them side x side, row after row.
void multiplyFloats(const cl_float* a, const cl_float* b, cl_float* c, size_t side);
void multiplyInts(const cl_int* a, const cl_int* b, cl_int* c, size_t side);

// 1 when the matrices are equal; otherwise prints which element is wrong.
int sameFloats(const Sample* sample, const cl_float* got, const cl_float* expected, size_t rows, size_t columns);
int sameInts(const Sample* sample, const cl_int* got, const cl_int* expected, size_t rows, size_t columns);

#endif
