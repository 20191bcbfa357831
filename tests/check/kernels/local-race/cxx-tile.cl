// SPDX-License-Identifier: Apache-2.0
// A C++ class template holds a tile, which is read without a barrier.
// kernel: cxx_tile
// run: -g 16 -l 16 -a iota:16 -a zeros:16
// build: -cl-std=clc++2021
template <typename T, int N> struct Tile {
  T data[N];
  void store(int i, T v) local { data[i] = v; }  // wrong
  T load(int i) const local { return data[i]; }  // wrong
};
kernel void cxx_tile(global const int *in, global int *out) {
  local Tile<int, 16> tile;
  int l = get_local_id(0);
  tile.store(l, in[l]);
#ifdef RIGHT
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[l] = tile.load(l ^ 1);
}
