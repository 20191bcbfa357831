// SPDX-License-Identifier: Apache-2.0
// This file executes a kernel's code for NVIDIA GPUs on the CPU: each thread of a block is a context of its own, and
// runs until it waits for others. simulate.py compiles it with the kernel and with the description of a launch.
#include "simulator.h"

#include <ucontext.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

alignas(128) char clarity_local[256 << 10];

namespace simulator {
namespace {

constexpr unsigned warp = 32;
constexpr std::size_t stackBytes = 64 << 10;

struct Copy {
  void* to;
  const void* from;
  unsigned bytes;
};

struct Thread {
  ucontext_t context{};
  std::vector<char> stack;
  unsigned x = 0, y = 0, z = 0;
  bool ended = false;
  const void* place = nullptr;  // where it waits; nullptr: it runs
  bool ofBlock = false;         // waits for the block, not for `with`
  unsigned with = 0;
  unsigned value = 0;
  std::vector<Copy> copies{};  // that are under way
};

std::vector<Thread> threads;
Thread* current = nullptr;
ucontext_t scheduler;
unsigned block[3], blocks[3];
Body* body = nullptr;

[[noreturn]] void fail(const char* text) {
  std::fprintf(stderr, "simulator: block %u %u %u: %s\n", block[0], block[1], block[2], text);
  std::exit(3);
}

void start() {
  (*body)();
  current->ended = true;
  swapcontext(&current->context, &scheduler);
}

std::size_t warpOf(const Thread& thread) { return static_cast<std::size_t>(&thread - threads.data()) / warp; }

// Waits until all threads meant are at the same place.
void wait(const void* place, bool ofBlock, unsigned with) {
  current->place = place, current->ofBlock = ofBlock, current->with = with;
  swapcontext(&current->context, &scheduler);
}

// Lets those go on whose others are there, too.
bool release(std::size_t first, std::size_t end, bool ofBlock) {
  const void* place = nullptr;
  for (std::size_t i = first; i < end; ++i) {
    const Thread& thread = threads[i];
    if (thread.ended && ofBlock) continue;
    if (thread.ended) return false;
    if (!thread.place || thread.ofBlock != ofBlock) return false;
    if (place && thread.place != place) fail("threads wait at different places");
    place = thread.place;
    if (!ofBlock && end - first == warp && thread.with != ~0u) fail("a warp waits for a part of itself");
  }
  if (!place) return false;
  for (std::size_t i = first; i < end; ++i) threads[i].place = nullptr;
  return true;
}

bool step(unsigned turn) {
  bool moved = false, all = true;
  const std::size_t count = threads.size();
  for (std::size_t i = 0; i < count; ++i) {
    // Now from the first to the last thread, now the other way round: no order is promised.
    Thread& thread = threads[turn % 2 ? count - 1 - i : i];
    if (thread.ended || thread.place) continue;
    current = &thread;
    swapcontext(&scheduler, &thread.context);
    moved = true;
  }
  for (const Thread& thread : threads) all &= thread.ended;
  if (all) return false;
  for (std::size_t first = 0; first < count; first += warp)
    moved |= release(first, std::min<std::size_t>(first + warp, count), false);
  moved |= release(0, count, true);
  if (!moved) fail("threads wait for each other");
  return true;
}

}  // namespace

void run(const Grid& grid, Body kernel) {
  body = &kernel;
  std::memcpy(blocks, grid.blocks, sizeof blocks);
  threads.resize(std::size_t{grid.threads[0]} * grid.threads[1] * grid.threads[2]);
  for (block[2] = 0; block[2] < grid.blocks[2]; ++block[2])
    for (block[1] = 0; block[1] < grid.blocks[1]; ++block[1])
      for (block[0] = 0; block[0] < grid.blocks[0]; ++block[0]) {
        std::memset(clarity_local, 0x5a, sizeof clarity_local);
        for (std::size_t i = 0; i < threads.size(); ++i) {
          Thread& thread = threads[i];
          thread.stack.resize(stackBytes);
          thread.x = static_cast<unsigned>(i % grid.threads[0]);
          thread.y = static_cast<unsigned>(i / grid.threads[0] % grid.threads[1]);
          thread.z = static_cast<unsigned>(i / grid.threads[0] / grid.threads[1]);
          thread.ended = false, thread.place = nullptr, thread.copies.clear();
          getcontext(&thread.context);
          thread.context.uc_stack.ss_sp = thread.stack.data();
          thread.context.uc_stack.ss_size = thread.stack.size();
          makecontext(&thread.context, start, 0);
        }
        for (unsigned turn = 0; step(turn);) ++turn;
      }
}

}  // namespace simulator

