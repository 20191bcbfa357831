// SPDX-License-Identifier: Apache-2.0
// This file stands for a newer libtbb.so.12 than the driver's: it has a function that the older one lacks, and
// functions of the same names as that one's, which only its own users may call.
#include <cstdlib>

extern "C" {
int newerFunction() { return 1; }
int TBB_runtime_interface_version() { return 999999; }
}

namespace tbb::detail {
namespace d1 {
class task;
struct task_group_context;
struct wait_context;
class task_arena_base;
}  // namespace d1
namespace r1 {
void spawn(d1::task&, d1::task_group_context&) { std::abort(); }
void execute_and_wait(d1::task&, d1::task_group_context&, d1::wait_context&, d1::task_group_context&) { std::abort(); }
int max_concurrency(const d1::task_arena_base*) { std::abort(); }
void initialize(d1::task_arena_base&) { std::abort(); }
void terminate(d1::task_arena_base&) { std::abort(); }
}  // namespace r1
}  // namespace tbb::detail
