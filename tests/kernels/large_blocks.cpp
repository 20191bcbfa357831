// SPDX-License-Identifier: Apache-2.0
// This file tests code without a branch that is so long that the code generator leaves passes out (host/emit.cpp).
#include "device_test.h"

#include <cstdint>
#include <string>
#include <vector>

namespace {

constexpr std::uint32_t statements = 2500, elements = 1024, items = 64;

/// One statement of each step, the same here and there: a load from where the value before says.
std::uint32_t step(std::uint32_t x, const std::vector<std::uint32_t>& table, std::uint32_t i) {
  return x * 1664525u + (table[(x >> 9) % elements] ^ i);
}

class LargeBlocks : public DeviceTest {};

TEST_F(LargeBlocks, ThousandsOfDependentLoads) {
  std::string source = "kernel void k(global uint* out, global const uint* table) {\n  uint x = get_global_id(0);\n";
  for (std::uint32_t i = 0; i < statements; ++i) {
    const std::string number = std::to_string(i);
    source += "  x = x * 1664525u + (table[(x >> 9) % 1024u] ^ " + number + "u);\n";
  }
  source += "  out[get_global_id(0)] = x;\n}\n";
  std::vector<std::uint32_t> table(elements);
  for (std::uint32_t i = 0; i < elements; ++i) table[i] = i * 2654435761u;
  std::vector<std::uint32_t> wanted(items);
  for (std::uint32_t item = 0; item < items; ++item) {
    std::uint32_t x = item;
    for (std::uint32_t i = 0; i < statements; ++i) x = step(x, table, i);
    wanted[item] = x;
  }
  for (const char* options : {"", "-cl-clarity-packet-width=1"}) {
    if (!changeCode(options)) continue;
    SCOPED_TRACE(options);
    build(source, options);
    if (HasFatalFailure()) return;
    std::vector<std::uint32_t> found(items);
    cl_mem out = bufferOf(found), in = bufferOf(table);
    launch("k", {items}, {}, out, in);
    take(out, found);
    clReleaseMemObject(in);
    EXPECT_EQ(found, wanted);
  }
}

}  // namespace
