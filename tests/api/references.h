// SPDX-License-Identifier: Apache-2.0
// This file is what the tests of clRetain* and clRelease* have in common.
#pragma once

#include "enqueue_checks.h"

#include <type_traits>
#include <vector>

namespace clarity::test {

/// clRetain* or clRelease* of one type of object.
template <class T>
using ReferenceFunction = cl_int(CL_API_CALL*)(std::type_identity_t<T>);

/// retain adds a reference, release takes one away: get(object, name) says so. The object has one before and after.
template <class T, class Get, class Name>
void expectReferencesCounted(T object, ReferenceFunction<T> retain, ReferenceFunction<T> release, Get get, Name name) {
  const auto count = [&] { return infoOf<cl_uint>(get, object, name); };
  EXPECT_EQ(count(), 1U);
  EXPECT_SUCCESS(retain(object));
  EXPECT_SUCCESS(retain(object));
  EXPECT_EQ(count(), 3U);
  EXPECT_SUCCESS(release(object));
  EXPECT_EQ(count(), 2U);
  EXPECT_SUCCESS(release(object));
  EXPECT_EQ(count(), 1U);
}

/// The function gives `code` for each of these handles.
template <class T>
void expectRefused(cl_int code, ReferenceFunction<T> function, const std::vector<BadHandle<T>>& bad) {
  for (const auto& each : bad) EXPECT_CL(code, function(each.handle)) << "the handle is " << each.what;
}

/// The driver's function gives `code` for badHandles(), and the loader's for those that loaders may read.
template <class T>
void expectRefused(OpenCL& test, cl_int code, cl_int(CL_API_CALL* loaders)(T), ReferenceFunction<T> drivers) {
  EXPECT_CL(code, loaders(nullptr)) << "the handle is NULL";
  if (promisesBadHandles(test)) EXPECT_CL(code, loaders(test.notAnObject<T>())) << "the handle is foreign memory";
  expectRefused<T>(code, drivers, badHandles<T>(test));
}

}  // namespace clarity::test
