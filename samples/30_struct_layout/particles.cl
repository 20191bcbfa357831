// SPDX-License-Identifier: Apache-2.0
// This file returns the layout of structures on the device, and moves particles.
typedef struct {
  float4 position;
  float3 velocity; // as large as a float4
  float mass;
  int id;
  short kind;
} Particle;

typedef struct {
  float4 position;
  float4 velocity;
  float mass;
  int id;
  short kind;
} __attribute__((aligned(32))) AlignedParticle;

typedef struct {
  float3 gravity;
  float duration;
  char enabled;
} World;

#define OFFSET(pointer, member) ((int)((__global char *)&(pointer)->member - (__global char *)(pointer)))

__kernel void layout(__global Particle *p, __global AlignedParticle *a, __global World *w, __global int *out) {
  out[0] = sizeof(Particle);
  out[1] = OFFSET(p, velocity);
  out[2] = OFFSET(p, mass);
  out[3] = OFFSET(p, id);
  out[4] = OFFSET(p, kind);
  out[5] = sizeof(AlignedParticle);
  out[6] = OFFSET(a, kind);
  out[7] = sizeof(World);
  out[8] = OFFSET(w, duration);
  out[9] = OFFSET(w, enabled);
}

__kernel void move(__global Particle *particles, World world) {
  size_t i = get_global_id(0);
  Particle p = particles[i];
  if (world.enabled && p.kind == 1) {
    p.velocity += world.gravity * world.duration;
    p.position.xyz += p.velocity * world.duration;
    p.position.w = p.mass * (float)p.id;
  }
  particles[i] = p;
}
