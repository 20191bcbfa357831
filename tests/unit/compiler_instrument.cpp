// SPDX-License-Identifier: Apache-2.0
// This file tests instrumented code: what it reports, in which order, and that other code has nothing of it.
#include "compiler/driver/generate_native.h"
#include "compiler/driver/inspect.h"
#include "compiler_host.h"
#include "device/cpu/observation.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace clarity::compiler {
namespace {

/// Ahead of the first code that any test of this program loads.
[[maybe_unused]] const bool provided = [] {
  device::cpu::provideObserverHooks();
  return true;
}();

std::shared_ptr<const CompiledProgram> programOf(std::string_view source,
                                                 const std::string& options = "-cl-clarity-instrument") {
  const Outcome outcome = build(source, options, host());
  EXPECT_EQ(outcome.status, Status::Ok) << outcome.log;
  return outcome.compiled;
}

Shape instrumented(Instrumentation kind = Instrumentation::Check) {
  Shape shape;
  shape.instrumentation = kind;
  return shape;
}

std::string assemblyOf(const CompiledProgram& compiled, const Shape& shape = {}) {
  std::string log;
  std::string text = generateText(compiled, compiled.kernels[0].name, shape, host(), NativeForm::Assembly, log);
  EXPECT_FALSE(text.empty()) << log;
  return text;
}

/// One event, with the place put in words.
struct Event {
  std::string place;  ///< "read a at 3:9"
  std::uint64_t address = 0, bytes = 0;
  std::array<std::uint64_t, 3> id{};
};

class Recorder final : public device::LaunchObserver {
public:
  Recorder(const std::vector<Site>& sites) : sites_(sites) {}
  void access(const device::ObservedAccess& access) override {
    const Site& site = sites_.at(access.site);
    const char* const kinds[] = {"read", "write", "atomic read", "atomic write", "atomic update"};
    events.push_back({std::string(kinds[static_cast<int>(site.kind)]) + " " + site.variable + " in line " +
                          std::to_string(site.line),
                      access.address, access.bytes, access.globalId});
  }
  std::vector<Event> events;

private:
  const std::vector<Site>& sites_;
};

using Size = std::array<std::uint64_t, 3>;

/// Runs the first kernel of a compiled program, whose arguments are buffers, on one thread.
std::vector<Event> run(const CompiledProgram& compiled, Size global, Size local, std::vector<void*> args,
                       Instrumentation kind = Instrumentation::Check, std::uint64_t localBytes = 0) {
  const KernelInfo& info = compiled.kernels[0];
  std::vector<std::byte> variables(compiled.scope.variables.bytes + 64);
  const NativeOutcome native = generateNative(compiled, info.name, instrumented(kind), host(), variables.data());
  EXPECT_TRUE(native.kernel) << native.log;
  if (!native.kernel) return {};
  EXPECT_FALSE(native.kernel->groupAgnostic);
  LaunchInfo launch{{0, 0, 0}, {global[0], global[1], global[2]}, {local[0], local[1], local[2]}, {}, 1, nullptr,
                    nullptr};
  Slice slice{};
  for (int d = 0; d < 3; ++d) slice.end[d] = launch.numGroups[d] = (global[d] + local[d] - 1) / local[d];
  const std::uint64_t bytes = (info.localBytes + localBytes + 63) / 64 * 64;
  alignas(64) static std::byte localMemory[1 << 16], spill[1 << 16];
  const WorkerMemory memory{localMemory, spill, bytes, 1};
  EXPECT_LE(native.kernel->spillBytesPerItem * local[0] * local[1] * local[2], sizeof spill);
  Recorder recorder(native.kernel->sites);
  const device::cpu::Observing observing(&recorder);
  native.kernel->entry(reinterpret_cast<const std::byte*>(args.data()), &launch, &slice, &memory);
  return recorder.events;
}

std::string textOf(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += event.place + " by " + std::to_string(event.id[0]) + "\n";
  return text;
}

constexpr const char* kTurn =
    "kernel void turn(global int* a) {\n"
    "  local int t[2];\n"
    "  int l = get_local_id(0);\n"
    "  t[l] = a[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  a[get_global_id(0)] = t[1 - l];\n"
    "}\n";

TEST(Instrument, otherCodeHasNothingOfIt) {
  const char* sources[] = {kTurn,
                           "kernel void sum(global const float* a, global float* b, int n) { float s = 0; for (int i = "
                           "0; i < n; ++i) s += a[i * n + get_global_id(0)]; b[get_global_id(0)] = s; }",
                           "kernel void count(global const uchar* a, global uint* bins) { for (size_t i = "
                           "get_global_id(0); i < 1000; i += get_global_size(0)) atomic_inc(bins + a[i]); }"};
  for (const char* source : sources)
    for (const std::array<std::uint32_t, 3> local :
         {std::array<std::uint32_t, 3>{}, std::array<std::uint32_t, 3>{2, 1, 1},
          std::array<std::uint32_t, 3>{64, 1, 1}}) {
      Shape shape;
      shape.local = local;
      const std::string plain = assemblyOf(*programOf(source, ""), shape);
      EXPECT_EQ(plain, assemblyOf(*programOf(source), shape));
      EXPECT_EQ(plain.find("observe"), std::string::npos);
    }
  EXPECT_NE(assemblyOf(*programOf(kTurn), instrumented()).find("__clarity_observe_access"), std::string::npos);
}

TEST(Instrument, accessesComeInOrderWithTheirPlaces) {
  int a[4] = {1, 2, 3, 4};
  const auto events = run(*programOf(kTurn), {4, 1, 1}, {2, 1, 1}, {a});
  EXPECT_EQ(textOf(events),
            "read a in line 4 by 0\nwrite t in line 4 by 0\nread a in line 4 by 1\nwrite t in line 4 by 1\n"
            "read t in line 6 by 0\nwrite a in line 6 by 0\nread t in line 6 by 1\nwrite a in line 6 by 1\n"
            "read a in line 4 by 2\nwrite t in line 4 by 2\nread a in line 4 by 3\nwrite t in line 4 by 3\n"
            "read t in line 6 by 2\nwrite a in line 6 by 2\nread t in line 6 by 3\nwrite a in line 6 by 3\n");
  EXPECT_EQ(std::vector<int>(a, a + 4), (std::vector<int>{2, 1, 4, 3}));
  ASSERT_EQ(events.size(), 16u);
  EXPECT_EQ(events[0].address, reinterpret_cast<std::uint64_t>(a));
  EXPECT_EQ(events[15].address, reinterpret_cast<std::uint64_t>(a + 3));
  EXPECT_EQ(events[0].bytes, 4u);
}

TEST(Instrument, theSourceIsWhatCounts) {
  // The optimiser would load `a[0]` once for all work-items, and store `b[i]` once.
  const auto made = programOf(
      "kernel void k(global int* restrict a, global int* restrict b) {\n"
      "  size_t i = get_global_id(0);\n"
      "  b[i] = a[0];\n"
      "  b[i] = a[0] + a[0];\n"
      "}\n");
  int a[1] = {21}, b[2] = {0, 0};
  EXPECT_EQ(textOf(run(*made, {2, 1, 1}, {2, 1, 1}, {a, b})),
            "read a in line 3 by 0\nwrite b in line 3 by 0\nread a in line 4 by 0\nread a in line 4 by 0\nwrite b in "
            "line 4 by 0\n"
            "read a in line 3 by 1\nwrite b in line 3 by 1\nread a in line 4 by 1\nread a in line 4 by 1\nwrite b in "
            "line 4 by 1\n");
  EXPECT_EQ(b[0], 42);
  EXPECT_EQ(b[1], 42);
}

TEST(Instrument, workItemsRunInTheOrderOfTheirIds) {
  const auto made = programOf("kernel void k(global int* a) { a[get_global_id(1) * 4 + get_global_id(0)] = 1; }");
  int a[8] = {};
  const auto events = run(*made, {4, 2, 1}, {2, 2, 1}, {a});
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ids;
  for (const Event& event : events) ids.emplace_back(event.id[0], event.id[1]);
  EXPECT_EQ(ids, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                     {0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {3, 0}, {2, 1}, {3, 1}}));
}

