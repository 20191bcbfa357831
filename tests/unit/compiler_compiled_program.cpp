// SPDX-License-Identifier: Apache-2.0
// This file tests program binaries: what goes in comes out, and nothing damaged or foreign is taken.
#include "compiler/ir/compiled_program.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace clarity::compiler {
namespace {

Target target() {
  Target t;
  t.cpu = "znver5";
  t.features = "+avx2";
  t.vectorBits = 512;
  t.extensions = "cl_khr_fp64";
  t.deviceVersion = "Clarity 7.8";
  return t;
}

CompiledProgram sample() {
  CompiledProgram compiled;
  compiled.kind = BinaryType::Library;
  compiled.options = "-DX=\"a b\"";
  compiled.bitcode = std::string("BC\xC0\xDE\0\1\2", 7) + std::string(500, 'b');
  KernelInfo kernel;
  kernel.name = "scale";
  kernel.attributes = "reqd_work_group_size(8,4,1)";
  kernel.args = {
      {ArgKind::Buffer, ImageArgType::None, "data", "float4*", AddressQualifier::Global, 0x11A3, 5, 8, 16, 0, {}},
      {ArgKind::Value, ImageArgType::None, "factor", "double", AddressQualifier::Private, 0x11A3, 0, 8, 8, 8, {}}};
  kernel.argBlockBytes = 16;
  kernel.requiredLocalSize = {8, 4, 1};
  kernel.localSizeHint = {1, 2, 3};
  kernel.localBytes = 1ull << 31;
  kernel.privateBytes = 77;
  kernel.hasBarrier = kernel.usesPrintf = true;
  kernel.uniformWorkGroups = false;
  compiled.kernels = {kernel, KernelInfo{}};
  compiled.kernels[1].name = "empty";
  compiled.kernels[1].groupAgnostic = true;
  compiled.kernels[1].argBlockBytes = 8;
  compiled.scope.variables = {.bytes = 100,
                              .alignment = 64,
                              .largest = 40,
                              .variables = {{"cl.a", 0, 40}, {"cl.b", 64, 36}},
                              .contents = {{4, std::string("\1\0\2", 3)}},
                              .pointers = {{64, 8}}};
  compiled.scope.constructors.emplace().name = "first";
  compiled.scope.constructors->argBlockBytes = 8;
  seal(compiled, target());
  return compiled;
}

std::shared_ptr<const CompiledProgram> read(const std::string& bytes, std::string& why, const Target& t = target()) {
  return deserialise(std::as_bytes(std::span(bytes)), t, why);
}

TEST(ProgramBinary, comesBackWhole) {
  const CompiledProgram before = sample();
  std::string why;
  const auto after = read(serialise(before, target()), why);
  ASSERT_TRUE(after) << why;
  EXPECT_EQ(why, "");
  EXPECT_EQ(after->kind, before.kind);
  EXPECT_EQ(after->options, before.options);
  EXPECT_EQ(after->bitcode, before.bitcode);
  EXPECT_EQ(after->hash[0], before.hash[0]);
  EXPECT_EQ(after->hash[1], before.hash[1]);
  ASSERT_EQ(after->kernels.size(), 2u);
  const KernelInfo& kernel = after->kernels[0];
  EXPECT_EQ(kernel.name, "scale");
  EXPECT_EQ(kernel.attributes, "reqd_work_group_size(8,4,1)");
  ASSERT_EQ(kernel.args.size(), 2u);
  EXPECT_EQ(kernel.args[0].kind, ArgKind::Buffer);
  EXPECT_EQ(kernel.args[0].name, "data");
  EXPECT_EQ(kernel.args[0].typeName, "float4*");
  EXPECT_EQ(kernel.args[0].address, AddressQualifier::Global);
  EXPECT_EQ(kernel.args[0].access, 0x11A3u);
  EXPECT_EQ(kernel.args[0].typeQualifiers, 5u);
  EXPECT_EQ(kernel.args[0].align, 16u);
  EXPECT_EQ(kernel.args[1].offset, 8u);
  EXPECT_EQ(kernel.argBlockBytes, 16u);
  EXPECT_EQ(kernel.requiredLocalSize, (std::array<std::uint32_t, 3>{8, 4, 1}));
  EXPECT_EQ(kernel.localSizeHint, (std::array<std::uint32_t, 3>{1, 2, 3}));
  EXPECT_EQ(kernel.localBytes, 1ull << 31);
  EXPECT_EQ(kernel.privateBytes, 77u);
  EXPECT_TRUE(kernel.hasBarrier && kernel.usesPrintf && !kernel.groupAgnostic && !kernel.uniformWorkGroups);
  EXPECT_TRUE(after->kernels[1].groupAgnostic);
  const GlobalVariables& variables = after->scope.variables;
  EXPECT_EQ(variables.bytes, 100u);
  EXPECT_EQ(variables.alignment, 64u);
  EXPECT_EQ(variables.largest, 40u);
  ASSERT_EQ(variables.variables.size(), 2u);
  ASSERT_TRUE(variables.find("cl.b"));
  EXPECT_EQ(variables.find("cl.b")->offset, 64u);
  EXPECT_EQ(variables.find("cl.b")->bytes, 36u);
  EXPECT_FALSE(variables.find("cl.c") || variables.find("cl") || variables.find(""));
  ASSERT_EQ(variables.contents.size(), 1u);
  EXPECT_EQ(variables.contents[0].offset, 4u);
  EXPECT_EQ(variables.contents[0].bytes, std::string("\1\0\2", 3));
  ASSERT_EQ(variables.pointers.size(), 1u);
  EXPECT_EQ(variables.pointers[0].offset, 64u);
  EXPECT_EQ(variables.pointers[0].target, 8u);
  ASSERT_TRUE(after->scope.constructors);
  EXPECT_EQ(after->scope.constructors->name, "first");
  EXPECT_EQ(after->find("empty"), &after->kernels[1]);
  EXPECT_EQ(after->find("nothing"), nullptr);
}

TEST(ProgramBinary, everyTruncationIsNoticed) {
  const std::string whole = serialise(sample(), target());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::string why;
    EXPECT_FALSE(read(whole.substr(0, size), why)) << size;
    EXPECT_NE(why, "") << size;
  }
  std::string why;
  read(whole.substr(0, 123), why);
  EXPECT_EQ(why, "the binary ends after 123 of " + std::to_string(whole.size()) + " bytes");
  EXPECT_FALSE(read(whole + "x", why));
}

