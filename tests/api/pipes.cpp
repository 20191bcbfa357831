// SPDX-License-Identifier: Apache-2.0
// This file tests pipes as arguments and in kernels (OpenCL C 3.0, section 6.15.17): packets of work-items and of
// reservations, in order and only as many as there are, with work-items in lanes and one after the other.
#include "enqueue_checks.h"

#include <algorithm>
#include <numeric>

namespace clarity::test {
namespace {

const char* const ways[] = {"-cl-std=CL3.0", "-cl-std=CL2.0", "-cl-std=CL3.0 -cl-clarity-packet-width=1",
                            "-cl-std=CL3.0 -cl-clarity-packet-width=4", "-cl-std=CL3.0 -cl-opt-disable"};

struct Pipes : OpenCL {
  cl_mem pipe(cl_uint bytes, cl_uint packets) {
    return created([&](cl_int* e) { return clCreatePipe(context, 0, bytes, packets, nullptr, e); });
  }
  template <class T>
  static void set(cl_kernel k, cl_uint index, const T& value) {
    EXPECT_SUCCESS(clSetKernelArg(k, index, sizeof value, &value));
  }
  template <class... Arguments>
  void run(cl_program program, const char* name, size_t global, size_t local, const Arguments&... arguments) {
    cl_kernel k = kernel(program, name);
    cl_uint index = 0;
    (set(k, index++, arguments), ...);
    launch(k, global, local);
  }
  static std::vector<cl_int> counting(size_t n, cl_int first = 0) {
    std::vector<cl_int> numbers(n);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
  }
  static std::vector<cl_int> sorted(std::vector<cl_int> values) {
    std::ranges::sort(values);
    return values;
  }
};

constexpr char packets[] = R"(
kernel void put(global const int* in, write_only pipe int p, global int* status) {
  size_t i = get_global_id(0);
  status[i] = write_pipe(p, &in[i]);
}
kernel void take(read_only pipe int p, global int* out, global int* status) {
  size_t i = get_global_id(0);
  int value = -1;
  status[i] = read_pipe(p, &value);
  out[i] = value;
}
kernel void count(read_only pipe int p, global uint* counts) {
  counts[0] = get_pipe_num_packets(p);
  counts[1] = get_pipe_max_packets(p);
})";

// Every work-item writes a packet: as many as the pipe holds are there, the others get an error. Each packet is
// read once.
TEST_F(Pipes, packetsOfWorkItems) {
  for (const char* way : ways) {
    cl_program program = build(packets, way);
    for (const cl_uint capacity : {1U, 2U, 7U, 64U, 1000U, 5000U}) {
      SCOPED_TRACE(std::string(way) + ", " + std::to_string(capacity));
      const size_t n = 1003;
      const size_t held = std::min<size_t>(capacity, n);
      cl_mem ring = pipe(4, capacity), in = bufferOf(counting(n)), out = buffer(4 * n), status = buffer(4 * n),
             counts = buffer(8);
      // Several times around the ring.
      for (int round = 0; round < 3; ++round) {
        run(program, "put", n, 0, in, ring, status);
        const auto wrote = read<cl_int>(status, n);
        EXPECT_EQ(std::ranges::count(wrote, 0), std::ptrdiff_t(held));
        EXPECT_EQ(std::ranges::count_if(wrote, [](cl_int s) { return s < 0; }), std::ptrdiff_t(n - held));
        run(program, "count", 1, 1, ring, counts);
        EXPECT_EQ(read<cl_uint>(counts, 2), (std::vector<cl_uint>{cl_uint(held), capacity}));
        run(program, "take", n, 0, ring, out, status);
        const auto got = read<cl_int>(status, n), values = read<cl_int>(out, n);
        std::vector<cl_int> expected, found;
        for (size_t i = 0; i < n; ++i) {
          if (wrote[i] == 0) expected.push_back(cl_int(i));
          if (got[i] == 0) found.push_back(values[i]);
          if (got[i] != 0) EXPECT_EQ(values[i], -1) << "an empty pipe gave something";
        }
        EXPECT_EQ(sorted(found), expected);
      }
    }
  }
}

// Reservations of one work-item are in the pipe in their order, also if they are committed in another one.
TEST_F(Pipes, reservationsOfAWorkItem) {
  for (const char* way : ways) {
    cl_program program = build(R"(
      kernel void put(write_only pipe int p, global int* status) {
        private reserve_id_t ids[4];
        for (int i = 0; i < 4; ++i) ids[i] = reserve_write_pipe(p, i + 1);
        status[0] = is_valid_reserve_id(ids[3]) && !is_valid_reserve_id(reserve_write_pipe(p, 2)) &&
                    !is_valid_reserve_id(reserve_write_pipe(p, 12)) && get_pipe_max_packets(p) == 11;
        for (int i = 3; i >= 0; --i) {
          for (int k = i; k >= 0; --k) {
            int value = 10 * i + k;
            status[1] |= write_pipe(p, ids[i], k, &value);
          }
          commit_write_pipe(p, ids[i]);
        }
        int last = 99;
        status[2] = write_pipe(p, &last);
        status[3] = write_pipe(p, &last);
      }
      kernel void take(read_only pipe int p, global int* out) {
        reserve_id_t first = reserve_read_pipe(p, 3), second = reserve_read_pipe(p, 8);
        out[11] = is_valid_reserve_id(second) && !is_valid_reserve_id(reserve_read_pipe(p, 1));
        for (uint k = 0; k < 8; ++k) read_pipe(p, second, k, &out[3 + k]);
        commit_read_pipe(p, second);
        for (uint k = 0; k < 3; ++k) read_pipe(p, first, k, &out[k]);
        out[12] = read_pipe(p, first, 3, &out[0]);
        commit_read_pipe(p, first);
      })",
                               way);
    cl_mem ring = pipe(4, 11), out = buffer(4 * 13);
    for (int round = 0; round < 5; ++round) {
      cl_mem status = bufferOf(std::vector<cl_int>(4));
      run(program, "put", 1, 1, ring, status);
      const auto said = read<cl_int>(status, 4);
      EXPECT_EQ(said[0], 1);
      EXPECT_EQ(said[1], 0);
      EXPECT_EQ(said[2], 0);
      EXPECT_LT(said[3], 0);
      run(program, "take", 1, 1, ring, out);
      const auto got = read<cl_int>(out, 13);
      EXPECT_EQ(std::vector<cl_int>(got.begin(), got.begin() + 12),
                (std::vector<cl_int>{0, 10, 11, 20, 21, 22, 30, 31, 32, 33, 99, 1}));
      EXPECT_LT(got[12], 0) << "a packet outside of the reservation";
    }
  }
}

