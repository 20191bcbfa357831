// SPDX-License-Identifier: Apache-2.0
// This file detects edges in a grey picture with the Sobel filter. TILE, the side of a work-group, is given with -D.
uchar gradient(int tl, int t, int tr, int l, int r, int bl, int b, int br) {
  int gx = (tr + 2 * r + br) - (tl + 2 * l + bl);
  int gy = (bl + 2 * b + br) - (tl + 2 * t + tr);
  return convert_uchar_sat_rte(sqrt((float)(gx * gx + gy * gy)));
}

// Beyond the border of the picture its outermost pixels go on.
int pixel(__global const uchar *in, int x, int y, int width, int height) {
  return in[(size_t)clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
}

__kernel void sobelGlobal(__global const uchar *in, __global uchar *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  out[(size_t)y * width + x] =
      gradient(pixel(in, x - 1, y - 1, width, height), pixel(in, x, y - 1, width, height),
               pixel(in, x + 1, y - 1, width, height), pixel(in, x - 1, y, width, height),
               pixel(in, x + 1, y, width, height), pixel(in, x - 1, y + 1, width, height),
               pixel(in, x, y + 1, width, height), pixel(in, x + 1, y + 1, width, height));
}

__kernel void sobelLocal(__global const uchar *in, __global uchar *out, int width, int height) {
  __local uchar tile[TILE + 2][TILE + 2];
  int lx = get_local_id(0), ly = get_local_id(1);
  int left = (int)get_group_id(0) * TILE - 1, top = (int)get_group_id(1) * TILE - 1;

  // the work-group loads its tile with a border of one pixel together
  for (int i = ly * TILE + lx; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
    tile[i / (TILE + 2)][i % (TILE + 2)] = pixel(in, left + i % (TILE + 2), top + i / (TILE + 2), width, height);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) {
    out[(size_t)y * width + x] =
        gradient(tile[ly][lx], tile[ly][lx + 1], tile[ly][lx + 2], tile[ly + 1][lx], tile[ly + 1][lx + 2],
                 tile[ly + 2][lx], tile[ly + 2][lx + 1], tile[ly + 2][lx + 2]);
  }
}
