// SPDX-License-Identifier: Apache-2.0
// This file gives the library, compiled for the host, what the driver would give it: the runtime math under the names
// that kernels use, and the work-item primitives of an NDRange that a test sets.
#include "library/host_environment.h"

#include <cstdlib>
#include <string_view>

#include "builtins/builtins.h"

NDRange ndRange;

namespace {
/// The address that kernels find under a name.
template <typename Function>
Function runtimeFunction(std::string_view name) {
  for (const auto& symbol : clarity::builtins::runtimeSymbols())
    if (symbol.name == name) return reinterpret_cast<Function>(symbol.address);
  std::abort();
}
}  // namespace

extern "C" {
#define FORWARD_1(symbol, T)                                         \
  T symbol(T x) {                                                    \
    static const auto function = runtimeFunction<T (*)(T)>(#symbol); \
    return function(x);                                              \
  }
#define FORWARD_2(symbol, T)                                            \
  T symbol(T x, T y) {                                                  \
    static const auto function = runtimeFunction<T (*)(T, T)>(#symbol); \
    return function(x, y);                                              \
  }
#define CLARITY_MATH_1(name, accuracy) \
  FORWARD_1(__clarity_##name##_f32, float) FORWARD_1(__clarity_##name##_f64, double)
#define CLARITY_MATH_2(name, accuracy) \
  FORWARD_2(__clarity_##name##_f32, float) FORWARD_2(__clarity_##name##_f64, double)
#define CLARITY_MATH_EXACT_2(name) CLARITY_MATH_2(name, )
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
void __clarity_fence(int order, int scope) { ndRange.fences.push_back({order, scope}); }
#define ORDERED(space)                                                                            \
  volatile void* __clarity_ordered_##space(volatile void* p, int order, int failure, int scope) { \
    ndRange.atomics.insert({order, failure, scope});                                              \
    return p;                                                                                     \
  }
ORDERED(global)
ORDERED(local)
ORDERED(generic)
ORDERED(private)
bool __clarity_is_local(const void* p) { return p == ndRange.localPointer; }
bool __clarity_is_private(const void* p) { return p == ndRange.privatePointer; }
}