// A reader gets nothing that lies behind packets that are not committed.
TEST_F(Pipes, packetsAreReadInOrder) {
  cl_program program = build(R"(
    kernel void put(write_only pipe int p, global ulong* kept, int step) {
      global reserve_id_t* ids = (global reserve_id_t*)kept;
      for (int i = 0; i < 2; ++i) {
        if (step == 0) {
          ids[i] = reserve_write_pipe(p, 1);
          write_pipe(p, ids[i], 0, &i);
        }
      }
      if (step) commit_write_pipe(p, ids[2 - step]);
    }
    kernel void take(read_only pipe int p, global int* out) {
      out[0] = -1;
      out[1] = read_pipe(p, &out[0]);
    })",
                             "-cl-std=CL3.0");
  cl_mem ring = pipe(4, 4), kept = buffer(16), out = buffer(8);
  run(program, "put", 1, 1, ring, kept, cl_int{0});
  run(program, "take", 1, 1, ring, out);
  EXPECT_LT(read<cl_int>(out, 2)[1], 0) << "none is committed";
  run(program, "put", 1, 1, ring, kept, cl_int{1});
  run(program, "take", 1, 1, ring, out);
  EXPECT_LT(read<cl_int>(out, 2)[1], 0) << "the second one is";
  run(program, "put", 1, 1, ring, kept, cl_int{2});
  run(program, "take", 1, 1, ring, out);
  EXPECT_EQ(read<cl_int>(out, 2), (std::vector<cl_int>{0, 0}));
  run(program, "take", 1, 1, ring, out);
  EXPECT_EQ(read<cl_int>(out, 2), (std::vector<cl_int>{1, 0}));
}

