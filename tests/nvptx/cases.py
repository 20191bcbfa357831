# SPDX-License-Identifier: Apache-2.0
"""Kernels that simulate.py executes."""
import random
from dataclasses import dataclass, field


@dataclass
class Case:
    name: str
    source: str
    arguments: list  # (kind, size): b, f, d: a buffer of bytes, floats or doubles; o: of results; l: local; a type
    kernel: str = "k"
    range: tuple = (2048, 1, 1)  # one work-group: the code is that of small launches, which tells its end
    local: tuple = (256, 1, 1)
    offset: int = 0
    tile: str = ""  # that the tile has
    counted: int = 0  # bytes of the buffer that blocks count in
    has: list = field(default_factory=list)  # that the tiled code has
    build: list = field(default_factory=list)
    zeros: bool = False  # that all results are


WARPS = "warps"
NO_LOCAL = [r"^(?!.*addrspace\(3\))"]


def tree(name, step, type="float", kind="f", size=4, local=256, **more):
    """A reduction: each work-item's element, then `step` for each distance."""
    return Case(name, f"""
kernel void k(global const {type}* in, global {type}* out, local {type}* s) {{
  const uint lid = get_local_id(0), size = get_local_size(0);
  s[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  {step}
  if (lid == 0) out[get_group_id(0)] = s[0];
}}""", [(kind, 2048 * size + 64), ("o", 2048 // local * size), ("l", local * size)], local=(local, 1, 1), tile=WARPS,
                **more)


HALVES = "for (uint k = size / 2; k > 0; k >>= 1) { if (lid < k) s[lid] += s[lid + k]; barrier(CLK_LOCAL_MEM_FENCE); }"
DOUBLES = """for (uint k = 1; k < size; k *= 2) {
    if (lid % (2 * k) == 0) s[lid] += s[lid + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }"""
STRIDES = """for (uint k = 1; k < size; k *= 2) {
    const uint i = 2 * k * lid;
    if (i < size) s[i] += s[i + k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }"""
LAST_OF_PAIRS = """for (int k = 1; k < (int)size; k *= 2) {
    const int i = 2 * k * ((int)lid + 1) - 1;
    if (i < (int)size) s[i] = max(s[i], s[i - k]) + i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) s[0] += s[size - 1];
  barrier(CLK_LOCAL_MEM_FENCE);"""
BUTTERFLY = """for (uint k = 1; k < size; k <<= 1) {
    const int other = s[lid ^ k];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[lid] = s[lid] * 3 + other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }"""

CASES = [
    tree("halves", HALVES),
    tree("halves_of_64", HALVES, local=64),
    tree("halves_of_32", HALVES, local=32),
    tree("halves_of_1024", HALVES, local=1024, range=(4096, 1, 1)),
    tree("halves_of_vectors", HALVES, "float4", size=16),
    tree("doubles", DOUBLES, "double", "d", 8),
    tree("strides", STRIDES, "double", "d", 8),
    tree("last_of_pairs", LAST_OF_PAIRS, "int", "b"),
    tree("bytes", STRIDES, "uchar", "b", 1),
    tree("shorts", DOUBLES, "short", "b", 2),
    tree("butterfly", BUTTERFLY, "int", "b"),
    tree("offset", HALVES, offset=16),
    Case("zeroed_local", """
kernel void k(global int* out, local int* s) {
  local int t[64];
  const int lid = get_local_id(0);
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += t[i] != 0;
  for (int i = lid; i < 256; i += 64) sum += s[i] != 0;
  out[get_global_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  t[lid] = s[lid] = 1 + lid;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t[63 - lid] == 0) out[get_global_id(0)] = s[255 - lid];
}""", [("o", 8192), ("l", 1024)], local=(64, 1, 1), build=["-cl-clarity-initialize-local"], zeros=True),
    Case("zeroed_variables", """
kernel void k(global int* out) {
  int all = 0;
  for (int round = 0; round < 3; ++round) {
    int array[33], one;
    if (get_global_id(0) % 5 == 7) array[3] = one = 1;
    for (int i = 0; i < 33; ++i) all += array[(i + get_global_id(0)) % 33] != 0;
    all += one != 0;
    array[get_global_id(0) % 33] = one = 3;
    all += array[5] - array[5] + one - 3;
  }
  out[get_global_id(0)] = all;
}""", [("o", 8192)], build=["-cl-clarity-initialize-private"], zeros=True),
    Case("small_returns_early", """
kernel void k(global const int* in, global int* out) {
  const int i = get_global_id(0);
  if (in[i] & 1) return;
  if (in[i] & 2) out[i] = in[i];
  else out[i] = -in[i];
}""", [("b", 8192), ("o", 8192)], range=(64, 1, 1), local=(64, 1, 1)),
    Case("small_of_two_dimensions", """
kernel void k(global const int* in, global int* out, local int* s) {
  const int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  s[y * 16 + x] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x > y) return;
  out[i] = s[x * 16 + y];
}""", [("b", 4096), ("o", 4096), ("l", 1024)], range=(16, 16, 1), local=(16, 16, 1)),
    Case("own_variables", """
kernel void k(global const int* in, global int* out) {
  local int least[128], place[128];
  const int lid = get_local_id(0);
  least[lid] = in[get_global_id(0)];
  place[lid] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 64; k > 0; k /= 2) {
    if (lid < k && (least[lid + k] < least[lid] || (least[lid + k] == least[lid] && place[lid + k] < place[lid]))) {
      least[lid] = least[lid + k];
      place[lid] = place[lid + k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) out[2 * get_group_id(0)] = least[0], out[2 * get_group_id(0) + 1] = place[0];
}""", [("b", 8192), ("o", 128)], local=(128, 1, 1), tile=WARPS),
    Case("scan", """
kernel void k(global const int* in, global int* out, local int* a, local int* b) {
  const int lid = get_local_id(0), size = get_local_size(0);
  a[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 1; k < size; k *= 2) {
    b[lid] = lid >= k ? a[lid] + a[lid - k] : a[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    local int* other = a;
    a = b;
    b = other;
  }
  out[get_global_id(0)] = a[lid];
}""", [("b", 8192), ("o", 8192), ("l", 1024), ("l", 1024)], tile=WARPS),
    Case("neighbours", """
kernel void k(global const int* in, global int* out) {
  local int s[256];
  const int lid = get_local_id(0), n = 256;
  s[lid] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int left = s[max(lid - 1, 0)], right = s[min(lid + 1, n - 1)], far = s[(lid * 5 + 3) % n];
  int sum = left + 2 * right + 3 * s[n - 1 - lid] + s[17];
  if (lid % 3 == 1) sum ^= s[lid / 2] + far;
  out[get_global_id(0)] = sum;
}""", [("b", 8192), ("o", 8192)]),
    Case("global_fence", """
kernel void k(global int* data, global int* out, local int* s) {
  const int lid = get_local_id(0), base = get_group_id(0) * 64;
  s[lid] = data[base + lid];
  data[base + lid] = s[lid] + 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[base + lid] = data[base + (lid + 13) % 64] + s[lid ^ 33];
}""", [("b", 8192), ("o", 8192), ("l", 256)], local=(64, 1, 1), tile=WARPS, has=["sim_bar|bar.warp"]),
    Case("guarded_barrier", """
kernel void k(global int* data, local int* s, int n) {
  const int lid = get_local_id(0);
  s[lid] = data[get_global_id(0)];
  if ((int)get_group_id(0) < n) {
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = s[255 - lid] + 1;
  }
}""", [("b", 8192), ("l", 1024), ("int", 3)], tile=WARPS),
    Case("matrix_product", """
kernel void k(global const float* a, global const float* b, global float* c, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * 64 + x];
  c[y * 64 + x] = sum;
}""", [("f", 64 * 67 * 4), ("f", 64 * 67 * 4), ("o", 64 * 64 * 4), ("int", 67)], range=(64, 64, 1), local=(16, 16, 1),
         tile="guarded adjacent"),
    Case("matrix_product_of_vectors", """
kernel void k(global const float* a, global const float* b, global float* c, int n, int from) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[from + y * n + i] * b[i * 1024 + x];
  c[y * 1024 + x] = sum;
}""", [("f", 64 * 32 * 4), ("f", 1024 * 32 * 4), ("o", 1024 * 64 * 4), ("int", 32), ("int", 0)], range=(1024, 64, 1),
         local=(16, 16, 1), tile="merged adjacent"),
    Case("matrix_product_with_partial_blocks", """
kernel void k(global const float* a, global const float* b, global float* c, int n, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * width + x];
  c[y * width + x] = sum;
}""", [("f", 90 * 67 * 4), ("f", 110 * 67 * 4), ("o", 110 * 90 * 4), ("int", 67), ("int", 110)], range=(110, 90, 1),
         local=(10, 10, 1), tile="guarded"),
    Case("partial_blocks_of_one_dimension", """
kernel void k(global const int* in, global int* out, int n) {
  const int x = get_global_id(0);
  int sum = x, last[4] = {1, 2, 3, 4};
  last[x % 4] += n;
  if (x % 7 == 3) return;
  for (int i = 0; i < n; ++i) sum += in[i] ^ sum;
  last[(x + 1) % 4] ^= sum;
  out[x - 5] = sum + last[(x + n) % 4] + (int)get_global_size(0);
}""", [("b", 400), ("o", 1500 * 4), ("int", 100)], range=(1500, 1, 1), local=(50, 1, 1), offset=5, tile="guarded"),
    Case("tiles", """
kernel void k(global const float* a, global const float* b, global float* c, int n) {
  local float ta[16][16], tb[16][16];
  const int col = get_global_id(0), row = get_global_id(1), x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}""", [("f", 16384), ("f", 16384), ("o", 16384), ("int", 64)], range=(64, 64, 1), local=(16, 16, 1), tile="cells="),
    Case("shared_tiles", """
kernel void k(global const float* a, global const float* b, global float* c, int n) {
  local float ta[16][16], tb[16][16];
  const int col = get_global_id(0), row = get_global_id(1), x = get_local_id(0), y = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[y][x] = a[row * n + t + x];
    tb[y][x] = b[(t + y) * 1024 + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += ta[y][k] * tb[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * 1024 + col] = sum;
}""", [("f", 1 << 18), ("f", 1 << 18), ("o", 1 << 18), ("int", 32)], range=(1024, 64, 1), local=(16, 16, 1),
         tile="groups=4"),
    Case("stream", """
kernel void k(global const int* a, global const int* b, global int* c, int n) {
  const int i = get_global_id(0);
  if (i % 7 < n) c[i] = a[i] - b[i];
}""", [("b", 16384), ("b", 16384), ("o", 16384), ("int", 5)], range=(4096, 1, 1), tile="cells=2,1,1 threads=256"),
    Case("stream_of_part", """
kernel void k(global const short* a, global short* b) { b[get_global_id(0)] = a[get_global_id(0)] + 1; }""",
         [("b", 16384), ("o", 16384)], range=(7000, 1, 1), local=(100, 1, 1), tile="guarded"),
    Case("stream_of_rows", """
kernel void k(global const float* a, global float* b) {
  const int i = get_global_id(1) * 1024 + get_global_id(0);
  b[i] = a[i] * 3;
}""", [("f", 262144), ("o", 262144)], range=(1024, 64, 1), local=(16, 16, 1), tile="cells=1,4,1"),
    Case("stream_backwards", """
kernel void k(global const float* a, global float* b, int n) {
  const int i = get_global_id(0);
  b[i] = a[n - 1 - i];
}""", [("f", 16384), ("o", 16384), ("int", 4096)], range=(4096, 1, 1), tile="cells=4,1,1"),
    Case("dot_products", """
kernel void k(global const uint* a, global const uint* b, global int* out) {
  const int i = get_global_id(0);
  int sum = dot_4x8packed_us_int(a[i], b[i]) + i;
  for (int k = 0; k < 5; ++k) sum += dot_4x8packed_ss_int(a[k * 64 + i % 64], b[i]);
  const uchar4 x = as_uchar4(a[i]), y = as_uchar4(b[i]);
  out[i] = dot_acc_sat_4x8packed_su_int(a[i], b[i], sum) - (x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w);
}""", [("b", 8192), ("b", 8192), ("o", 8192)], build=["-cl-std=CL3.0"], range=(2048, 1, 1), local=(64, 1, 1),
         has=["idp4a.s.s", "idp4a.u.u"]),
    Case("copies", """
kernel void k(global const int4* in, global int* own, global int* out, local int4* part, local int* other) {
  const int lid = get_local_id(0), group = get_group_id(0);
  event_t event = async_work_group_copy(part, in + group * 100, 100, 0);
  for (int i = lid; i < 300; i += 64) other[i] = own[group * 300 + i];
  own[group * 300 + lid] = lid;
  wait_group_events(1, &event);
  int sum = 0;
  for (int i = 0; i < 300; ++i) sum = sum * 3 + part[(i + lid) % 100].y + other[i ^ lid % 2];
  out[get_global_id(0)] = sum;
}""", [("b", 32 * 1600), ("b", 32 * 1200), ("o", 8192), ("l", 1600), ("l", 1200)], local=(64, 1, 1),
         has=["cp.async.cg.shared.global.16", "cp.async.ca.shared.global.4", "cp.async.wait.all"]),
    Case("histogram", """
kernel void k(global const uchar* in, global uint* bins) { atomic_inc(&bins[in[get_global_id(0)]]); }""",
         [("b", 8192), ("b", 1024)], range=(8192, 1, 1), tile="counts", counted=1024),
    Case("histogram_of_part", """
kernel void k(global const int* in, global int* bins, int n) {
  const int i = get_global_id(0);
  if (i < n && in[i] > 0) atomic_max(bins + (in[i] & 63) % 50, in[i]);
  else if (i % 5 == 1) atomic_max(&bins[49], i);
}""", [("b", 32000), ("b", 200), ("int", 7500)], range=(7777, 1, 1), local=(77, 1, 1), tile="guarded counts",
         counted=200),
    Case("sum_of_longs", """
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void k(global const long* in, global long* sums) { atom_add(&sums[get_global_id(0) & 1], in[get_global_id(0)]); }
""", [("b", 32768), ("b", 16)], range=(4096, 1, 1), offset=0, tile="counts", counted=16),
    Case("windows", """
kernel void k(global const int* restrict in, global int* restrict out, int n) {
  const int x = get_global_id(0), w = get_global_size(0), r = x % n + 1;
  uint sum = n;
  for (int k = x - r < 0 ? 0 : x - r; k <= (x + r < w ? x + r : w - 1); ++k) sum = sum * 3 + (uint)in[k];
  out[x] = sum;
}""", [("b", 8192), ("o", 8192), ("int", 13)], local=(64, 1, 1)),
    Case("rows", """
kernel void k(global const float* restrict in, global float* restrict out, int n, int first) {
  const int x = get_global_id(0);
  float sum = 0;
  for (int i = first; i < n; ++i) sum = sum * 0.5f + in[x * n + i];
  out[x] = sum;
}""", [("f", 2048 * 23 * 4), ("o", 8192), ("int", 23), ("int", 3)], local=(64, 1, 1)),
]


def random_case(seed):
    """Steps in local memory: each reads elements of others, and after a barrier writes the work-item's own."""
    choose = random.Random(seed)
    items = choose.choice([32, 64, 128, 256])
    name, kind, size = choose.choice([("int", "b", 4), ("uchar", "b", 1), ("uint", "b", 4), ("long", "b", 8),
                                      ("int2", "b", 8), ("short4", "b", 8)])

    def index():
        step, power = choose.randrange(1, items), 1 << choose.randrange(items.bit_length() - 1)
        return choose.choice([f"(lid + {step}) % {items}", f"lid ^ {power}", f"{items - 1} - lid", f"lid & ~{power}",
                              f"{step}", f"lid / {power}", f"(lid * {2 * step + 1}) % {items}", "lid",
                              f"lid >= {step} ? lid - {step} : lid", f"(lid * {power}) % {items}"])

    def guard():
        step, power = choose.randrange(1, items), 1 << choose.randrange(items.bit_length() - 1)
        return choose.choice([f"lid < {step}", f"lid >= {step}", f"lid % {power} == 0", f"(lid & {power}) != 0",
                              f"{power} * lid < {items}", f"lid == {step}", "n > 2"])

    steps = ""
    for number in range(choose.randrange(2, 6)):
        one, other = choose.choice("st"), choose.choice("st")
        around = choose.choice(["", "", "", "n > 2", "(n + get_group_id(0)) % 3 != 0"])
        steps += f"  if ({around}) {{\n" if around else ""
        form = choose.randrange(4)
        if form == 0:
            steps += f"  {name} v{number} = {one}[{index()}];\n  if ({guard()}) v{number} += {other}[{index()}];\n"
            steps += f"  barrier(CLK_LOCAL_MEM_FENCE);\n  {one}[lid] = {one}[lid] * ({name})3 + v{number};\n"
        elif form == 1:
            low = items >> choose.randrange(1, items.bit_length())
            steps += f"  if (lid < {low}) {one}[lid] += {one}[lid + {low}];\n"
        elif form == 2:
            distance = 1 << choose.randrange(items.bit_length() - 1)
            steps += f"  {{ const uint i = {2 * distance} * lid;\n"
            steps += f"    if (i < {items}) {one}[i] += {one}[i + {distance}] * ({name})5; }}\n"
        else:
            steps += f"  {name} v{number} = ({name})1;\n  if ({guard()}) {{\n    v{number} += {one}[{index()}];\n"
            steps += f"    if ({guard()}) v{number} *= {other}[{index()}];\n  }}\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
            steps += f"  if ({guard()}) {other}[lid] = v{number};\n"
        steps += "  barrier(CLK_LOCAL_MEM_FENCE);\n" + ("  }\n" if around else "")
    source = f"""
kernel void k(global const {name}* in, global {name}* out, local {name}* s, int n) {{
  local {name} t[{items}];
  const uint lid = get_local_id(0);
  s[lid] = in[get_global_id(0)];
  t[lid] = s[lid] * ({name})7 + ({name})1;
  barrier(CLK_LOCAL_MEM_FENCE);
{steps}  out[get_global_id(0)] = s[lid] ^ t[lid];
}}"""
    return Case(f"random_{seed}", source, [(kind, 1024 * size), ("o", 1024 * size), ("l", items * size), ("int", 3)],
                range=(1024, 1, 1), local=(items, 1, 1))
