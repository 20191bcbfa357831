// SPDX-License-Identifier: Apache-2.0
// This file tests how commands are ordered by command-queues, wait lists and user events together, and how errors and
// callbacks go along those orders (OpenCL 3.0, sections 3.2.2, 5.11 and 5.13).
#include "order_checks.h"

#include <array>
#include <numeric>
#include <random>

namespace clarity::test {
namespace {

struct EventsAndOrder : OrderTest {
  cl_program program = nullptr;

  void SetUp() override {
    OrderTest::SetUp();
    if (HasFatalFailure()) return;
    program = build(R"(
      kernel void append(global uint* log, uint value) { log[atomic_inc(log) + 1] = value; }
      kernel void add(global const uint* a, global const uint* b, global uint* c) {
        c[get_global_id(0)] = a[get_global_id(0)] + b[get_global_id(0)];
      }
      kernel void times(global uint* p, uint factor, uint plus) { p[0] = p[0] * factor + plus; }
    )");
  }
  /// Enqueues that `value` goes to the end of a log: a count and then the values.
  cl_event append(cl_command_queue on, cl_mem log, cl_uint value, const std::vector<cl_event>& waits = {}) {
    cl_kernel append = kernel(program, "append");
    EXPECT_SUCCESS(clSetKernelArg(append, 0, sizeof log, &log));
    EXPECT_SUCCESS(clSetKernelArg(append, 1, sizeof value, &value));
    const size_t one = 1;
    cl_event event = nullptr;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(on, append, 1, nullptr, &one, nullptr, static_cast<cl_uint>(waits.size()),
                                          waits.empty() ? nullptr : waits.data(), &event));
    return keep(event);
  }
  cl_mem newLog(size_t n) { return bufferOf(std::vector<cl_uint>(n + 1, 0)); }
  std::vector<cl_uint> entries(cl_mem log, size_t n) {
    std::vector<cl_uint> all = read<cl_uint>(log, n + 1);
    EXPECT_EQ(all[0], n);
    all.erase(all.begin());
    return all;
  }
};

// In order: no finish, no event, and each command sees what the one before it wrote.
TEST_F(EventsAndOrder, anInOrderQueueNeedsNothingElse) {
  constexpr cl_uint kSteps = 200;
  cl_kernel times = kernel(program, "times");
  ASSERT_SUCCESS(clSetKernelArg(times, 0, sizeof cell, &cell));
  const size_t one = 1;
  cl_uint wanted = 0;
  std::vector<cl_uint> seen(kSteps);
  for (cl_uint i = 0; i < kSteps; ++i) {
    const cl_uint factor = 3;
    ASSERT_SUCCESS(clSetKernelArg(times, 1, sizeof factor, &factor));
    ASSERT_SUCCESS(clSetKernelArg(times, 2, sizeof i, &i));
    ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, times, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    ASSERT_SUCCESS(clEnqueueReadBuffer(queue, cell, CL_FALSE, 0, 4, &seen[i], 0, nullptr, nullptr));
  }
  ASSERT_SUCCESS(clFinish(queue));
  for (cl_uint i = 0; i < kSteps; ++i) {
    wanted = wanted * 3 + i;
    ASSERT_EQ(seen[i], wanted) << "step " << i;
  }
}

// Commands of every kind in one in-order queue.
TEST_F(EventsAndOrder, everyKindOfCommandKeepsTheOrder) {
  std::vector<cl_uint> host(256);
  std::iota(host.begin(), host.end(), 0);
  cl_mem a = buffer(1024);
  cl_mem b = buffer(1024);
  cl_mem c = buffer(1024);
  cl_kernel add = kernel(program, "add");
  ASSERT_SUCCESS(clSetKernelArg(add, 0, sizeof a, &a));
  ASSERT_SUCCESS(clSetKernelArg(add, 1, sizeof b, &b));
  ASSERT_SUCCESS(clSetKernelArg(add, 2, sizeof c, &c));
  const size_t count = 256;
  const cl_uint seven = 7;
  cl_event gate = userEvent();
  ASSERT_SUCCESS(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, 1024, host.data(), 1, &gate, nullptr));
  ASSERT_SUCCESS(clEnqueueFillBuffer(queue, b, &seven, 4, 0, 1024, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clEnqueueCopyBuffer(queue, c, a, 0, 0, 512, 0, nullptr, nullptr));
  ASSERT_SUCCESS(clEnqueueNDRangeKernel(queue, add, 1, nullptr, &count, nullptr, 0, nullptr, nullptr));
  const std::array<size_t, 3> origin{0, 0, 0};
  const std::array<size_t, 3> region{64, 2, 1};
  ASSERT_SUCCESS(clEnqueueCopyBufferRect(queue, c, b, origin.data(), origin.data(), region.data(), 64, 0, 128, 0, 0,
                                         nullptr, nullptr));
  cl_int error = CL_SUCCESS;
  cl_event mapped = nullptr;
  auto* p =
      static_cast<cl_uint*>(clEnqueueMapBuffer(queue, b, CL_FALSE, CL_MAP_READ, 0, 1024, 0, nullptr, &mapped, &error));
  ASSERT_SUCCESS(error);
  keep(mapped);
  open(gate);
  wait(mapped);
  for (cl_uint i = 0; i < 16; ++i) {
    EXPECT_EQ(p[i], i + 14);
    EXPECT_EQ(p[16 + i], 7U);
    EXPECT_EQ(p[32 + i], 16 + i + 14);
  }
  ASSERT_SUCCESS(clEnqueueUnmapMemObject(queue, b, p, 0, nullptr, nullptr));
  const auto sum = read<cl_uint>(c, 256);
  for (cl_uint i = 0; i < 256; ++i) EXPECT_EQ(sum[i], i < 128 ? i + 14 : i + 7) << i;
}

// Out of order: a chain of wait lists alone makes the order, against the order in which the user events open.
TEST_F(EventsAndOrder, waitListsOrderAnOutOfOrderQueue) {
  constexpr cl_uint kLength = 50;
  cl_mem log = newLog(kLength);
  std::vector<cl_event> chain;
  cl_event gate = userEvent();
  chain.push_back(append(anyOrder, log, 0, {gate}));
  for (cl_uint i = 1; i < kLength; ++i) chain.push_back(append(anyOrder, log, i, {chain.back()}));
  ASSERT_SUCCESS(clFlush(anyOrder));
  for (cl_event each : chain) EXPECT_TRUE(isPending(each));
  open(gate);
  ASSERT_SUCCESS(clFinish(anyOrder));
  std::vector<cl_uint> wanted(kLength);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(entries(log, kLength), wanted);
}

// A free command of an out-of-order queue overtakes one that is held back.
TEST_F(EventsAndOrder, anOutOfOrderQueueDoesNotWaitForWhatIsHeldBack) {
  cl_event gate = userEvent();
  cl_mem log = newLog(2);
  cl_event held = append(anyOrder, log, 1, {gate});
  cl_event free = append(anyOrder, log, 2);
  wait(free);
  EXPECT_TRUE(isPending(held));
  open(gate);
  wait(held);
  EXPECT_EQ(entries(log, 2), (std::vector<cl_uint>{2, 1}));
}

// In an in-order queue it does not.
TEST_F(EventsAndOrder, anInOrderQueueWaitsForWhatIsHeldBack) {
  cl_event gate = userEvent();
  cl_mem log = newLog(2);
  append(queue, log, 1, {gate});
  cl_event second = append(queue, log, 2);
  ASSERT_SUCCESS(clFlush(queue));
  EXPECT_TRUE(isPending(second));
  open(gate);
  wait(second);
  EXPECT_EQ(entries(log, 2), (std::vector<cl_uint>{1, 2}));
}

// A diamond: two independent commands, and one that needs both.
TEST_F(EventsAndOrder, diamond) {
  for (int round = 0; round < 20; ++round) {
    cl_mem log = newLog(4);
    cl_event top = append(anyOrder, log, 0);
    cl_event left = append(anyOrder, log, 1, {top});
    cl_event right = append(anyOrder, log, 2, {top});
    cl_event bottom = append(anyOrder, log, 3, {left, right});
    wait(bottom);
    const auto got = entries(log, 4);
    EXPECT_EQ(got[0], 0U);
    EXPECT_EQ(got[3], 3U);
  }
}

// The same, over three queues of both kinds.
TEST_F(EventsAndOrder, acrossQueues) {
  cl_command_queue third = anotherQueue();
  for (int round = 0; round < 20; ++round) {
    cl_mem log = newLog(5);
    cl_event gate = userEvent();
    cl_event a = append(queue, log, 0, {gate});
    cl_event b = append(anyOrder, log, 1, {a});
    cl_event c = append(third, log, 2, {b});
    cl_event d = append(queue, log, 3, {c});
    append(third, log, 4, {d});
    ASSERT_SUCCESS(clFlush(queue));
    ASSERT_SUCCESS(clFlush(anyOrder));
    open(gate);
    ASSERT_SUCCESS(clFinish(third));
    EXPECT_EQ(entries(log, 5), (std::vector<cl_uint>{0, 1, 2, 3, 4}));
  }
}

// A random graph: whatever the order of execution, every command comes after all that it waits for.
TEST_F(EventsAndOrder, aRandomGraphOverSeveralQueues) {
  constexpr cl_uint kCommands = 150;
  std::mt19937 random(2026);
  const std::array<cl_command_queue, 4> queues{queue, anyOrder, anotherQueue(),
                                               anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  cl_mem log = newLog(kCommands);
  cl_event gate = userEvent();
  std::vector<cl_event> events;
  std::vector<std::vector<cl_uint>> needs(kCommands);
  for (cl_uint i = 0; i < kCommands; ++i) {
    std::vector<cl_event> waits;
    if (i % 10 == 0) waits.push_back(gate);
    for (cl_uint k = 0; i > 0 && k < random() % 4; ++k) {
      const cl_uint earlier = random() % i;
      needs[i].push_back(earlier);
      waits.push_back(events[earlier]);
    }
    events.push_back(append(queues[random() % queues.size()], log, i, waits));
  }
  for (cl_command_queue each : queues) ASSERT_SUCCESS(clFlush(each));
  open(gate);
  ASSERT_SUCCESS(clWaitForEvents(kCommands, events.data()));
  const auto got = entries(log, kCommands);
  std::vector<size_t> place(kCommands, kCommands);
  for (size_t at = 0; at < kCommands; ++at) place[got[at]] = at;
  for (cl_uint i = 0; i < kCommands; ++i) {
    EXPECT_LT(place[i], kCommands) << "command " << i << " never ran";
    for (cl_uint each : needs[i]) EXPECT_LT(place[each], place[i]) << i << " ran before " << each;
  }
}

// A marker without a list completes after everything before it, and not before.
TEST_F(EventsAndOrder, aMarkerIsAfterAllEarlierCommands) {
  std::array<cl_event, 5> gates{};
  for (cl_event& each : gates) each = userEvent();
  for (cl_uint i = 0; i < gates.size(); ++i) set(anyOrder, i, {gates[i]}, i);
  cl_event marker = nullptr;
  ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(anyOrder, 0, nullptr, &marker));
  keep(marker);
  ASSERT_SUCCESS(clFlush(anyOrder));
  for (size_t i : {3, 0, 4, 1, 2}) {
    EXPECT_TRUE(isPending(marker));
    open(gates[i]);
  }
  wait(marker);
}

// A user event that fails ends all that depends on it, over queues, and nothing else.
TEST_F(EventsAndOrder, errorsGoAlongWaitListsOnly) {
  cl_command_queue other = anotherQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem log = newLog(2);
  cl_event bad = userEvent();
  cl_event good = userEvent();
  cl_event a = append(anyOrder, log, 100, {bad});
  cl_event b = append(other, log, 101, {good, a});
  cl_event c = append(anyOrder, log, 102, {b});
  cl_event untouched = append(anyOrder, log, 1, {good});
  cl_event alsoUntouched = append(other, log, 2, {untouched});
  ASSERT_SUCCESS(clFlush(anyOrder));
  ASSERT_SUCCESS(clFlush(other));
  ASSERT_SUCCESS(clSetUserEventStatus(bad, -9));
  EXPECT_EQ(statusOf(bad), -9);
  open(good);
  EXPECT_SUCCESS(clWaitForEvents(1, &alsoUntouched));
  for (cl_event each : {a, b, c}) {
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &each));
    EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(each));
  }
  EXPECT_EQ(statusOf(untouched), CL_COMPLETE);
  EXPECT_EQ(entries(log, 2), (std::vector<cl_uint>{1, 2}));
}

