// SPDX-License-Identifier: Apache-2.0
// This file defines the functions that describe the index space of a block (OpenCL C 3.0, 6.15.18.9). A local size of 0
// is chosen by the device.

#include "prelude.clh"

BUILTIN ndrange_t ndrange_1D(size_t size) { return (ndrange_t){1, {0, 0, 0}, {size, 1, 1}, {0, 0, 0}}; }
BUILTIN ndrange_t ndrange_1D(size_t size, size_t group) {
  return (ndrange_t){1, {0, 0, 0}, {size, 1, 1}, {group, 1, 1}};
}
BUILTIN ndrange_t ndrange_1D(size_t start, size_t size, size_t group) {
  return (ndrange_t){1, {start, 0, 0}, {size, 1, 1}, {group, 1, 1}};
}

BUILTIN ndrange_t ndrange_2D(const size_t size[2]) {
  return (ndrange_t){2, {0, 0, 0}, {size[0], size[1], 1}, {0, 0, 0}};
}
BUILTIN ndrange_t ndrange_2D(const size_t size[2], const size_t group[2]) {
  return (ndrange_t){2, {0, 0, 0}, {size[0], size[1], 1}, {group[0], group[1], 1}};
}
BUILTIN ndrange_t ndrange_2D(const size_t start[2], const size_t size[2], const size_t group[2]) {
  return (ndrange_t){2, {start[0], start[1], 0}, {size[0], size[1], 1}, {group[0], group[1], 1}};
}

BUILTIN ndrange_t ndrange_3D(const size_t size[3]) {
  return (ndrange_t){3, {0, 0, 0}, {size[0], size[1], size[2]}, {0, 0, 0}};
}
BUILTIN ndrange_t ndrange_3D(const size_t size[3], const size_t group[3]) {
  return (ndrange_t){3, {0, 0, 0}, {size[0], size[1], size[2]}, {group[0], group[1], group[2]}};
}
BUILTIN ndrange_t ndrange_3D(const size_t start[3], const size_t size[3], const size_t group[3]) {
  return (ndrange_t){
      3, {start[0], start[1], start[2]}, {size[0], size[1], size[2]}, {group[0], group[1], group[2]}};
}
