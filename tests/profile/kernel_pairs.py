# SPDX-License-Identifier: Apache-2.0
"""Kernels with one planted cause of slowness each, their mended twins, and kernels at their limit.

The cause stands in the line that ends with `// cause`.
"""
from dataclasses import dataclass


@dataclass
class Launch:
    source: str
    size: str  # global
    arguments: str
    local: str = "0"
    count: int = 4
    options: str = ""

    def line(self):
        number = 0
        for text in self.source.split("\n"):
            number = int(text.split()[1]) - 1 if text.startswith("#line") else number + 1
            if text.endswith("// cause"):
                return number
        return 0


@dataclass
class Pair:
    title: str  # a part of the advice's title
    slow: Launch
    mended: Launch


def pair(title, size, arguments, slow, mended, local="0", count=4, options="", **changes):
    """`changes`: mended_NAME=VALUE, what is different in the mended launch."""
    first = Launch(slow.strip() + "\n", size, arguments, local, count, options)
    second = Launch(mended.strip() + "\n", size, arguments, local, count, options)
    for name, value in changes.items():
        setattr(second, name.removeprefix("mended_"), value)
    return Pair(title, first, second)


PAIRS = {
    "column-walk": pair(
        "apart in ", "4194304", "f:4194304 f:4194304 int:2048",
        """
kernel void scale(global const float* x, global float* y, int n) {
  int i = get_global_id(0);
  int row = i % n, column = i / n;
  y[row * n + column] = 2 * x[row * n + column];  // cause
}""",
        """
kernel void scale(global const float* x, global float* y, int n) {
  int i = get_global_id(0);
  int row = i / n, column = i % n;
  y[row * n + column] = 2 * x[row * n + column];
}"""),
    "fixed-stride": pair(
        "apart in ", "65536", "f:4194304 f:65536",
        """
kernel void sums(global const float* x, global float* y) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 64; k += 4)
    s += x[i * 64 + k];  // cause
  y[i] = s;
}""",
        """
kernel void sums(global const float* x, global float* y) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 64; k += 4)
    s += x[k / 4 * 65536 + i];
  y[i] = s;
}""", count=20),
    "structures": pair(
        "array of structures", "1048576", "f:16777216 f:1048576",
        """
typedef struct { float x, y, z, mass, a[12]; } Body;
kernel void masses(global const Body* bodies, global float* m) {
  int i = get_global_id(0);
  m[i] = 2 * bodies[i].mass;  // cause
}""",
        """
kernel void masses(global const float* mass, global float* m) {
  int i = get_global_id(0);
  m[i] = 2 * mass[i];
}""", count=12),
    "index-table": pair(
        "wherever where[i] says", "1048576", "f:4194304 i:1048576:4194304 f:1048576",
        """
kernel void pick(global const float* x, global const int* where, global float* y) {
  int i = get_global_id(0);
  y[i] = x[where[i]];  // cause
}""",
        """
kernel void pick(global const float* x, global const int* where, global float* y) {
  int i = get_global_id(0);
  y[i] = x[i] + where[i];
}""", count=8),
    "branches": pair(
        "different branches", "262144", "f:262144",
        """
kernel void step(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  if (i % 2 == 0)  // cause
    for (int k = 0; k < 60; ++k) v = sqrt(v + 0.5f) * 1.01f;
  else
    for (int k = 0; k < 60; ++k) v = 1 / (v + 0.25f) + v;
  y[i] = v;
}""",
        """
kernel void step(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  if (get_group_id(0) % 2 == 0)
    for (int k = 0; k < 60; ++k) v = sqrt(v + 0.5f) * 1.01f;
  else
    for (int k = 0; k < 60; ++k) v = 1 / (v + 0.25f) + v;
  y[i] = v;
}""", local="256", count=8),
    "trip-counts": pair(
        "different numbers of iterations", "262144", "f:262144 i:262144:200",
        """
kernel void step(global float* y, global const int* count) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < count[i]; ++k)  // cause
    v = v * 0.99f + 0.5f;
  y[i] = v;
}""",
        """
kernel void step(global float* y, global const int* count) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < count[i]; ++k)
    v = v * 0.99f + 0.5f;
  y[i] = v;
}""", count=8, mended_arguments="f:262144 s:262144:200"),
    "ticket": pair(
        "tomic functions", "1048576", "f:1048576 f:1048576 i:16:1",
        """
kernel void compact(global const float* x, global float* y, global int* count) {
  int i = get_global_id(0);
  if (x[i] > 0.25f)
    y[atomic_inc(count) & 1048575] = x[i];  // cause
}""",
        """
kernel void compact(global const float* x, global float* y, global int* count) {
  int i = get_global_id(0);
  int mine = x[i] > 0.25f;
  int at = work_group_scan_exclusive_add(mine);
  local int first;
  if (get_local_id(0) == get_local_size(0) - 1) first = atomic_add(count, at + mine);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (mine) y[(first + at) & 1048575] = x[i];
}""", local="256", count=20, mended_options="-cl-std=CL2.0"),
    "few-words": pair(
        "tomic functions", "1048576", "u:1048576 i:256:1",
        """
kernel void bins(global const uchar* x, global int* count) {
  int i = get_global_id(0);
  if (atomic_add(&count[x[i] & 3], 1) < 0)  // cause
    count[255] = 1;
}""",
        """
kernel void bins(global const uchar* x, global int* count) {
  local int own[4];
  if (get_local_id(0) < 4) own[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0), n = get_global_size(0) / 64;
  int mine[4] = {0, 0, 0, 0};
  for (int k = i; k < 1048576; k += get_global_size(0))
    for (int b = 0; b < 4; ++b) mine[b] += (x[k] & 3) == b;
  for (int b = 0; b < 4; ++b) atomic_add(&own[b], mine[b]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 4) atomic_add(&count[get_local_id(0)], own[get_local_id(0)]);
}""", local="64", mended_size="16384"),
    "float-atomics": pair(
        "compare and exchange", "262144", "f:262144 f:16",
        """
kernel void sum(global const float* x, global float* y) {
  volatile global int* word = (volatile global int*)y;
  int old = *word;
  for (;;) {
    int now = atomic_cmpxchg(word, old, as_int(as_float(old) + x[get_global_id(0)]));  // cause
    if (now == old) break;
    old = now;
  }
}""",
        """
kernel void sum(global const float* x, global float* y) {
  float s = work_group_reduce_add(x[get_global_id(0)]);
  if (get_local_id(0) == 0) y[get_group_id(0) & 15] += s;
}""", local="256", mended_options="-cl-std=CL2.0"),
    "tiny-groups": pair(
        "work-groups of 2", "262144", "f:262144 l:1024",
        """
kernel void turn(global float* y, local float* part) {
  int i = get_local_id(0), n = get_local_size(0);
  part[i] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = part[n - 1 - i];
  for (int k = 0; k < 30; ++k) v = v * 0.99f + part[i];
  y[get_global_id(0)] = v;
}""",
        """
kernel void turn(global float* y, local float* part) {
  int i = get_local_id(0), n = get_local_size(0);
  part[i] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = part[n - 1 - i];
  for (int k = 0; k < 30; ++k) v = v * 0.99f + part[i];
  y[get_global_id(0)] = v;
}""", local="2", mended_local="128", count=20),
    "prime-size": pair(
        "work-groups of 1", "262139", "f:262144",
        """
kernel void turn(global float* y) {
  local float part[256];
  int i = get_local_id(0), n = get_local_size(0);
  part[i] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = part[n - 1 - i];
  for (int k = 0; k < 30; ++k) v = v * 0.99f + part[i];
  y[get_global_id(0)] = v;
}""",
        """
kernel void turn(global float* y) {
  local float part[256];
  int i = get_local_id(0), n = get_local_size(0);
  part[i] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = part[n - 1 - i];
  for (int k = 0; k < 30; ++k) v = v * 0.99f + part[i];
  y[get_global_id(0)] = v;
}""", mended_size="262144", mended_local="256", count=20),
    "odd-groups": pair(
        "work-groups of 10", "262140", "f:262144 l:1024",
        """
kernel void turn(global float* y, local float* part) {
  int i = get_local_id(0), n = get_local_size(0);
  part[i] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = part[n - 1 - i];
  for (int k = 0; k < 60; ++k) v = v * 0.99f + part[i];
  y[get_global_id(0)] = v;
}""",
        """
kernel void turn(global float* y, local float* part) {
  int i = get_local_id(0), n = get_local_size(0);
  part[i] = y[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = part[n - 1 - i];
  for (int k = 0; k < 60; ++k) v = v * 0.99f + part[i];
  y[get_global_id(0)] = v;
}""", local="10", mended_local="128", mended_size="262144", count=20),
    "barriers-in-loop": pair(
        "barriers in every iteration", "65536", "f:65536 l:1024",
        """
kernel void smooth(global float* y, local float* part) {
  int i = get_local_id(0), n = get_local_size(0);
  float v = y[get_global_id(0)];
  for (int k = 0; k < 100; ++k) {
    part[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);  // cause
    v = v * 0.9f + 0.1f * part[(i + k) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = v;
}""",
        """
kernel void smooth(global float* y, local float* part) {
  float v = y[get_global_id(0)];
  for (int k = 0; k < 100; ++k) v = v * 0.9f + 0.1f * v;
  y[get_global_id(0)] = v;
}""", local="64", count=8),
    "spilled-array": pair(
        "across a barrier", "65536", "f:65536 l:4096",
        """
kernel void mix(global float* y, local float* part) {
  int i = get_local_id(0), n = get_local_size(0);
  float own[64];  // cause
  for (int k = 0; k < 64; ++k) own[k] = y[get_global_id(0)] * k;
  for (int r = 0; r < 16; ++r) {
    part[i] = own[r];
    barrier(CLK_LOCAL_MEM_FENCE);
    float other = part[n - 1 - i];
    for (int k = 0; k < 64; ++k) own[k] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float s = 0;
  for (int k = 0; k < 64; ++k) s += own[k];
  y[get_global_id(0)] = s;
}""",
        """
kernel void mix(global float* y, local float* part) {
  int i = get_local_id(0), n = get_local_size(0);
  float v = y[get_global_id(0)], all = 0;
  for (int r = 0; r < 16; ++r) {
    part[i] = v * r + all;
    barrier(CLK_LOCAL_MEM_FENCE);
    all += part[n - 1 - i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = v * 2016 + all * 64;
}""", local="256", count=8),
    "private-table": pair(
        "private array", "262144", "i:262144 f:262144",
        """
kernel void look(global const int* x, global float* y) {
  int i = get_global_id(0);
  float table[64];
  for (int k = 0; k < 64; ++k) table[k] = x[i] * 0.5f + k;
  float s = 0;
  for (int k = 0; k < 64; ++k)
    s += table[(x[i] + k * 7) & 63];  // cause
  y[i] = s;
}""",
        """
kernel void look(global const int* x, global float* y) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 64; ++k)
    s += x[i] * 0.5f + ((x[i] + k * 7) & 63);
  y[i] = s;
}"""),
    "double-literals": pair(
        "double", "262144", "f:262144",
        """
kernel void decay(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 200; ++k)
    v = v * 0.999 + 0.001;  // cause
  y[i] = v;
}""",
        """
kernel void decay(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 200; ++k)
    v = v * 0.999f + 0.001f;
  y[i] = v;
}""", count=8),
    "double-function": pair(
        "double", "262144", "f:262144",
        """
kernel void waves(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 20; ++k)
    v = v * 0.5f + exp(v * -0.25);  // cause
  y[i] = v;
}""",
        """
kernel void waves(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 20; ++k)
    v = v * 0.5f + exp(v * -0.25f);
  y[i] = v;
}"""),
    "divisions": pair(
        "An integer remainder", "262144", "i:262144 i:262144 int:37",
        """
kernel void wrap(global const int* x, global int* y, int n) {
  int i = get_global_id(0), s = 0;
  int m = x[i] + n;
  for (int k = 0; k < 100; ++k)
    s += (y[i] + k) % m;  // cause
  y[i] = s;
}""",
        """
kernel void wrap(global const int* x, global int* y, int n) {
  int i = get_global_id(0), s = 0;
  int m = x[i] + n, r = y[i] % m;
  for (int k = 0; k < 100; ++k) {
    s += r;
    r = r + 1 == m ? 0 : r + 1;
  }
  y[i] = s;
}"""),
    "long-divisions": pair(
        "An integer remainder", "65536", "i:65536 i:65536",
        """
kernel void wrap(global const int* x, global int* y) {
  int i = get_global_id(0);
  long s = 0, m = x[i] + 37;
  for (int k = 0; k < 100; ++k)
    s += ((long)y[i] + k) % m;  // cause
  y[i] = s;
}""",
        """
kernel void wrap(global const int* x, global int* y) {
  int i = get_global_id(0);
  long s = 0, m = x[i] + 37, r = y[i] % m;
  for (int k = 0; k < 100; ++k) {
    s += r;
    r = r + 1 == m ? 0 : r + 1;
  }
  y[i] = s;
}"""),
    "power": pair(
        "pow", "262144", "f:262144",
        """
kernel void cubes(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 20; ++k)
    v = 0.25f * pow(v, 3.0f) + 0.5f;  // cause
  y[i] = v;
}""",
        """
kernel void cubes(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 20; ++k)
    v = 0.25f * v * v * v + 0.5f;
  y[i] = v;
}"""),
    "precise-functions": pair(
        "precise", "262144", "f:262144",
        """
kernel void turn(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 20; ++k)
    v = 0.5f * v + sin(v) * cos(v + 1);  // cause
  y[i] = v;
}""",
        """
kernel void turn(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 20; ++k)
    v = 0.5f * v + native_sin(v) * native_cos(v + 1);
  y[i] = v;
}"""),
    "false-sharing": pair(
        "one cache line", "1024", "f:1024 f:65536",
        """
kernel void collect(global float* y, global const float* x) {
  int g = get_group_id(0), i = get_local_id(0);
  if (i == 0)
    for (int k = 0; k < 4000; ++k)
      ((volatile global float*)y)[g] += x[k];  // cause
}""",
        """
kernel void collect(global float* y, global const float* x) {
  int g = get_group_id(0), i = get_local_id(0);
  float s = y[g];
  if (i == 0)
    for (int k = 0; k < 4000; ++k)
      s += x[k];
  if (i == 0) y[g] = s;
}""", local="4", mended_local="4"),
    "linear-images": pair(
        "linear filtering", "512x512", "image:512 linear f:262144",
        """
kernel void fetch(read_only image2d_t image, sampler_t how, global float* y) {
  int x = get_global_id(0), line = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 8; ++k)
    s += read_imagef(image, how, (float2)((x + k + 0.5f) / 512, (line + 0.5f) / 512)).x;  // cause
  y[line * 512 + x] = s;
}""",
        """
kernel void fetch(read_only image2d_t image, sampler_t how, global float* y) {
  int x = get_global_id(0), line = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 8; ++k)
    s += read_imagef(image, (int2)(min(x + k, 511), line)).x;
  y[line * 512 + x] = s;
}"""),
    "sum-in-memory": pair(
        "every iteration", "65536", "f:4194304 f:65536 int:64",
        """
kernel void sums(global const float* x, global volatile float* y, int n) {
  int i = get_global_id(0);
  y[i] = 0;
  for (int k = 0; k < n; ++k)
    y[i] += x[k * 65536 + i];  // cause
}""",
        """
kernel void sums(global const float* x, global volatile float* y, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += x[k * 65536 + i];
  y[i] = s;
}""", count=8),
    "one-item": pair(
        "One work-item", "1024", "f:1048576 f:1024 int:1048576",
        """
kernel void total(global const float* x, global float* y, int n) {
  if (get_global_id(0) == 0) {  // cause
    float s = 0;
    for (int k = 0; k < n; ++k) s += sqrt(x[k]);
    y[0] = s;
  }
}""",
        """
kernel void total(global const float* x, global float* y, int n) {
  float s = 0;
  int i = get_global_id(0);
  for (int k = i; k < n; k += 1024) s += sqrt(x[k]);
  y[i] = s;
}"""),
    "sequential": pair(
        "One work-item", "1", "f:1048576 f:1024 int:1048576",
        """
kernel void total(global const float* x, global float* y, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)  // cause
    s += sqrt(x[k]);
  y[0] = s;
}""",
        """
kernel void total(global const float* x, global float* y, int n) {
  float s = 0;
  int i = get_global_id(0);
  for (int k = i; k < n; k += 1024) s += sqrt(x[k]);
  y[i] = s;
}""", mended_size="1024"),
    "triangle": pair(
        "different numbers of iterations", "8192", "f:8192 f:8192 i:8192:8192",
        """
kernel void before(global const float* x, global float* y, global const int* order) {
  int i = order[get_global_id(0)];
  float s = 0;
  for (int k = 0; k < i; ++k)  // cause
    s += x[k] * (i - k);
  y[i] = s;
}""",
        """
kernel void before(global const float* x, global float* y, global const int* order) {
  int i = order[get_global_id(0)];
  float s = 0;
  for (int k = 0; k < i; ++k)
    s += x[k] * (i - k);
  y[i] = s;
}""", mended_arguments="f:8192 f:8192 s:8192:8192"),
    "modulo-index": pair(
        "apart in ", "1048576", "f:1048576 f:1048576 int:1048576",
        """
kernel void shuffle(global const float* x, global float* y, int n) {
  int i = get_global_id(0);
  y[i] = x[i * 1025 % n];  // cause
}""",
        """
kernel void shuffle(global const float* x, global float* y, int n) {
  int i = get_global_id(0);
  y[i] = x[n - 1 - i];
}""", count=8),
    "cases": pair(
        "different branches", "262144", "f:262144 i:262144:4",
        """
kernel void apply(global float* y, global const int* what) {
  int i = get_global_id(0);
  float v = y[i];
  switch (what[i]) {  // cause
    case 0: for (int k = 0; k < 40; ++k) v = sqrt(v + 1); break;
    case 1: for (int k = 0; k < 40; ++k) v = 1 / (v + 1); break;
    case 2: for (int k = 0; k < 40; ++k) v = v * 0.5f + 0.25f; break;
    default: for (int k = 0; k < 40; ++k) v = sqrt(v * 0.5f + 2); break;
  }
  y[i] = v;
}""",
        """
kernel void apply(global float* y, global const int* what) {
  int i = get_global_id(0);
  float v = y[i];
  switch (what[i]) {
    case 0: for (int k = 0; k < 40; ++k) v = sqrt(v + 1); break;
    case 1: for (int k = 0; k < 40; ++k) v = 1 / (v + 1); break;
    case 2: for (int k = 0; k < 40; ++k) v = v * 0.5f + 0.25f; break;
    default: for (int k = 0; k < 40; ++k) v = sqrt(v * 0.5f + 2); break;
  }
  y[i] = v;
}""", mended_arguments="f:262144 s:262144:4"),
    "volatile": pair(
        "volatile", "262144", "f:262144 f:262144",
        """
kernel void power(volatile global const float* x, global float* y) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 32; ++k)
    s = s * 0.5f + x[i];  // cause
  y[i] = s;
}""",
        """
kernel void power(global const float* x, global float* y) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 32; ++k)
    s = s * 0.5f + x[i];
  y[i] = s;
}"""),
}


