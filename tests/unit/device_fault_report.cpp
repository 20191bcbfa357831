// SPDX-License-Identifier: Apache-2.0
// This file tests the sentences that explain faults: whose memory an address was meant for.
#include "device/cpu/fault_report.h"

#include <CL/cl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>
#include <string>
#include <vector>

namespace clarity::test {
namespace {

using compiler::AddressQualifier;
using compiler::ArgKind;
using device::cpu::FaultScene;
using device::cpu::reportFault;
using support::Fault;

constexpr std::uint64_t kX = 0x7000'0000'0000, kY = 0x7000'1000'0000, kLocal = 0x7000'2000'0000,
                        kSpill = 0x7000'3000'0000;

/// kernel void k(const float* x, float4* y): 16 floats at kX, 100 float4 at kY; x may be of other types.
struct FaultReport : testing::Test {
  compiler::KernelInfo info;
  device::Launch launch;
  compiler::GlobalVariables variables;
  std::vector<compiler::LocalArray> localArrays;
  std::uint64_t groups = 1, spillBytes = 0;
  compiler::Slice slice{{0, 0, 0}, {1000, 1, 1}};
  bool ofItems = true;

  FaultReport() {
    info.name = "k";
    launch.info = &info;
    add("x", "float*", 64, kX);
    info.args.back().typeQualifiers = CL_KERNEL_ARG_TYPE_CONST;
    add("y", "float4*", 1600, kY);
  }
  void add(const char* name, const char* type, std::size_t bytes, std::uint64_t at) {
    compiler::KernelArg arg;
    arg.kind = ArgKind::Buffer;
    arg.name = name;
    arg.typeName = type;
    arg.address = AddressQualifier::Global;
    put(arg, at);
    if (at)
      launch.buffers.push_back({.argument = static_cast<std::uint32_t>(info.args.size() - 1),
                                .readOnly = false,
                                .memory = {},
                                .bytes = bytes});
  }
  void addLocal(const char* name, const char* type, std::size_t bytes) {
    compiler::KernelArg arg;
    arg.kind = ArgKind::Local;
    arg.name = name;
    arg.typeName = type;
    put(arg, launch.localBytes);
    launch.localBytes += bytes;
  }
  void put(compiler::KernelArg arg, std::uint64_t value) {
    arg.offset = static_cast<std::uint32_t>(launch.args.size());
    launch.args.resize(launch.args.size() + 8);
    std::memcpy(launch.args.data() + arg.offset, &value, sizeof value);
    info.args.push_back(arg);
  }
  std::string report(Fault::Access access, std::uint64_t address) const {
    const device::cpu::VariableStorage storage(std::make_shared<device::cpu::Allocator>(1 << 20), variables);
    Fault fault;
    fault.signal = SIGSEGV;
    fault.access = access;
    fault.address = reinterpret_cast<const void*>(address);
    const auto at = [](std::uint64_t place) { return reinterpret_cast<std::byte*>(place); };
    const compiler::WorkerMemory memory{at(kLocal), at(kSpill), (launch.localBytes + 63) / 64 * 64, groups};
    return reportFault(fault, {launch, launch.args.data(), storage, localArrays, memory, spillBytes, slice, ofItems});
  }
  std::string wrote(std::uint64_t address) const { return report(Fault::Access::Write, address); }
  std::string read(std::uint64_t address) const { return report(Fault::Access::Read, address); }
};

TEST_F(FaultReport, namesElementTypeSizeAndDistance) {
  EXPECT_EQ(read(kX + 4096),
            "kernel 'k': one of work-items 0 to 999 read element 1024 of argument 0 'x' (float), which has 16 elements "
            "(64 bytes): 4032 bytes past its end");
  EXPECT_EQ(wrote(kY + 1600),
            "kernel 'k': one of work-items 0 to 999 wrote element 100 of argument 1 'y' (float4), which has 100 "
            "elements (1600 bytes): just past its end");
  EXPECT_EQ(read(kX - 5),
            "kernel 'k': one of work-items 0 to 999 read element -2 of argument 0 'x' (float), which has 16 elements "
            "(64 bytes): 5 bytes before its beginning");
}

TEST_F(FaultReport, namesWhoAsExactlyAsKnown) {
  slice = {{7, 0, 0}, {8, 1, 1}};
  EXPECT_EQ(read(kX + 64).substr(0, 29), "kernel 'k': work-item 7 read ");
  launch.range.offset[0] = 100;
  EXPECT_EQ(read(kX + 64).substr(0, 31), "kernel 'k': work-item 107 read ");
  ofItems = false;
  EXPECT_EQ(read(kX + 64).substr(0, 45), "kernel 'k': a work-item of work-group 7 read ");
  launch.range.dims = 2;
  slice = {{0, 2, 0}, {4, 3, 1}};
  EXPECT_EQ(read(kX + 64).substr(0, 70), "kernel 'k': a work-item of one of work-groups (0, 2) to (3, 2) read el");
}

TEST_F(FaultReport, typesOfUnknownSizeAreCountedInBytes) {
  for (const char* type : {"struct Particle*", "real*", "float17*", "floaty*", "float**", ""}) {
    info.args[0].typeName = type;
    EXPECT_NE(read(kX + 70).find("read byte 70 of argument 0 'x', which has 64 bytes: 6 bytes past its end"),
              std::string::npos)
        << read(kX + 70);
  }
  info.args[0].typeName = "uchar3*";
  EXPECT_NE(read(kX + 70).find("element 17 of argument 0 'x' (uchar3), which has 16 elements"), std::string::npos);
  info.args[0].name.clear();
  EXPECT_NE(read(kX + 70).find("element 17 of argument 0 (uchar3)"), std::string::npos);
}

// Nothing is written through a pointer to const, even if that is nearer.
TEST_F(FaultReport, writesAreOfArgumentsThatCanBeWritten) {
  EXPECT_NE(wrote(kX + 100).find("argument 1 'y'"), std::string::npos) << wrote(kX + 100);
  EXPECT_EQ(wrote(kX + 100).find("argument 0 'x'"), std::string::npos);
}

TEST_F(FaultReport, overrunsAreLikelierThanUnderruns) {
  add("z", "int*", 64, kX + 10000);
  EXPECT_NE(read(kX + 64 + 6000).find("argument 0 'x'"), std::string::npos) << read(kX + 64 + 6000);
  EXPECT_NE(read(kX + 9990).find("argument 2 'z'"), std::string::npos) << read(kX + 9990);
}

TEST_F(FaultReport, localMemoryIsNotTakenForAnArgument) {
  addLocal("tile", "int*", 100);
  groups = 3;
  EXPECT_NE(wrote(kLocal + 8000 + 2 * 128)
                .find("wrote element 2000 of local argument 2 'tile' (int), which has 25 "
                      "elements (100 bytes): 7900 bytes past its end"),
            std::string::npos)
      << wrote(kLocal + 8000 + 2 * 128);
  EXPECT_NE(wrote(kLocal - 4).find("element -1 of local argument 2 'tile'"), std::string::npos) << wrote(kLocal - 4);
  addLocal("sums", "float*", 64);
  EXPECT_NE(read(kLocal + 5000)
                .find("of local memory (local argument 2 'tile', local argument 3 'sums'), which has 164 "
                      "bytes"),
            std::string::npos)
      << read(kLocal + 5000);
}

TEST_F(FaultReport, localArraysOfTheKernel) {
  localArrays = {{"tile", 0, 256, 4}};
  launch.localBytes = 256;
  EXPECT_NE(wrote(kLocal + 4096)
                .find("wrote element 1024 of local array 'tile', which has 64 elements (256 bytes): 3840 "
                      "bytes past its end"),
            std::string::npos)
      << wrote(kLocal + 4096);
  addLocal("sums", "float*", 64);
  EXPECT_NE(
      wrote(kLocal + 4096).find("local memory (local array 'tile', local argument 2 'sums'), which has 320 bytes"),
      std::string::npos)
      << wrote(kLocal + 4096);
}

TEST_F(FaultReport, theBarrierSpillArea) {
  spillBytes = 4096;
  EXPECT_NE(wrote(kSpill + 5000)
                .find("byte 5000 of the private memory that work-items keep across a barrier, which has "
                      "4096 bytes: 904 bytes past its end"),
            std::string::npos)
      << wrote(kSpill + 5000);
}

TEST_F(FaultReport, nullPointersAreNamed) {
  add("n", "int*", 0, 0);
  EXPECT_EQ(read(4000),
            "kernel 'k': one of work-items 0 to 999 read element 1000 of argument 2 'n' (int), which is a "
            "null pointer");
  EXPECT_NE(read(4000'000'000).find("'n'"), std::string::npos);
  EXPECT_NE(read(~std::uint64_t{3}).find("element -1 of argument 2 'n'"), std::string::npos) << read(~std::uint64_t{3});
  add("m", "int*", 0, 0);
  EXPECT_NE(wrote(64).find("byte 64 of argument 2 'n' or argument 3 'm', which is"), std::string::npos) << wrote(64);
}

TEST_F(FaultReport, whatIsFarIsNotCalledAnElement) {
  const std::string far = read(kX + (std::uint64_t{1} << 22));
  EXPECT_EQ(
      far,
      "kernel 'k': one of work-items 0 to 999 read from address 0x700000400000, which it may not access; it would "
      "be element 1048576 of argument 0 'x' (float), which has 16 elements (64 bytes) or element -16515072 of "
      "argument 1 'y' (float4), which has 100 elements (1600 bytes)");
  EXPECT_EQ(read(0x5555'0000'0000),
            "kernel 'k': one of work-items 0 to 999 read from address 0x555500000000, which it may not access");
}

TEST_F(FaultReport, memoryOfTheApplicationThatIsGone) {
  EXPECT_NE(read(kX + 8).find("read element 2 of argument 0 'x' (float), memory of the application that is not "
                              "accessible"),
            std::string::npos)
      << read(kX + 8);
}

TEST_F(FaultReport, programScopeVariables) {
  variables = {.bytes = 300,
               .alignment = 64,
               .largest = 172,
               .variables = {{"cl.a", 64, 40}, {"cl.b", 0, 8}, {"cl.c", 128, 172}},
               .contents = {},
               .pointers = {}};
  const auto storage = std::make_shared<device::cpu::Allocator>(1 << 20);
  const device::cpu::VariableStorage block(storage, variables);
  Fault fault;
  fault.signal = SIGSEGV;
  fault.access = Fault::Access::Write;
  fault.address = block.base() + 400;
  const FaultScene scene{launch, launch.args.data(), block, {}, {}, 0, slice, true};
  EXPECT_NE(reportFault(fault, scene).find("byte 400 of the program-scope variables ('a', 'b', 'c'), which have 300"),
            std::string::npos)
      << reportFault(fault, scene);
}

TEST_F(FaultReport, otherFaultsAreNotAccesses) {
  const device::cpu::VariableStorage none(std::make_shared<device::cpu::Allocator>(1 << 20), variables);
  Fault fault;
  fault.signal = SIGFPE;
  const FaultScene scene{launch, launch.args.data(), none, {}, {}, 0, slice, true};
  EXPECT_EQ(reportFault(fault, scene),
            "kernel 'k': one of work-items 0 to 999 divided an integer by zero, or the smallest one by -1");
}

}  // namespace
}  // namespace clarity::test