// A command that is enqueued when the event has long failed fails too.
TEST_F(EventsAndOrder, waitingForAnEventThatHasFailedAlready) {
  cl_event bad = userEvent();
  ASSERT_SUCCESS(clSetUserEventStatus(bad, -1));
  cl_event late = set(anyOrder, 9, {bad});
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &late));
  EXPECT_EQ(value(), 0U);
  // The command-queue itself is as good as before.
  wait(set(anyOrder, 10));
  EXPECT_EQ(value(), 10U);
}

// After an error in an in-order queue the next commands, which have no list, get their turn.
TEST_F(EventsAndOrder, anInOrderQueueGoesOnAfterAnError) {
  cl_event gate = userEvent();
  cl_event failed = set(queue, 1, {gate});
  cl_event next = set(queue, 2);
  ASSERT_SUCCESS(clFlush(queue));
  ASSERT_SUCCESS(clSetUserEventStatus(gate, -1));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &failed));
  EXPECT_LE(statusOf(failed), -1);
  clWaitForEvents(1, &next);
  wait(set(queue, 3));
  EXPECT_EQ(value(), 3U);
}

// An event that is complete already holds nothing back.
TEST_F(EventsAndOrder, waitingForAnEventThatIsCompleteAlready) {
  cl_event first = set(queue, 1);
  wait(first);
  cl_event gate = userEvent();
  open(gate);
  wait(set(anyOrder, 2, {first, gate, first}));
  EXPECT_EQ(value(), 2U);
}