TEST(ProgramBinary, everyFlippedBitIsNoticed) {
  std::string bytes = serialise(sample(), target());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    std::string why;
    EXPECT_FALSE(read(bytes, why)) << "bit " << bit;
    EXPECT_NE(why, "") << "bit " << bit;
    bytes[bit / 8] ^= static_cast<char>(1 << (bit % 8));
  }
}

/// A field with an impossible value, and what the refusal must name.
struct Mistake {
  const char* field;
  std::function<void(CompiledProgram&)> make;
};

// Each with a right checksum: the binary was written so.
TEST(ProgramBinary, everyFieldIsChecked) {
  const auto arg = [](CompiledProgram& compiled, std::size_t i) -> KernelArg& { return compiled.kernels[0].args[i]; };
  const Mistake mistakes[] = {
      {"kind", [](CompiledProgram& i) { i.kind = BinaryType(3); }},
      {"options", [](CompiledProgram& i) { i.options += '\0'; }},
      {"name", [](CompiledProgram& i) { i.kernels[0].name = ""; }},
      {"name", [](CompiledProgram& i) { i.kernels[0].name = "a;b"; }},
      {"attributes", [](CompiledProgram& i) { i.kernels[0].attributes.assign(1, '\0'); }},
      {"argument 0: name", [&](CompiledProgram& i) { arg(i, 0).name.assign(1, '\0'); }},
      {"argument 0: typeName", [&](CompiledProgram& i) { arg(i, 0).typeName.assign(1, '\0'); }},
      {"argument 0: kind", [&](CompiledProgram& i) { arg(i, 0).kind = ArgKind(7); }},
      {"argument 0: image is 10", [&](CompiledProgram& i) { arg(i, 0).image = ImageArgType(10); }},
      {"argument 0: image is 4", [&](CompiledProgram& i) { arg(i, 0).image = ImageArgType::Image2D; }},
      {"argument 0: image is 0", [&](CompiledProgram& i) { arg(i, 0).kind = ArgKind::Image; }},
      {"argument 0: size is 8, expected 184",
       [&](CompiledProgram& i) { arg(i, 0).kind = ArgKind::Image, arg(i, 0).image = ImageArgType::Image3D; }},
      {"argument 0: address", [&](CompiledProgram& i) { arg(i, 0).address = AddressQualifier(0x119F); }},
      {"argument 0: address", [&](CompiledProgram& i) { arg(i, 0).address = AddressQualifier::Local; }},
      {"argument 0: address", [&](CompiledProgram& i) { arg(i, 0).kind = ArgKind::Local; }},
      {"argument 0: access", [&](CompiledProgram& i) { arg(i, 0).access = 0; }},
      {"argument 0: typeQualifiers", [&](CompiledProgram& i) { arg(i, 0).typeQualifiers = 16; }},
      {"argument 0: size", [&](CompiledProgram& i) { arg(i, 0).size = 4; }},
      {"argument 0: align is 3", [&](CompiledProgram& i) { arg(i, 0).align = 3; }},
      {"argument 0: align is 0", [&](CompiledProgram& i) { arg(i, 0).align = 0; }},
      {"argument 0: offset is 4294967288", [&](CompiledProgram& i) { arg(i, 0).offset = 0xFFFFFFF8; }},
      {"argument 1: offset is 4", [&](CompiledProgram& i) { arg(i, 1).offset = 4; }},
      {"argument 1: size is 4294967295", [&](CompiledProgram& i) { arg(i, 1).size = 0xFFFFFFFF; }},
      {"argBlockBytes", [&](CompiledProgram& i) { arg(i, 1).size = 16; }},
      {"argBlockBytes is 8", [](CompiledProgram& i) { i.kernels[0].argBlockBytes = 8; }},
      {"argBlockBytes is 0", [](CompiledProgram& i) { i.kernels[1].argBlockBytes = 0; }},
      {"reduction.combination", [&](CompiledProgram& i) { arg(i, 0).reduction.combination = Combination(9); }},
      {"reduction.bytes", [&](CompiledProgram& i) { arg(i, 0).reduction.bytes = 3; }},
      {"reduction.bytes", [&](CompiledProgram& i) { arg(i, 1).reduction.bytes = 4; }},
      {"reductions", [](CompiledProgram& i) { i.kernels[0].reductions = true; }},
      {"requiredLocalSize is 8 x 0 x 1", [](CompiledProgram& i) { i.kernels[0].requiredLocalSize = {8, 0, 1}; }},
      {"localSizeHint", [](CompiledProgram& i) { i.kernels[0].localSizeHint = {0, 1, 1}; }},
      {"localBytes", [](CompiledProgram& i) { i.kernels[0].localBytes = ~std::uint64_t{0}; }},
      {"privateBytes", [](CompiledProgram& i) { i.kernels[0].privateBytes = ~std::uint64_t{0}; }},
      {"kernels", [](CompiledProgram& i) { i.kind = BinaryType::Executable, i.kernels[1].name = "scale"; }},
      {"kernel 'scale': args",
       [](CompiledProgram& i) {
         i.kernels[0].isBlock = true;
         i.kernels[0].args.clear();
         i.kernels[0].argBlockBytes = 8;
       }},
      {"kernel 'scale': args", [](CompiledProgram& i) { i.kernels[0].isBlock = true; }},
      {"subGroupSize is 3", [](CompiledProgram& i) { i.kind = BinaryType::Executable, i.kernels[0].subGroupSize = 3; }},
      {"inStep", [](CompiledProgram& i) { i.kind = BinaryType::Executable, i.kernels[0].inStep = 33; }},
      {"requiredSubGroups",
       [](CompiledProgram& i) { i.kind = BinaryType::Executable, i.kernels[0].requiredSubGroups = 5000; }},
      {"requiredSubGroupSize",
       [](CompiledProgram& i) { i.kind = BinaryType::Executable, i.kernels[0].requiredSubGroupSize = 64; }},
      {"groupAgnostic", [](CompiledProgram& i) { i.kind = BinaryType::Executable, i.kernels[0].groupAgnostic = true; }},
      {"bytes", [](CompiledProgram& i) { i.scope.variables.bytes = ~std::uint64_t{0}; }},
      {"align is 48", [](CompiledProgram& i) { i.scope.variables.alignment = 48; }},
      {"largest", [](CompiledProgram& i) { i.scope.variables.largest = 101; }},
      {"symbol", [](CompiledProgram& i) { i.scope.variables.variables[0].symbol = ""; }},
      {"symbol", [](CompiledProgram& i) { i.scope.variables.variables[1].symbol = "cl.a"; }},
      {"'cl.b': offset", [](CompiledProgram& i) { i.scope.variables.variables[1].bytes = 37; }},
      {"'cl.a': bytes is 41", [](CompiledProgram& i) { i.scope.variables.variables[0].bytes = 41; }},
      {"variables", [](CompiledProgram& i) { i.scope.variables.variables[1].offset = 30; }},
      {"content of variables: offset is 98", [](CompiledProgram& i) { i.scope.variables.contents[0].offset = 98; }},
      {"content of variables", [](CompiledProgram& i) { i.scope.variables.contents[0].offset = ~std::uint64_t{0}; }},
      {"contents", [](CompiledProgram& i) { i.scope.variables.contents.push_back({5, "x"}); }},
      {"pointer in a variable: offset is 93", [](CompiledProgram& i) { i.scope.variables.pointers[0].offset = 93; }},
      {"pointer in a variable: target", [](CompiledProgram& i) { i.scope.variables.pointers[0].target = 101; }},
      {"argBlockBytes", [](CompiledProgram& i) { i.scope.constructors->argBlockBytes = 9; }},
      {"name", [](CompiledProgram& i) { i.scope.constructors->name = "scale"; }},
  };
  for (const Mistake& mistake : mistakes) {
    CompiledProgram compiled = sample();
    mistake.make(compiled);
    std::string why;
    EXPECT_FALSE(read(serialise(compiled, target()), why)) << mistake.field;
    EXPECT_TRUE(why.starts_with("the binary is damaged: ")) << why;
    EXPECT_TRUE(why.contains(mistake.field)) << mistake.field << " is not named in: " << why;
  }
}

