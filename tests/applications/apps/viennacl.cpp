// SPDX-License-Identifier: Apache-2.0
// This file solves a discrete Poisson equation whose solution is known with ViennaCL: run by viennacl.sh.
#define VIENNACL_WITH_OPENCL
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/vector.hpp>

#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

int main() {
  const unsigned side = 200;
  const unsigned rows = side * side;
  std::vector<std::map<unsigned, double>> matrix(rows);
  std::vector<double> wanted(rows);
  std::vector<double> right(rows);
  for (unsigned i = 0; i < rows; ++i) {
    wanted[i] = std::sin(0.01 * i);
    matrix[i][i] = 4;
    if (i % side) matrix[i][i - 1] = -1;
    if (i % side + 1 < side) matrix[i][i + 1] = -1;
    if (i >= side) matrix[i][i - side] = -1;
    if (i + side < rows) matrix[i][i + side] = -1;
  }
  for (unsigned i = 0; i < rows; ++i)
    for (const auto& [column, value] : matrix[i]) right[i] += value * wanted[column];
  viennacl::compressed_matrix<double> a(rows, rows);
  viennacl::vector<double> b(rows);
  viennacl::copy(matrix, a);
  viennacl::copy(right, b);
  const viennacl::linalg::cg_tag tag(1e-10, 2000);
  const viennacl::vector<double> x = viennacl::linalg::solve(a, b, tag);
  std::vector<double> found(rows);
  viennacl::copy(x, found);
  for (unsigned i = 0; i < rows; ++i)
    if (!(std::fabs(found[i] - wanted[i]) < 1e-6)) return std::printf("wrong: x[%u] is %g\n", i, found[i]), 1;
  std::puts("all right");
}