TEST_F(EventsAndOrder, manyCommandsBehindOneEventAndOneCommandBehindMany) {
  constexpr cl_uint kMany = 500;
  cl_mem log = newLog(kMany + 1);
  cl_event gate = userEvent();
  std::vector<cl_event> events;
  for (cl_uint i = 0; i < kMany; ++i) events.push_back(append(anyOrder, log, i, {gate}));
  cl_event last = append(anyOrder, log, kMany, events);
  ASSERT_SUCCESS(clFlush(anyOrder));
  EXPECT_TRUE(isPending(last));
  open(gate);
  wait(last);
  EXPECT_EQ(entries(log, kMany + 1).back(), kMany);
}

// Long chains neither overflow a stack when they are released nor when they fail.
TEST_F(EventsAndOrder, aChainOfAHundredThousand) {
  for (bool fails : {false, true}) {
    cl_event gate = userEvent();
    cl_event last = gate;
    ASSERT_SUCCESS(clRetainEvent(last));
    for (cl_uint i = 0; i < 100000; ++i) {
      cl_event next = nullptr;
      ASSERT_SUCCESS(clEnqueueMarkerWithWaitList(anyOrder, 1, &last, &next));
      ASSERT_SUCCESS(clReleaseEvent(last));
      last = next;
    }
    ASSERT_SUCCESS(clFlush(anyOrder));
    ASSERT_SUCCESS(clSetUserEventStatus(gate, fails ? -1 : CL_COMPLETE));
    EXPECT_CL(fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS, clWaitForEvents(1, &last));
    EXPECT_SUCCESS(clReleaseEvent(last));
  }
}

