// SPDX-License-Identifier: Apache-2.0
// This file has kernels of physics: particles and flows.

// w: mass. The softening limits the force between near bodies, and makes that of a body on itself 0.
float3 pull_of(float4 other, float3 position, float softening) {
  float3 to = other.xyz - position;
  float inverse = rsqrt(dot(to, to) + softening);
  return other.w * inverse * inverse * inverse * to;
}

__kernel void nbody_global(__global const float4* bodies, __global float4* forces, int count, float softening) {
  int item = get_global_id(0);
  float3 position = bodies[item].xyz, force = 0.0f;
  for (int i = 0; i < count; ++i) force += pull_of(bodies[i], position, softening);
  forces[item] = (float4)(force, 0.0f);
}

__kernel void nbody_tiled(__global const float4* bodies, __global float4* forces, int count, float softening,
                          __local float4* tile) {
  int item = get_local_id(0), items = get_local_size(0);
  float3 position = bodies[get_global_id(0)].xyz, force = 0.0f;
  for (int start = 0; start < count; start += items) {
    tile[item] = bodies[start + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < items; ++i) force += pull_of(tile[i], position, softening);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  forces[get_global_id(0)] = (float4)(force, 0.0f);
}

__kernel void lennard_jones(__global const float4* atoms, __global float4* forces, int count, float cutoff) {
  int item = get_global_id(0);
  float4 own = atoms[item];
  float fx = 0.0f, fy = 0.0f, fz = 0.0f, energy = 0.0f;
  for (int i = 0; i < count; ++i) {
    if (i == item) continue;
    float dx = own.x - atoms[i].x, dy = own.y - atoms[i].y, dz = own.z - atoms[i].z;
    float square = dx * dx + dy * dy + dz * dz;
    if (square < cutoff * cutoff) {
      float inverse = 1.0f / square, inverse6 = inverse * inverse * inverse;
      float force = 24.0f * inverse * inverse6 * (2.0f * inverse6 - 1.0f);
      fx += force * dx;
      fy += force * dy;
      fz += force * dz;
      energy += 4.0f * inverse6 * (inverse6 - 1.0f);
    }
  }
  forces[item] = (float4)(fx, fy, fz, energy);
}

__constant int lattice_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant int lattice_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant float lattice_weights[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                                       1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

// D2Q9: each cell collects what flows to it, then relaxes; opposite edges touch.
__kernel void lattice_boltzmann(__global const float* in, __global float* out, int width, int height, float omega) {
  int x = get_global_id(0), y = get_global_id(1), cells = width * height;
  float f[9], density = 0.0f, ux = 0.0f, uy = 0.0f;
  for (int i = 0; i < 9; ++i) {
    int from_x = (x - lattice_x[i] + width) % width, from_y = (y - lattice_y[i] + height) % height;
    f[i] = in[i * cells + from_y * width + from_x];
    density += f[i];
    ux += f[i] * lattice_x[i];
    uy += f[i] * lattice_y[i];
  }
  ux /= density;
  uy /= density;
  float square = 1.5f * (ux * ux + uy * uy);
  for (int i = 0; i < 9; ++i) {
    float along = 3.0f * (ux * lattice_x[i] + uy * lattice_y[i]);
    float rest = lattice_weights[i] * density * (1.0f + along + 0.5f * along * along - square);
    out[i * cells + y * width + x] = f[i] + omega * (rest - f[i]);
  }
}

typedef struct {
  float x, y, z, vx, vy, vz, mass, charge;
} Particle;

__kernel void particles_struct(__global Particle* particles, float time, float gravity) {
  __global Particle* p = particles + get_global_id(0);
  p->vy -= gravity * time;
  p->x += p->vx * time;
  p->y += p->vy * time;
  p->z += p->vz * time;
  if (p->y < 0.0f) {
    p->y = -p->y;
    p->vy = -0.8f * p->vy;
  }
}

// Numbers of two types side by side.
typedef struct {
  float x, y, z;
  int hits;
} Photon;

__kernel void photons_move(__global Photon* photons, __global const float* steps) {
  __global Photon* p = photons + get_global_id(0);
  float step = steps[get_global_id(0)];
  p->x += step;
  p->y -= step;
  p->z += 0.5f;
  p->hits += p->x > 1.0f;
}

__kernel void photons_sort(__global const Photon* photons, __global const int* order, __global Photon* sorted) {
  int i = get_global_id(0);
  sorted[i] = photons[order[i]];
}

__kernel void particles_float4(__global float4* positions, __global float4* velocities, float time, float gravity) {
  int i = get_global_id(0);
  float4 position = positions[i], velocity = velocities[i];
  velocity.y -= gravity * time;
  position += velocity * time;
  if (position.y < 0.0f) {
    position.y = -position.y;
    velocity.y *= -0.8f;
  }
  positions[i] = position;
  velocities[i] = velocity;
}

__kernel void particles_arrays(__global float* x, __global float* y, __global float* z, __global const float* vx,
                               __global float* vy, __global const float* vz, float time, float gravity) {
  int i = get_global_id(0);
  float speed = vy[i] - gravity * time;
  float height = y[i] + speed * time;
  if (height < 0.0f) {
    height = -height;
    speed *= -0.8f;
  }
  x[i] += vx[i] * time;
  y[i] = height;
  z[i] += vz[i] * time;
  vy[i] = speed;
}
