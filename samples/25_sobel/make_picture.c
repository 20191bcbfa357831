// SPDX-License-Identifier: Apache-2.0
// This file computes landscape.png, a picture with the shading, texture and noise of a photograph, the same in every
// run. usage: sample_picture_generator landscape.png
#include "picture.h"
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double r, g, b;
} Colour;

static Colour mix(Colour a, Colour b, double t) {
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const Colour c = {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
  return c;
}

static Colour scaled(Colour a, double factor) {
  const Colour c = {a.r * factor, a.g * factor, a.b * factor};
  return c;
}

// A number from 0 to 1 that belongs to a point of the grid.
static double lattice(int x, int y, uint32_t seed) {
  uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u + seed * 2246822519u;
  h = (h ^ (h >> 13)) * 1274126177u;
  h ^= h >> 16;
  return (double)(h & 0xffffff) / 16777215.0;
}

static double smooth(double t) { return t * t * (3 - 2 * t); }

static double noise(double x, double y, uint32_t seed) {
  const int ix = (int)floor(x), iy = (int)floor(y);
  const double fx = smooth(x - ix), fy = smooth(y - iy);
  const double top = lattice(ix, iy, seed) * (1 - fx) + lattice(ix + 1, iy, seed) * fx;
  const double bottom = lattice(ix, iy + 1, seed) * (1 - fx) + lattice(ix + 1, iy + 1, seed) * fx;
  return top * (1 - fy) + bottom * fy;
}

// Noise of several sizes on top of each other, from 0 to 1.
static double texture(double x, double y, int octaves, uint32_t seed) {
  double sum = 0, weight = 0.5, total = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += weight * noise(x, y, seed + (uint32_t)i);
    total += weight;
    x = 2 * x + 17.3;
    y = 2 * y + 9.1;
    weight *= 0.5;
  }
  return sum / total;
}

// Coordinates: x from 0 to 4/3 to the right, y from 0 (top) to 1.
static Colour sky(double x, double y) {
  const Colour zenith = {0.20, 0.38, 0.68}, horizon = {0.93, 0.80, 0.66}, cloud = {0.98, 0.95, 0.92};
  Colour c = mix(zenith, horizon, pow(y / 0.5, 1.4));
  const double cover = texture(x * 3.0, y * 9.0, 6, 11) - 0.42 - 0.25 * (0.25 - y) * (0.25 - y);
  c = mix(c, cloud, smooth(fmin(1, fmax(0, cover * 4))) * 0.85);
  const double dx = x - 0.95, dy = y - 0.30, glow = exp(-(dx * dx + dy * dy) * 30);
  const Colour sun = {1.0, 0.93, 0.75};
  c = mix(c, sun, glow * 0.8);
  return sqrt(dx * dx + dy * dy) < 0.035 ? mix(c, (Colour){1, 0.98, 0.9}, 0.95) : c;
}

// Height of a range of mountains, as the y of its upper edge.
static double ridge(double x, double base, double height, double frequency, uint32_t seed) {
  const double n = texture(x * frequency, 0.5, 6, seed);
  return base - height * (0.35 * n + 0.65 * (1 - fabs(2 * texture(x * frequency * 0.7, 3.5, 5, seed + 50) - 1)));
}

// Light from the right: the slope of a rough surface says how bright it is.
static double shade(double x, double y, double size, uint32_t seed) {
  const double step = 0.004;
  return 0.75 + 2.2 * (texture(x * size, y * size * 1.4, 6, seed) -
                       texture((x + step) * size, (y - step) * size * 1.4, 6, seed));
}

static Colour mountains(double x, double y, Colour behind) {
  const Colour haze = {0.76, 0.74, 0.76};
  const Colour rock[3] = {{0.52, 0.53, 0.62}, {0.36, 0.39, 0.44}, {0.20, 0.27, 0.22}};
  const double base[3] = {0.52, 0.58, 0.63}, height[3] = {0.30, 0.19, 0.09}, frequency[3] = {2.2, 3.1, 6.0};
  Colour c = behind;
  for (int i = 0; i < 3; ++i) {
    const double top = ridge(x, base[i], height[i], frequency[i], (uint32_t)(100 + 20 * i));
    if (y < top) continue;
    const double light = shade(x, y, 9.0 + 9 * i, (uint32_t)(300 + 20 * i));
    Colour surface = scaled(rock[i], light);
    if (i == 0 && y - top < 0.06 + 0.05 * texture(x * 14, y * 14, 4, 77))  // snow on the highest ones
      surface = mix(surface, (Colour){0.95, 0.95, 0.98}, 0.75 * fmin(1.15, fmax(0.2, light)));
    c = mix(surface, haze, (2 - i) * 0.25 + 0.5 * fmax(0, y - top) * (i < 2));
  }
  return c;
}

static Colour land(double x, double y) { return mountains(x, y, sky(x, y)); }

static const double shoreY = 0.64, meadowY = 0.84;

