// SPDX-License-Identifier: Apache-2.0
// This file tests what is known of buffers that a kernel only counts in.
#include "compiler/driver/compiler.h"
#include "compiler/host/target.h"

#include <gtest/gtest.h>

#include <string>

namespace clarity::compiler {
namespace {

/// The reduction of the first argument of `kernel void k(global uint* out, ...) { body }`.
Reduction tallyIn(const std::string& body, const std::string& options = "-cl-std=CL3.0") {
  const std::string source =
      "void helper(volatile global uint* p) { atomic_inc(p); }\nkernel void k(global uint* out, global const uint* in, "
      "local uint* own) { uint i = get_global_id(0); " +
      body + " }";
  const Outcome outcome = build(source, options, hostTarget());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
  if (!outcome.compiled) return {};
  const KernelInfo& kernel = outcome.compiled->kernels.front();
  EXPECT_EQ(kernel.reductions, static_cast<bool>(kernel.args[0].reduction));
  EXPECT_FALSE(kernel.args[1].reduction || kernel.args[2].reduction);
  return kernel.args[0].reduction;
}

constexpr Reduction sum{Combination::Add, 4};

TEST(Reductions, kindsAndSizes) {
  EXPECT_EQ(tallyIn("atomic_inc(&out[in[i]]);"), sum);
  EXPECT_EQ(tallyIn("atomic_sub(out, in[i]); atomic_add(out + i, 2u); atomic_dec(out + 1);"), sum)
      << "sums of what is taken away";
  EXPECT_EQ(tallyIn("if (in[i] > 3) helper(out + i);"), sum);
  EXPECT_EQ(tallyIn("for (uint j = 0; j < in[i]; ++j) atomic_fetch_add((global atomic_uint*)out + j, 1u);"), sum)
      << "any order of memory, generic pointers";
  EXPECT_EQ(tallyIn("atomic_max(out + i, in[i]);"), (Reduction{Combination::UnsignedMax, 4}));
  EXPECT_EQ(tallyIn("atomic_min((global int*)out, (int)in[i]);"), (Reduction{Combination::SignedMin, 4}));
  EXPECT_EQ(tallyIn("atomic_xor(out, i);"), (Reduction{Combination::Xor, 4}));
  EXPECT_EQ(tallyIn("atom_add((global ulong*)out + i, (ulong)in[i]);"), (Reduction{Combination::Add, 8}));
}

TEST(Reductions, whereSomebodyLooks) {
  EXPECT_FALSE(tallyIn("own[atomic_inc(out)] = i;")) << "a result that is used";
  EXPECT_FALSE(tallyIn("atomic_inc(out); if (out[1]) own[0] = 1;")) << "a load";
  EXPECT_FALSE(tallyIn("atomic_inc(out); if (i == 0) out[1] = 3;")) << "a store";
  EXPECT_FALSE(tallyIn("atomic_add(out, 1u); atomic_max(out, i);")) << "two kinds";
  EXPECT_FALSE(tallyIn("atomic_add(out, 1u); atom_add((global ulong*)out + 1, 1ul);")) << "two sizes";
  EXPECT_FALSE(tallyIn("atomic_xchg(out, i);"));
  EXPECT_FALSE(tallyIn("atomic_cmpxchg(out, i, 2u);"));
  EXPECT_FALSE(tallyIn("atomic_fetch_add((global atomic_float*)out, 1.0f);"))
      << "sums of floating-point numbers have an order";
  EXPECT_FALSE(tallyIn("atomic_inc(out); if ((ulong)out % 64) own[0] = 1;")) << "the address shows";
  EXPECT_FALSE(tallyIn("out[i] = in[i];"));
  EXPECT_FALSE(tallyIn("")) << "nothing is counted";
}

}  // namespace
}  // namespace clarity::compiler
