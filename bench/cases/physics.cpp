// SPDX-License-Identifier: Apache-2.0
// This file describes the kernels of physics (kernels/physics.cl, doubles.cl).
#include <algorithm>
#include <bit>
#include <cmath>

#include "cases.h"
#include "parallel.h"

namespace bench {
namespace {

// Positions and masses of bodies; the host's function computes sixteen of them in lanes.
void describeBodies(Problem& p) {
  const std::size_t count = p.size(512, 2560), lanes = 16;
  const float* bodies = p.input(randomFloats(count * 4, 1, 0, 1));
  float* forces = p.output<float>(count * 4, {.absolute = 1e-2, .relative = 1e-4});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  const float softening = p.scalar(0.01F);
  p.items(count);
  p.needs(static_cast<double>(count) * static_cast<double>(count) * 20, Unit::Flops);
  p.host([=] {
    parallelFor(count / lanes, [=](std::size_t block) {
      float position[3][lanes], force[3][lanes] = {};
      for (std::size_t i = 0; i < lanes; ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) position[axis][i] = bodies[(block * lanes + i) * 4 + axis];
      for (std::size_t other = 0; other < count; ++other) {
        const float *body = bodies + other * 4, x = body[0], y = body[1], z = body[2], mass = body[3];
        for (std::size_t i = 0; i < lanes; ++i) {
          const float dx = x - position[0][i], dy = y - position[1][i], dz = z - position[2][i];
          const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening),
                      pull = mass * inverse * inverse * inverse;
          force[0][i] += pull * dx, force[1][i] += pull * dy, force[2][i] += pull * dz;
        }
      }
      for (std::size_t i = 0; i < lanes; ++i)
        for (std::size_t axis = 0; axis < 4; ++axis)
          forces[(block * lanes + i) * 4 + axis] = axis < 3 ? force[axis][i] : 0;
    });
  });
}

void nbodyGlobal(Problem& p) { describeBodies(p); }

void nbodyTiled(Problem& p) {
  describeBodies(p);
  p.local<float>(std::size_t{128} * 4);
  p.group(128);
}

// Atoms on a perturbed grid, so that none is too near to another.
std::vector<float> gridOfAtoms(std::size_t edge) {
  auto atoms = randomFloats(edge * edge * edge * 4, 2, -0.1F, 0.1F);
  for (std::size_t i = 0; i < edge * edge * edge; ++i) {
    const std::size_t place[3] = {i % edge, i / edge % edge, i / edge / edge};
    for (std::size_t axis = 0; axis < 3; ++axis) atoms[i * 4 + axis] += 1.1F * static_cast<float>(place[axis]);
  }
  return atoms;
}

void lennardJones(Problem& p) {
  const std::size_t edge = p.size(8, 15), count = edge * edge * edge;
  const float* atoms = p.input(gridOfAtoms(edge));
  float* forces = p.output<float>(count * 4, {.absolute = 2e-2, .relative = 1e-3});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(count));
  const float cutoff = p.scalar(2.5F);
  p.items(count);
  p.needs(static_cast<double>(count) * static_cast<double>(count), Unit::Steps);
  p.host([=] {
    parallelFor(count, [=](std::size_t item) {
      const float* own = atoms + item * 4;
      float fx = 0, fy = 0, fz = 0, energy = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const float dx = own[0] - atoms[i * 4], dy = own[1] - atoms[i * 4 + 1], dz = own[2] - atoms[i * 4 + 2];
        const float square = dx * dx + dy * dy + dz * dz;
        if (i == item || square >= cutoff * cutoff) continue;
        const float inverse = 1 / square, inverse6 = inverse * inverse * inverse;
        const float force = 24 * inverse * inverse6 * (2 * inverse6 - 1);
        fx += force * dx, fy += force * dy, fz += force * dz;
        energy += 4 * inverse6 * (inverse6 - 1);
      }
      forces[item * 4] = fx, forces[item * 4 + 1] = fy, forces[item * 4 + 2] = fz, forces[item * 4 + 3] = energy;
    });
  });
}