// Work-groups and sub-groups reserve packets that lie side by side.
TEST_F(Pipes, reservationsOfGroups) {
  for (const char* way : ways)
    for (const char* group : {"work", "sub"}) {
      SCOPED_TRACE(std::string(way) + ", " + group);
      const bool work = group == std::string("work");
      std::string text = R"(
        typedef struct { char tag; int value[3]; } Packet;
        kernel void put(write_only pipe Packet p) {
          local reserve_id_t shared[2];
          reserve_id_t id = GROUP_reserve_write_pipe(p, SIZE);
          Packet packet = {7, {get_global_id(0), FIRST, LANE}};
          if (is_valid_reserve_id(id)) {
            write_pipe(p, id, LANE, &packet);
            GROUP_commit_write_pipe(p, id);
          }
          shared[get_local_id(0) % 2] = id;
        }
        kernel void take(read_only pipe Packet p, global int* out) {
          reserve_id_t id = GROUP_reserve_read_pipe(p, SIZE);
          Packet packet = {0};
          if (is_valid_reserve_id(id)) {
            read_pipe(p, id, LANE, &packet);
            GROUP_commit_read_pipe(p, id);
          }
          global int* mine = out + 4 * get_global_id(0);
          mine[0] = packet.tag, mine[1] = packet.value[0], mine[2] = packet.value[1], mine[3] = packet.value[2];
        })";
      const auto replace = [&](const std::string& what, const std::string& with) {
        for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
          text.replace(at, what.size(), with);
      };
      replace("GROUP", std::string(group) + "_group");
      replace("SIZE", work ? "get_local_size(0)" : "get_sub_group_size()");
      replace("LANE", work ? "get_local_id(0)" : "get_sub_group_local_id()");
      replace("FIRST", work ? "get_group_id(0)" : "get_global_id(0) - get_sub_group_local_id()");
      cl_program program = build(text.c_str(), way);
      const size_t n = 960, local = 48;
      cl_mem ring = pipe(16, n), out = buffer(16 * n);
      for (int round = 0; round < 3; ++round) {
        run(program, "put", n, local, ring);
        run(program, "take", n, local, ring, out);
        const auto got = read<cl_int>(out, 4 * n);
        std::vector<cl_int> items;
        for (size_t i = 0; i < n; ++i) {
          EXPECT_EQ(got[4 * i], 7);
          items.push_back(got[4 * i + 1]);
          // The same group wrote the packet beside this one, unless the group ends there.
          const bool next = i + 1 < n && got[4 * i + 6] == got[4 * i + 2];
          if (next) EXPECT_EQ(got[4 * i + 7], got[4 * i + 3] + 1) << i;
        }
        EXPECT_EQ(sorted(items), counting(n));
      }
    }
}

// Packets of every size, also those that are no power of two.
TEST_F(Pipes, packetsOfEverySize) {
  for (const char* way : {ways[0], ways[2]})
    for (const char* type : {"char", "short", "long", "float3", "double16", "S5", "S100", "S1024"}) {
      SCOPED_TRACE(std::string(way) + ", " + type);
      cl_program program = build((std::string(R"(
        typedef struct { char c[5]; } S5;
        typedef struct { char c[100]; } S100;
        typedef struct { char c[1024]; } S1024;
        typedef )") + type + R"( T;
        kernel void size(global uint* bytes) { *bytes = sizeof(T); }
        kernel void put(global const T* in, write_only pipe T p) { write_pipe(p, &in[get_global_id(0)]); }
        kernel void take(read_only pipe T p, global T* out) { read_pipe(p, &out[get_global_id(0)]); })")
                                     .c_str(),
                                 way);
      cl_mem bytes = buffer(4);
      run(program, "size", 1, 1, bytes);
      const size_t size = read<cl_uint>(bytes, 1)[0], n = 37;
      // In each packet the same byte everywhere, as the order is open.
      std::vector<unsigned char> in(size * n);
      for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i / size + 1);
      cl_mem ring = pipe(cl_uint(size), n), from = bufferOf(in), to = buffer(in.size());
      run(program, "put", n, 0, from, ring);
      run(program, "take", n, 0, ring, to);
      const auto got = read<unsigned char>(to, in.size());
      std::vector<cl_int> firsts;
      for (size_t i = 0; i < n; ++i) {
        const size_t used = type == std::string("float3") ? 12 : size;
        for (size_t k = 0; k < used; ++k) ASSERT_EQ(got[i * size + k], got[i * size]) << i << " " << k;
        firsts.push_back(got[i * size]);
      }
      EXPECT_EQ(sorted(firsts), counting(n, 1));
    }
}

