// SPDX-License-Identifier: Apache-2.0
// This file gives the library, compiled for the host, what the driver would give it: the runtime math under the names
// that kernels use, and the work-item primitives of an NDRange that a test sets.
#include "library/host_environment.h"

#include "builtins/runtime_math.h"

namespace math = clarity::builtins::math;

NDRange ndRange;

extern "C" {
#define CLARITY_MATH_1(name)                                      \
  float __clarity_##name##_f32(float x) { return math::name(x); } \
  double __clarity_##name##_f64(double x) { return math::name(x); }
#define CLARITY_MATH_2(name)                                                  \
  float __clarity_##name##_f32(float x, float y) { return math::name(x, y); } \
  double __clarity_##name##_f64(double x, double y) { return math::name(x, y); }
#define CLARITY_MATH_INT(name)                                              \
  float __clarity_##name##_f32(float x, int n) { return math::name(x, n); } \
  double __clarity_##name##_f64(double x, int n) { return math::name(x, n); }
#define CLARITY_MATH_2_INT(name)                                            \
  int __clarity_##name##_f32(float x, float y) { return math::name(x, y); } \
  int __clarity_##name##_f64(double x, double y) { return math::name(x, y); }
#include "builtins/runtime_math.def"

std::size_t __clarity_global_id(unsigned dim) { return ndRange.globalId[dim]; }
std::size_t __clarity_local_id(unsigned dim) { return ndRange.localId[dim]; }
std::size_t __clarity_group_id(unsigned dim) { return ndRange.groupId[dim]; }
std::size_t __clarity_global_size(unsigned dim) { return ndRange.globalSize[dim]; }
std::size_t __clarity_local_size(unsigned dim) { return ndRange.localSize[dim]; }
std::size_t __clarity_enqueued_local_size(unsigned dim) { return ndRange.enqueuedLocalSize[dim]; }
std::size_t __clarity_num_groups(unsigned dim) { return ndRange.numGroups[dim]; }
std::size_t __clarity_global_offset(unsigned dim) { return ndRange.globalOffset[dim]; }
unsigned __clarity_work_dim() { return ndRange.workDim; }
void __clarity_barrier(unsigned flags) { ndRange.barriers.push_back(flags); }
bool __clarity_is_local(const void* p) { return p == ndRange.localPointer; }
bool __clarity_is_private(const void* p) { return p == ndRange.privatePointer; }
}