constexpr int latticeX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, latticeY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr float latticeWeights[9] = {4.0F / 9,  1.0F / 9,  1.0F / 9,  1.0F / 9, 1.0F / 9,
                                     1.0F / 36, 1.0F / 36, 1.0F / 36, 1.0F / 36};

void latticeBoltzmann(Problem& p) {
  const std::size_t width = p.size(64, 512), height = p.size(48, 512), cells = width * height;
  const float* in = p.input(randomFloats(cells * 9, 3, 0.1F, 0.12F));
  float* out = p.output<float>(cells * 9, {.absolute = 1e-6});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(height));
  const float omega = p.scalar(1.2F);
  p.items(width, height);
  p.needs(static_cast<double>(cells) * 72, Unit::Bytes);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      for (std::size_t x = 0; x < width; ++x) {
        float f[9], density = 0, ux = 0, uy = 0;
        for (std::size_t i = 0; i < 9; ++i) {
          const std::size_t fromX = (x + width - static_cast<std::size_t>(latticeX[i])) % width;
          const std::size_t fromY = (y + height - static_cast<std::size_t>(latticeY[i])) % height;
          f[i] = in[i * cells + fromY * width + fromX];
          density += f[i], ux += f[i] * static_cast<float>(latticeX[i]), uy += f[i] * static_cast<float>(latticeY[i]);
        }
        ux /= density, uy /= density;
        const float square = 1.5F * (ux * ux + uy * uy);
        for (std::size_t i = 0; i < 9; ++i) {
          const float along = 3 * (ux * static_cast<float>(latticeX[i]) + uy * static_cast<float>(latticeY[i]));
          const float rest = latticeWeights[i] * density * (1 + along + 0.5F * along * along - square);
          out[i * cells + y * width + x] = f[i] + omega * (rest - f[i]);
        }
      }
    });
  });
}

void heatDouble(Problem& p) {
  const std::size_t width = p.size(150, 1500), height = p.size(100, 1000);
  const double* in = p.input(randomDoubles(width * height, 4));
  double* out = p.output<double>(width * height, {.absolute = 1e-14});
  p.scalar<std::int32_t>(static_cast<std::int32_t>(width));
  p.scalar<std::int32_t>(static_cast<std::int32_t>(height));
  const double rate = p.scalar(0.1);
  p.items((width + 15) / 16 * 16, (height + 3) / 4 * 4);
  p.group(16, 4);
  p.needs(static_cast<double>(width * height) * 16, Unit::Bytes);
  p.host([=] {
    parallelFor(height, [=](std::size_t y) {
      const double *row = in + y * width, *above = y > 0 ? row - width : row,
                   *below = y < height - 1 ? row + width : row;
      const auto next = [=](std::size_t left, std::size_t x, std::size_t right) {
        return row[x] + rate * (row[left] + row[right] + above[x] + below[x] - 4 * row[x]);
      };
      out[y * width] = next(0, 0, 1);
      for (std::size_t x = 1; x < width - 1; ++x) out[y * width + x] = next(x - 1, x, x + 1);
      out[y * width + width - 1] = next(width - 2, width - 1, width - 1);
    });
  });
}

constexpr float timeStep = 0.01F, gravity = 9.81F;
constexpr Tolerance rounding = {.absolute = 1e-6};

std::size_t particleCount(const Problem& p) { return p.size(10000, 1000000); }

// The last two arguments, and the sizes.
void finishParticles(Problem& p, std::size_t count, double bytes) {
  p.scalar(timeStep);
  p.scalar(gravity);
  p.items(count);
  p.needs(static_cast<double>(count) * bytes, Unit::Bytes);
}

void bounce(float& height, float& speed) {
  speed -= gravity * timeStep;
  height += speed * timeStep;
  if (height < 0) height = -height, speed *= -0.8F;
}

void particlesStruct(Problem& p) {
  const std::size_t count = particleCount(p);
  float* particles = p.update(randomFloats(count * 8, 5), rounding);
  finishParticles(p, count, 64);
  p.host([=] {
    parallelFor(count, [=](std::size_t i) {
      float* particle = particles + i * 8;
      particle[0] += particle[3] * timeStep;
      bounce(particle[1], particle[4]);
      particle[2] += particle[5] * timeStep;
    });
  });
}