// Blocking calls wait for their list although that is opened by a callback of another queue's command.
TEST_F(EventsAndOrder, aBlockingReadBehindACallback) {
  static cl_event gate;
  gate = userEvent();
  cl_event trigger = set(anyOrder, 77);
  ASSERT_SUCCESS(clSetEventCallback(
      trigger, CL_COMPLETE, [](cl_event, cl_int, void*) { clSetUserEventStatus(gate, CL_COMPLETE); }, nullptr));
  ASSERT_SUCCESS(clFlush(anyOrder));
  cl_uint got = 0;
  ASSERT_SUCCESS(clEnqueueReadBuffer(queue, cell, CL_TRUE, 0, 4, &got, 1, &gate, nullptr));
  EXPECT_EQ(got, 77U);
}

// A callback on a command in the middle of a queue that others already wait behind.
TEST_F(EventsAndOrder, callbacksOfEveryCommandOfAQueue) {
  constexpr cl_uint kCommands = 200;
  Calls calls;
  cl_event gate = userEvent();
  set(queue, 0, {gate});
  for (cl_uint i = 1; i <= kCommands; ++i)
    ASSERT_SUCCESS(clSetEventCallback(set(queue, i), CL_COMPLETE, &Calls::note, &calls));
  ASSERT_SUCCESS(clFlush(queue));
  open(gate);
  for (const auto& each : calls.waitFor(kCommands)) EXPECT_EQ(each.status, CL_COMPLETE);
}

}  // namespace
}  // namespace clarity::test