static Colour lake(double x, double y) {
  const double depth = (y - shoreY) / (meadowY - shoreY);
  const double ripple = (texture(x * 9, y * 90 / (0.3 + depth), 4, 500) - 0.5) * 0.05 * (0.2 + depth);
  const double mirrored = 2 * shoreY - y - 0.3 * (y - shoreY) + ripple;
  const Colour c = land(x + ripple * 0.6, fmax(0.02, fmin(shoreY, mirrored)));
  const double glitter = texture(x * 40, y * 260, 3, 520) > 0.66 ? 0.10 : 0;
  return mix(scaled(c, 0.80 + glitter), (Colour){0.10, 0.20, 0.26}, 0.18 + 0.25 * depth);
}

static Colour meadow(double x, double y) {
  const double near = (y - meadowY) / (1 - meadowY);
  const double blades = texture(x * (170 - 70 * near), y * (45 - 15 * near), 4, 600);
  const double patches = texture(x * 7, y * 16, 5, 620);
  Colour c = mix((Colour){0.16, 0.24, 0.07}, (Colour){0.52, 0.53, 0.20}, 0.55 * blades + 0.65 * patches - 0.15);
  const double flower = lattice((int)(x * 190), (int)(y * 190), 640);
  if (flower > 0.985 - 0.01 * near)
    c = mix(c, flower > 0.993 ? (Colour){0.95, 0.90, 0.55} : (Colour){0.85, 0.35, 0.35}, 0.8);
  return scaled(c, 0.75 + 0.35 * near);
}

// A tree: a trunk and a ragged crown. Gives how much of the pixel it covers and its colour.
static double tree(double x, double y, double footX, double footY, double size, uint32_t seed, Colour* colour) {
  const double u = (x - footX) / size, v = (footY - y) / size;
  if (v < 0 || v > 1.1 || fabs(u) > 0.6) return 0;
  const double rag = texture(x * 60, y * 60, 4, seed) - 0.5;
  const double crown = 0.36 * sqrt(fmax(0, 1 - pow((v - 0.65) / 0.42, 2))) + 0.16 * rag;
  if (fabs(u) < crown && v > 0.22) {
    const double light = 0.55 + 0.5 * u / 0.4 + 0.9 * (texture(x * 90, y * 90, 3, seed + 9) - 0.4);
    *colour = scaled((Colour){0.20, 0.30, 0.10}, fmax(0.25, light));
    return 1;
  }
  if (fabs(u) < 0.035 + 0.02 * (1 - v) && v < 0.5) {
    *colour = scaled((Colour){0.26, 0.19, 0.13}, 0.6 + 4 * u);
    return 1;
  }
  return 0;
}

static Colour scene(double x, double y) {
  const double shore = shoreY + 0.012 * (texture(x * 5, 1.5, 4, 700) - 0.5);
  const double edge = meadowY + 0.05 * (texture(x * 4, 2.5, 5, 710) - 0.5);
  Colour c = y < shore ? land(x, y) : y < edge ? lake(x, y) : meadow(x, y);
  Colour leaf;
  static const double feet[][3] = {{0.16, 0.90, 0.52}, {0.34, 0.87, 0.30}, {1.22, 0.93, 0.40}};
  for (uint32_t i = 0; i < 3; ++i)
    if (tree(x, y, feet[i][0], feet[i][1], feet[i][2], 800 + 30 * i, &leaf) > 0) c = leaf;
  return c;
}

static uint8_t toByte(double value, double grain) {
  const double curved = pow(fmin(1, fmax(0, value)), 0.92) * 255 + grain;
  return (uint8_t)(curved < 0 ? 0 : curved > 255 ? 255 : curved + 0.5);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FILE.png\n", argv[0]);
    return SAMPLE_ERROR;
  }
  enum { WIDTH = 480, HEIGHT = 360, SAMPLES = 3 };
  Picture picture = {WIDTH, HEIGHT, 3, sampleAllocate((size_t)WIDTH * HEIGHT, 3)};
  for (int row = 0; row < HEIGHT; ++row)
    for (int column = 0; column < WIDTH; ++column) {
      Colour sum = {0, 0, 0};
      for (int i = 0; i < SAMPLES * SAMPLES; ++i) {  // several points per pixel soften the edges as a lens does
        const Colour c =
            scene((column + (i % SAMPLES + 0.5) / SAMPLES) / HEIGHT, (row + (i / SAMPLES + 0.5) / SAMPLES) / HEIGHT);
        sum = (Colour){sum.r + c.r, sum.g + c.g, sum.b + c.b};
      }
      const double dx = (double)column / WIDTH - 0.5, dy = (double)row / HEIGHT - 0.5;
      sum = scaled(sum, (1 - 0.45 * (dx * dx + dy * dy)) / (SAMPLES * SAMPLES));  // darker corners
      const double grain = (lattice(column, row, 900) + lattice(column, row, 901) - 1) * 5;
      uint8_t* pixel = picture.pixels + 3 * ((size_t)row * WIDTH + (size_t)column);
      pixel[0] = toByte(sum.r, grain);
      pixel[1] = toByte(sum.g, grain);
      pixel[2] = toByte(sum.b, grain);
    }
  writePng(argv[1], &picture);
  free(picture.pixels);
  return SAMPLE_OK;
}