std::vector<std::uint32_t> photons(std::size_t count) {
  std::vector<std::uint32_t> words(count * 4);
  const std::vector<float> places = randomFloats(count * 4, 14);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = i % 4 < 3 ? std::bit_cast<std::uint32_t>(places[i]) : 0;
  return words;
}

void photonsMove(Problem& p) {
  const std::size_t count = p.size(20000, 500000);
  std::uint32_t* words = p.update(photons(count));
  const float* steps = p.input(randomFloats(count, 15));
  p.items(count);
  p.needs(static_cast<double>(count) * 36, Unit::Bytes);
  p.host([=] {
    parallelFor(count, [=](std::size_t i) {
      const auto add = [&](std::size_t axis, float distance) {
        const float place = std::bit_cast<float>(words[i * 4 + axis]) + distance;
        words[i * 4 + axis] = std::bit_cast<std::uint32_t>(place);
        return place;
      };
      const bool hits = add(0, steps[i]) > 1.0F;
      add(1, -steps[i]);
      add(2, 0.5F);
      words[i * 4 + 3] += hits ? 1 : 0;
    });
  });
}

void photonsSort(Problem& p) {
  const std::size_t count = p.size(20000, 500000);
  const std::uint32_t* words = p.input(photons(count));
  const std::int32_t* order = p.input(randomIntegers<std::int32_t>(count, 16, 0, static_cast<std::int32_t>(count) - 1));
  auto* sorted = p.output<std::uint32_t>(count * 4);
  p.items(count);
  p.needs(static_cast<double>(count) * 36, Unit::Bytes);
  p.host([=] {
    parallelFor(count,
                [=](std::size_t i) { std::copy_n(words + static_cast<std::size_t>(order[i]) * 4, 4, sorted + i * 4); });
  });
}

void particlesFloat4(Problem& p) {
  const std::size_t count = particleCount(p);
  float* positions = p.update(randomFloats(count * 4, 6), rounding);
  float* velocities = p.update(randomFloats(count * 4, 7), rounding);
  finishParticles(p, count, 64);
  p.host([=] {
    parallelFor(count, [=](std::size_t i) {
      float *position = positions + i * 4, *velocity = velocities + i * 4;
      for (const std::size_t axis : {0, 2, 3}) position[axis] += velocity[axis] * timeStep;
      bounce(position[1], velocity[1]);
    });
  });
}

void particlesArrays(Problem& p) {
  const std::size_t count = particleCount(p);
  float* x = p.update(randomFloats(count, 8), rounding);
  float* y = p.update(randomFloats(count, 9), rounding);
  float* z = p.update(randomFloats(count, 10), rounding);
  const float* vx = p.input(randomFloats(count, 11));
  float* vy = p.update(randomFloats(count, 12), rounding);
  const float* vz = p.input(randomFloats(count, 13));
  finishParticles(p, count, 40);
  p.host([=] {
    parallelFor(count, [=](std::size_t i) {
      float height = y[i], speed = vy[i];
      bounce(height, speed);
      x[i] += vx[i] * timeStep;
      y[i] = height;
      z[i] += vz[i] * timeStep;
      vy[i] = speed;
    });
  });
}

}  // namespace

std::vector<Case> physicsCases() {
  return {{"physics", "nbody_global", "", nbodyGlobal},
          {"physics", "nbody_tiled", "", nbodyTiled},
          {"physics", "lennard_jones", "", lennardJones},
          {"physics", "lattice_boltzmann", "", latticeBoltzmann},
          {"doubles", "heat_double", "", heatDouble, "cl_khr_fp64"},
          {"physics", "particles_struct", "", particlesStruct},
          {"physics", "photons_move", "", photonsMove},
          {"physics", "photons_sort", "", photonsSort},
          {"physics", "particles_float4", "", particlesFloat4},
          {"physics", "particles_arrays", "", particlesArrays}};
}

}  // namespace bench
