// SPDX-License-Identifier: Apache-2.0
// This file tests that no field of what code is specialised by is left out anywhere: equality, hash, cache key, text,
// bytes, and whether a binary is accepted.
#include "changed_fields.h"
#include "compiler/driver/cache.h"
#include "compiler/driver/compiler.h"
#include "compiler/driver/generate_native.h"
#include "compiler/frontend/dependencies.h"
#include "compiler/ir/backend.h"
#include "support/field_bytes.h"
#include "support/hash.h"

#include <gtest/gtest.h>

#include <set>

namespace clarity::compiler {
namespace {

template <class T>
support::Hash128 hashOf(const T& value) {
  support::Hasher hasher;
  support::addTo(hasher, value);
  return hasher.finish();
}

template <class T>
T roundTrip(const T& value) {
  support::ByteWriter to;
  support::write(to, value);
  const std::string bytes = to.take();
  support::ByteReader from(bytes);
  T after{};
  support::read(from, after);
  EXPECT_TRUE(from.ok() && from.atEnd());
  return after;
}

/// Every single change shows everywhere, and no two changes look alike.
template <class T>
void expectEveryFieldToCount(const T& original) {
  EXPECT_EQ(roundTrip(original), original);
  std::set<std::string> texts{support::textOf(original)};
  std::set<support::Hash128> hashes{hashOf(original)};
  std::size_t fields = 0;
  test::forEachChange<T>(original, [&](std::string_view name, const T& changed) {
    EXPECT_FALSE(changed == original) << name;
    EXPECT_TRUE(hashes.insert(hashOf(changed)).second) << name;
    EXPECT_TRUE(texts.insert(support::textOf(changed)).second) << name;
    EXPECT_EQ(roundTrip(changed), changed) << name;
    const auto differences = support::differences(original, changed);
    ASSERT_EQ(differences.size(), 1u) << name;
    EXPECT_EQ(differences[0].field, name);
    ++fields;
  });
  EXPECT_EQ(fields, std::tuple_size_v<decltype(T::fields())>);
}

Target exampleTarget() {
  Target t;
  t.backEnd = hostBackEndName;
  t.cpu = "znver5";
  t.features = "+avx2";
  t.vectorBits = 512;
  t.extensions = "cl_khr_fp64";
  t.deviceVersion = "Clarity 7.8";
  return t;
}

TEST(FieldsOfCompiler, everyFieldCounts) {
  expectEveryFieldToCount(Shape{});
  expectEveryFieldToCount(exampleTarget());
  expectEveryFieldToCount(Reduction{});
  expectEveryFieldToCount(KernelArg{});
  expectEveryFieldToCount(KernelInfo{});
  expectEveryFieldToCount(GlobalVariables{});
  expectEveryFieldToCount(GlobalVariables::Variable{});
  expectEveryFieldToCount(GlobalVariables::Content{});
  expectEveryFieldToCount(GlobalVariables::Pointer{});
  expectEveryFieldToCount(ProgramScope{});
  expectEveryFieldToCount(CompiledProgram{});
  expectEveryFieldToCount(CodeFacts{});
  expectEveryFieldToCount(LocalArray{});
  expectEveryFieldToCount(Site{});
}

TEST(FieldsOfCompiler, everyFieldOfTheTargetIsInCacheKeys) {
  const auto key = [](const Target& t) { return cacheKey("something", t).finish(); };
  test::forEachChange<Target>(exampleTarget(), [&](std::string_view name, const Target& changed) {
    EXPECT_NE(key(changed), key(exampleTarget())) << name;
  });
}

TEST(FieldsOfCompiler, everyFieldOfTheTargetIsInCompiledPrograms) {
  CompiledProgram compiled;
  seal(compiled, exampleTarget());
  const std::string bytes = serialise(compiled, exampleTarget());
  test::forEachChange<Target>(exampleTarget(), [&](std::string_view name, const Target& changed) {
    CompiledProgram other;
    seal(other, changed);
    EXPECT_NE(other.hash, compiled.hash) << name;
    std::string why;
    EXPECT_FALSE(deserialise(std::as_bytes(std::span(bytes)), changed, why)) << name;
    EXPECT_NE(why.find(std::string(name)), std::string::npos) << name << ": " << why;
  });
}

TEST(FieldsOfCompiler, everyFieldOfACompiledProgramIsInItsHash) {
  CompiledProgram compiled;
  seal(compiled, exampleTarget());
  test::forEachChange<CompiledProgram>(compiled, [&](std::string_view name, CompiledProgram changed) {
    if (name == "hash") return;
    seal(changed, exampleTarget());
    EXPECT_NE(changed.hash, compiled.hash) << name;
  });
}

TEST(FieldsOfCompiler, hostCodeComesBackFromBytes) {
  HostCode code;
  code.facts = {
      .groupAgnostic = true, .tile = {16, 4, 1}, .spillBytesPerItem = 12, .chunkItems = 4096, .interleavedGroups = 3};
  code.remarks = "one\ntwo\n";
  code.sites = {{.kind = SiteKind::AtomicUpdate,
                 .addressSpace = 3,
                 .line = 7,
                 .column = 9,
                 .variable = "sum",
                 .text = "atomic_inc(sum);",
                 .file = "sums.cl",
                 .calls = {}}};
  code.object = std::string(
      "\x7f"
      "ELF\0\1",
      6);
  const auto after = findBackEnd(hostBackEndName)->read(code.bytes());
  ASSERT_TRUE(after);
  const auto& same = static_cast<const HostCode&>(*after);
  EXPECT_EQ(same.facts, code.facts);
  EXPECT_EQ(same.remarks, code.remarks);
  EXPECT_EQ(same.sites, code.sites);
  EXPECT_EQ(same.object, code.object);
  const std::string bytes = code.bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(findBackEnd(hostBackEndName)->read(bytes.substr(0, size))) << size;
}

}  // namespace
}  // namespace clarity::compiler