def limit(size, arguments, source, local="0", count=6, options=""):
    return Launch(source.strip() + "\n", size, arguments, local, count, options)


AT_LIMIT = {
    "copy": limit("4194304", "f:4194304 f:4194304", """
kernel void copy(global const float* x, global float* y) {
  y[get_global_id(0)] = x[get_global_id(0)];
}"""),
    "triad": limit("4194304", "f:4194304 f:4194304 f:4194304", """
kernel void triad(global const float* x, global const float* y, global float* z) {
  int i = get_global_id(0);
  z[i] = x[i] + 3 * y[i];
}"""),
    "vectors": limit("1048576", "f:4194304 f:4194304", """
kernel void add(global const float4* x, global float4* y) {
  int i = get_global_id(0);
  y[i] = x[i] * 2 + y[i];
}"""),
    "guarded": limit("4194304", "f:4194304 f:4194304 int:4194300", """
kernel void add(global const float* x, global float* y, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  y[i] = x[i] * 2 + y[i];
}"""),
    "polynomial": limit("262144", "f:262144", """
kernel void chain(global float* y) {
  int i = get_global_id(0);
  float v = y[i], w = v + 1;
  for (int k = 0; k < 300; ++k) {
    v = v * 0.99f + 0.01f;
    w = w * 0.98f + 0.02f;
  }
  y[i] = v + w;
}"""),
    "fixed-mandelbrot": limit("512x512", "f:262144", """
kernel void orbit(global float* y) {
  int px = get_global_id(0), py = get_global_id(1);
  float cx = px / 256.0f - 1.5f, cy = py / 256.0f - 1, zx = 0, zy = 0;
  for (int k = 0; k < 64; ++k) {
    float t = zx * zx - zy * zy + cx;
    zy = clamp(2 * zx * zy + cy, -4.0f, 4.0f);
    zx = clamp(t, -4.0f, 4.0f);
  }
  y[py * 512 + px] = zx;
}"""),
    "tiles": limit("256x256", "f:65536 f:65536 f:65536", """
kernel void gemm(global const float* a, global const float* b, global float* c) {
  local float ta[16][16], tb[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_global_id(0), row = get_global_id(1);
  float s = 0;
  for (int t = 0; t < 16; ++t) {
    ta[y][x] = a[row * 256 + t * 16 + x];
    tb[y][x] = b[(t * 16 + y) * 256 + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) s += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * 256 + column] = s;
}""", local="16x16", count=40),
    "bodies": limit("4096", "f:16384 f:16384", """
kernel void forces(global const float4* at, global float4* force) {
  int i = get_global_id(0);
  float4 here = at[i];
  float x = 0, y = 0, z = 0;
  for (int k = 0; k < 4096; ++k) {
    float4 d = at[k] - here;
    float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
    float f = d.w * r * r * r;
    x += d.x * f;
    y += d.y * f;
    z += d.z * f;
  }
  force[i] = (float4)(x, y, z, 0);
}"""),
    "stencil": limit("1024x1024", "f:1048576 f:1048576", """
kernel void heat(global const float* a, global float* b) {
  int x = get_global_id(0), y = get_global_id(1), i = y * 1024 + x;
  if (x == 0 || y == 0 || x == 1023 || y == 1023) return;
  b[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - 1024] + a[i + 1024]);
}"""),
    "group-sums": limit("1048576", "f:1048576 f:8192", """
kernel void sums(global const float* x, global float* y) {
  float s = work_group_reduce_add(x[get_global_id(0)]);
  if (get_local_id(0) == 0) y[get_group_id(0)] = s;
}""", local="256", count=12, options="-cl-std=CL2.0"),
    "mandelbrot": limit("512x512", "f:262144", """
kernel void escape(global float* y) {
  int px = get_global_id(0), py = get_global_id(1), k = 0;
  float cx = px / 1024.0f - 0.5f, cy = py / 1024.0f + 0.3f, zx = 0, zy = 0;
  for (; k < 100; ++k) {
    float t = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = t;
    if (zx * zx + zy * zy > 4) break;
  }
  y[py * 512 + px] = k;
}"""),
    "grid-stride": limit("4096", "f:4194304 f:4096", """
kernel void sums(global const float* x, global float* y) {
  float s = 0;
  for (int k = get_global_id(0); k < 4194304; k += get_global_size(0)) s += x[k];
  y[get_global_id(0)] = s;
}"""),
    "transpose": limit("1024x1024", "f:1048576 f:1048576", """
kernel void transpose(global const float* a, global float* b) {
  local float tile[16][17];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = a[get_global_id(1) * 1024 + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[(get_group_id(0) * 16 + y) * 1024 + get_group_id(1) * 16 + x] = tile[x][y];
}""", local="16x16", count=10),
    "hash": limit("1048576", "i:1048576", """
kernel void mix(global uint* y) {
  int i = get_global_id(0);
  uint v = y[i];
  for (int k = 0; k < 40; ++k) {
    v ^= v << 13;
    v ^= v >> 17;
    v ^= v << 5;
  }
  y[i] = v;
}"""),
    "native-functions": limit("262144", "f:262144", """
kernel void waves(global float* y) {
  int i = get_global_id(0);
  float v = y[i];
  for (int k = 0; k < 30; ++k) v = native_sin(v) + 0.5f * native_exp(v * -0.5f);
  y[i] = v;
}"""),
    "doubles": limit("262144", "d:262144", """
kernel void chain(global double* y) {
  int i = get_global_id(0);
  double v = y[i], w = v + 1;
  for (int k = 0; k < 150; ++k) {
    v = v * 0.99 + 0.01;
    w = w * 0.98 + 0.02;
  }
  y[i] = v + w;
}"""),
    "weights": limit("1048576", "f:1048608 f:1048576 f:16", """
kernel void filter(global const float* x, global float* y, constant float* w) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 16; ++k) s += w[k] * x[i + k];
  y[i] = s;
}"""),
}
