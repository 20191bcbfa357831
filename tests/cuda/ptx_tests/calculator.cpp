// SPDX-License-Identifier: Apache-2.0
#include "calculator.h"

#include <cstring>

namespace clarity::ptx {

Range TestMemory::find(std::uint64_t address) {
  const auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return {};
  const auto& [begin, words] = *std::prev(next);
  return {begin, begin + words.size() * 8, reinterpret_cast<std::byte*>(begin)};
}

std::uint64_t TestMemory::allocate(std::uint64_t bytes, std::uint64_t, std::byte*& host) {
  std::vector<std::uint64_t> words((bytes + 7) / 8);
  host = reinterpret_cast<std::byte*>(words.data());
  const auto address = reinterpret_cast<std::uint64_t>(host);
  blocks_[address] = std::move(words);
  return address;
}

Kernel::Kernel(const std::string& body, const std::string& before) {
  program = std::make_unique<Program>(".version 8.0\n.target sm_90\n.address_size 64\n" + before +
                                          R"(
.visible .entry k(.param .u64 out, .param .u64 in) {
  .reg .pred %p<40>; .reg .b16 %rs<40>; .reg .b32 %r<40>; .reg .b64 %rd<40>;
  ld.param.b64 %rd1, [out];
  ld.param.b64 %rd2, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 8;
  add.s64 %rd4, %rd2, %rd3;
  add.s64 %rd3, %rd1, %rd3;
)" + body + "\n  ret;\n}\n",
                                      memory);
  launch.program = program.get();
  launch.entry = program->entry("k");
  launch.mostInstructions = 100'000'000;
}

std::vector<std::uint64_t> Kernel::run(std::size_t words, const std::vector<std::uint64_t>& in) {
  auto* const out = memory.make<std::uint64_t>(words);
  auto* const given = memory.make<std::uint64_t>(std::max<std::size_t>(in.size(), 1));
  std::copy(in.begin(), in.end(), given);
  const std::uint64_t parameters[] = {reinterpret_cast<std::uint64_t>(out), reinterpret_cast<std::uint64_t>(given)};
  launch.parameters.resize(sizeof parameters);
  std::memcpy(launch.parameters.data(), parameters, sizeof parameters);
  execute(launch, memory);
  return {out, out + words};
}

Fault Kernel::fault(std::size_t words, const std::vector<std::uint64_t>& in) {
  try {
    (void)run(words, in);
  } catch (const Fault& fault) {
    return fault;
  }
  ADD_FAILURE() << "it ends without a fault";
  return {};
}

Calculated calculate(const std::string& instructions, const std::vector<std::uint64_t>& inputs) {
  std::string body;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string n = std::to_string(11 + i);
    body += "ld.global.b64 %rd" + n + ", [%rd2+" + std::to_string(8 * i) + "]; cvt.u32.u64 %r" + n + ", %rd" + n +
            "; cvt.u16.u64 %rs" + n + ", %rd" + n + ";\n";
  }
  body += "mov.b32 %r10, 0; mov.b64 %rd10, 0; mov.b16 %rs10, 0; mov.pred %p1, 0;\n" + instructions + R"(
  st.global.b32 [%rd1], %r10; st.global.b64 [%rd1+8], %rd10; st.global.b16 [%rd1+16], %rs10;
  selp.b32 %r10, 1, 0, %p1; st.global.b32 [%rd1+24], %r10;)";
  const auto out = Kernel(body).run(4, inputs);
  return {static_cast<std::uint32_t>(out[0]), out[1], static_cast<std::uint16_t>(out[2]), out[3] != 0};
}

}  // namespace clarity::ptx