TEST(ProgramBinary, whatIsNoBinaryIsSaidToBeNone) {
  std::string why;
  EXPECT_FALSE(read("", why));
  EXPECT_EQ(why, "the binary is empty");
  EXPECT_FALSE(read(std::string(400, '\x7f'), why));
  EXPECT_EQ(why, "the bytes are not a program binary of Clarity");
}

TEST(ProgramBinary, randomBytesBehindARightBeginning) {
  std::mt19937 random(1);
  const std::string whole = serialise(sample(), target());
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    for (std::size_t at = 8 + random() % 60; at < bytes.size(); ++at) bytes[at] = static_cast<char>(random());
    std::string why;
    EXPECT_FALSE(read(bytes, why));
  }
}

TEST(ProgramBinary, anotherVersionOrProcessorIsRefusedByName) {
  const std::string bytes = serialise(sample(), target());
  std::string why;
  Target other = target();
  other.deviceVersion = "Clarity 7.9";
  EXPECT_FALSE(read(bytes, why, other));
  EXPECT_EQ(why,
            "the binary is for another device: deviceVersion 'Clarity 7.8'; this device: deviceVersion 'Clarity 7.9'");
  other = target();
  other.cpu = "znver4";
  EXPECT_FALSE(read(bytes, why, other));
  EXPECT_EQ(why, "the binary is for another device: cpu 'znver5'; this device: cpu 'znver4'");
  other = target();
  other.features = "-avx2";
  EXPECT_FALSE(read(bytes, why, other));
  // Only the differences of long lists are shown.
  other = target();
  for (int i = 0; i < 50; ++i) other.extensions += " cl_khr_extension_" + std::to_string(i);
  other.extensions += " cl_khr_fp16";
  Target maker = other;
  maker.extensions += " cl_khr_more";
  EXPECT_FALSE(read(serialise(sample(), maker), why, other));
  EXPECT_EQ(why, "the binary is for another device: extensions with cl_khr_more; this device: extensions without");
}

TEST(ProgramBinary, hashDependsOnContentAndTarget) {
  CompiledProgram a = sample(), b = sample();
  b.bitcode += 'x';
  seal(b, target());
  EXPECT_NE(a.hash[0], b.hash[0]);
  CompiledProgram c = sample();
  Target other = target();
  other.cpu = "znver4";
  seal(c, other);
  EXPECT_NE(a.hash[0], c.hash[0]);
}

}  // namespace
}  // namespace clarity::compiler
