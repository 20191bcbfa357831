// SPDX-License-Identifier: Apache-2.0
// This file builds the table of functions of each type from functions.def and references.h.
#include "accuracy/references.h"

namespace accuracy {
namespace {

template <class T, template <class> class Reference>
void referenceOfBlock(const Block<T>& block, Truth<T>* truth) {
  for (std::size_t i = 0; i < block.count; ++i) truth[i] = Reference<T>::of(block.arguments(i));
}

template <class T>
std::vector<Function<T>> makeFunctions() {
  constexpr int type = sizeof(T) == sizeof(Half) ? 0 : sizeof(T) == sizeof(float) ? 1 : 2;
  std::vector<Function<T>> all;
#define FUNCTION(name, shape, call, half, single, double)                                            \
  if (constexpr double_t limits[] = {half, single, double}; limits[type] != absent)                  \
    all.push_back({#name, Shape::shape, #call, limits[type], &referenceOfBlock<T, name##_reference>, \
                   &name##_reference<T>::of, nullptr});
#include "accuracy/functions.def"
  if constexpr (type == 1)
    for (Function<T>& function : all) function.quick = quickReference(function.name);
  return all;
}

}  // namespace

template <class T>
const std::vector<Function<T>>& functions() {
  static const std::vector<Function<T>> all = makeFunctions<T>();
  return all;
}

template const std::vector<Function<Half>>& functions<Half>();
template const std::vector<Function<float>>& functions<float>();
template const std::vector<Function<double>>& functions<double>();

}  // namespace accuracy