// A kernel writes while another one reads: nothing is lost, and nothing is read twice.
TEST_F(Pipes, twoKernelsAtOnce) {
  cl_program program = build(packets, "-cl-std=CL3.0");
  cl_command_queue other = anotherQueue();
  const size_t n = 20000;
  cl_mem ring = pipe(4, 700), in = bufferOf(counting(n)), out = buffer(4 * n), rest = buffer(4 * 700),
         wrote = buffer(4 * n), got = buffer(4 * n), gotRest = buffer(4 * 700);
  cl_kernel put = kernel(program, "put"), take = kernel(program, "take");
  for (cl_uint i = 0; const cl_mem each : {in, ring, wrote}) set(put, i++, each);
  for (cl_uint i = 0; const cl_mem each : {ring, out, got}) set(take, i++, each);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, put, 1, nullptr, &n, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(other, take, 1, nullptr, &n, nullptr, 0, nullptr, nullptr));
  EXPECT_SUCCESS(clFinish(queue));
  EXPECT_SUCCESS(clFinish(other));
  run(program, "take", 700, 0, ring, rest, gotRest);
  std::vector<cl_int> expected, found;
  const auto add = [&](const std::vector<cl_int>& values, const std::vector<cl_int>& status) {
    for (size_t i = 0; i < values.size(); ++i)
      if (status[i] == 0) found.push_back(values[i]);
  };
  add(read<cl_int>(out, n), read<cl_int>(got, n));
  add(read<cl_int>(rest, 700), read<cl_int>(gotRest, 700));
  const auto status = read<cl_int>(wrote, n);
  for (size_t i = 0; i < n; ++i)
    if (status[i] == 0) expected.push_back(cl_int(i));
  EXPECT_GE(expected.size(), 700U);
  EXPECT_EQ(sorted(found), expected);
}

// The kernel reads and writes packets of the size of its type: a pipe of others is no value for it.
TEST_F(Pipes, packetsOfAnotherSize) {
  cl_program program = build(R"(
    typedef struct { int a; double b; char c; } record;
    kernel void numbers(read_only pipe int p, global int* out) { read_pipe(p, out); }
    kernel void vectors(write_only pipe float4 p, global float4* in) { write_pipe(p, in); }
    kernel void records(write_only pipe record p, global record* in) { write_pipe(p, in); })",
                             "-cl-std=CL3.0");
  const std::pair<const char*, cl_uint> kernels[] = {{"numbers", 4}, {"vectors", 16}, {"records", 24}};
  for (const auto& [name, bytes] : kernels) {
    cl_kernel k = kernel(program, name);
    for (const cl_uint other : {1U, 4U, 8U, 16U, 24U, 32U}) {
      cl_mem p = pipe(other, 16);
      EXPECT_CL(other == bytes ? CL_SUCCESS : CL_INVALID_ARG_VALUE, clSetKernelArg(k, 0, sizeof p, &p))
          << name << " with packets of " << other << " bytes";
    }
  }
  EXPECT_TRUE(wasNotified("packets of the kernel have 24 bytes")) << allNotified();
}

}  // namespace
}  // namespace clarity::test