TEST(Instrument, accessesOfFunctionsAreWhereTheyAreCalledOrWritten) {
  const auto made = programOf(
      "struct Pair { int x, y; };\n"
      "int first(global const int* p) {\n"
      "  return p[0];\n"
      "}\n"
      "kernel void k(global int* a, global float4* v, global struct Pair* pairs, volatile global int* n) {\n"
      "  a[1] = first(a);\n"
      "  v[1] = vload4(0, (global float*)v);\n"
      "  pairs[1] = pairs[0];\n"
      "  atomic_add(n, 5);\n"
      "}\n");
  int a[2] = {7, 0}, pairs[4] = {1, 2, 0, 0}, n = 1;
  alignas(16) float v[8] = {1, 2, 3, 4};
  const auto events = run(*made, {1, 1, 1}, {1, 1, 1}, {a, v, pairs, &n});
  EXPECT_EQ(textOf(events),
            "read a in line 3 by 0\nwrite a in line 6 by 0\nread v in line 7 by 0\nwrite v in line 7 by 0\n"
            "read pairs in line 8 by 0\nwrite pairs in line 8 by 0\natomic update n in line 9 by 0\n");
  EXPECT_EQ(a[1], 7);
  EXPECT_EQ(v[7], 4);
  EXPECT_EQ(pairs[3], 2);
  EXPECT_EQ(n, 6);
  ASSERT_EQ(events.size(), 7u);
  EXPECT_EQ(events[2].bytes, 16u);
  EXPECT_EQ(events[4].bytes, 8u);
}

