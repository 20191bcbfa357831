// SPDX-License-Identifier: Apache-2.0
// This file is the plan of kernels that go through vectors element by element. Their functions have two forms:
// "NAME_unit" for elements that follow each other, "NAME_strided" for others.
#pragma once

#include "built_in/plan.h"

#include <cstdint>
#include <string>

namespace clarity::built_in {

/// Goes through x. `scalars`: arguments of the function ahead of it.
template <class... Scalars>
void addVectorPass(Builder& it, const std::string& function, Scalars... scalars) {
  const std::uint64_t n = it.number("n"), incx = it.number("incx");
  it.positive("incx");
  it.needsBox("x", n, incx);
  if (n == 0) return;
  if (incx == 1)
    it.pass(it.function(function + "_unit"), items(n), scalars..., "x");
  else
    it.pass(it.function(function + "_strided"), items(n), scalars..., "x", "incx");
}

/// Goes through x and y. `mayBeSame`: they may be one and the same.
template <class... Scalars>
void addVectorsPass(Builder& it, const std::string& function, bool mayBeSame, Scalars... scalars) {
  const std::uint64_t n = it.number("n"), incx = it.number("incx"), incy = it.number("incy");
  it.positive("incx");
  it.positive("incy");
  it.needsBox("x", n, incx);
  it.needsBox("y", n, incy);
  it.apart("x", "y", mayBeSame && incx == incy);
  if (n == 0) return;
  if (incx == 1 && incy == 1)
    it.pass(it.function(function + "_unit"), items(n), scalars..., "x", "y");
  else
    it.pass(it.function(function + "_strided"), items(n), scalars..., "x", "incx", "y", "incy");
}

}  // namespace clarity::built_in