using simulator::block;
using simulator::current;
using simulator::threads;

// The intrinsics, as simulate.py spells them.
extern "C" {
unsigned sim_read_ptx_sreg_tid_x() { return current->x; }
unsigned sim_read_ptx_sreg_tid_y() { return current->y; }
unsigned sim_read_ptx_sreg_tid_z() { return current->z; }
unsigned sim_read_ptx_sreg_ctaid_x() { return block[0]; }
unsigned sim_read_ptx_sreg_ctaid_y() { return block[1]; }
unsigned sim_read_ptx_sreg_ctaid_z() { return block[2]; }
float sim_div_full(float a, float b) { return a / b; }
// A warp may be in as many parts as it likes: here each thread is one.
unsigned sim_activemask() { return 1u << (static_cast<std::size_t>(current - threads.data()) % simulator::warp); }
bool sim_vote_all_sync(unsigned mask, bool own) {
  if (mask != sim_activemask()) simulator::fail("a vote of others than the active threads");
  return own;
}
void sim_barrier_cta_sync_aligned_all(unsigned) { simulator::wait(__builtin_return_address(0), true, 0); }
unsigned sim_read_ptx_sreg_nctaid_x() { return simulator::blocks[0]; }
int sim_idp4a_s_s(unsigned a, unsigned b, int sum) {
  for (unsigned i = 0; i < 4; ++i) sum += static_cast<signed char>(a >> 8 * i) * static_cast<signed char>(b >> 8 * i);
  return sum;
}
int sim_idp4a_u_u(unsigned a, unsigned b, int sum) {
  for (unsigned i = 0; i < 4; ++i) sum += static_cast<int>((a >> 8 * i & 255) * (b >> 8 * i & 255));
  return sum;
}
int sim_idp4a_u_s(unsigned a, unsigned b, int sum) {
  for (unsigned i = 0; i < 4; ++i) sum += static_cast<int>(a >> 8 * i & 255) * static_cast<signed char>(b >> 8 * i);
  return sum;
}
int sim_idp4a_s_u(unsigned a, unsigned b, int sum) { return sim_idp4a_u_s(b, a, sum); }
// A copy happens as late as it may: when it is waited for.
void sim_cp_async_ca_shared_global_4(void* to, const void* from) { current->copies.push_back({to, from, 4}); }
void sim_cp_async_ca_shared_global_8(void* to, const void* from) { current->copies.push_back({to, from, 8}); }
void sim_cp_async_cg_shared_global_16(void* to, const void* from) { current->copies.push_back({to, from, 16}); }
void sim_cp_async_wait_all() {
  for (const simulator::Copy& copy : current->copies) std::memcpy(copy.to, copy.from, copy.bytes);
  current->copies.clear();
}
void sim_bar_warp_sync(unsigned mask) { simulator::wait(__builtin_return_address(0), false, mask); }

unsigned sim_shfl_sync_idx_i32(unsigned mask, unsigned value, unsigned from, unsigned last) {
  if (last != 31) simulator::fail("a shuffle of a part of a warp");
  simulator::Thread& self = *current;
  self.value = value;
  simulator::wait(__builtin_return_address(0), false, mask);
  const unsigned result = threads[simulator::warpOf(self) * simulator::warp + from % simulator::warp].value;
  simulator::wait(__builtin_return_address(0), false, mask);  // until all have read
  return result;
}
}