TEST(Instrument, variablesOfTheProgramHaveTheirNames) {
  const auto made = programOf(
      "global int total = 3;\nconstant int table[2] = {4, 5};\nkernel void k(global int* a) {\n  a[0] = total + "
      "table[a[1]];\n  total = a[0];\n}\n",
      "-cl-std=CL3.0 -cl-clarity-instrument");
  int a[2] = {0, 1};
  EXPECT_EQ(textOf(run(*made, {1, 1, 1}, {1, 1, 1}, {a})),
            "read total in line 4 by 0\nread a in line 4 by 0\nread table in line 4 by 0\nwrite a in line 4 by 0\nread "
            "a in line 5 by 0\nwrite total in line 5 by 0\n");
}

TEST(Instrument, subGroupFunctionsWork) {
  const auto made =
      programOf("kernel void k(global int* a) { size_t i = get_global_id(0); a[i] = sub_group_reduce_add(a[i]); }",
                "-cl-std=CL3.0 -cl-clarity-instrument");
  std::vector<int> a(made->kernels[0].subGroupSize, 2);
  const auto events = run(*made, {a.size(), 1, 1}, {a.size(), 1, 1}, {a.data()});
  EXPECT_EQ(events.size(), 2 * a.size());
  EXPECT_EQ(a, std::vector<int>(a.size(), 2 * static_cast<int>(a.size())));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(events[i].id[0], i) << "lane by lane";
}

TEST(Instrument, profilesReportTheSame) {
  int a[4] = {1, 2, 3, 4}, b[4] = {1, 2, 3, 4};
  const auto made = programOf(kTurn);
  EXPECT_EQ(textOf(run(*made, {4, 1, 1}, {2, 1, 1}, {a}, Instrumentation::Profile)),
            textOf(run(*made, {4, 1, 1}, {2, 1, 1}, {b})));
}

TEST(Instrument, portableIRCanBeInstrumented) {
  const Outcome object = compile(kTurn, {}, "-cl-clarity-instrument", host());
  ASSERT_EQ(object.status, Status::Ok) << object.log;
  const Outcome whole = build({Source::Kind::PortableIR, object.compiled->bitcode}, "", host());
  ASSERT_EQ(whole.status, Status::Ok) << whole.log;
  int a[2] = {1, 2};
  EXPECT_EQ(run(*whole.compiled, {2, 1, 1}, {2, 1, 1}, {a}).front().place, "read a in line 4");
  const std::vector programs{object.compiled};
  const Outcome linked = link(programs, "", host());
  ASSERT_EQ(linked.status, Status::Ok) << linked.log;
  EXPECT_EQ(run(*linked.compiled, {2, 1, 1}, {2, 1, 1}, {a}).front().place, "read a in line 4");
}

TEST(Instrument, needsPortableIR) {
  const CodeOutcome outcome = generate(*programOf(kTurn, ""), "turn", instrumented(), host());
  EXPECT_EQ(outcome.status, Status::Internal);
  EXPECT_EQ(outcome.log, "the program was built without -cl-clarity-instrument");
}

}  // namespace
}  // namespace clarity::compiler
