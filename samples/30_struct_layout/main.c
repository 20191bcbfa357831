// SPDX-License-Identifier: Apache-2.0
// This file compares the layout of structures on host and device and moves particles that are structures.
#include "sample.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The same structures as in particles.cl, with OpenCL's types for the host.
typedef struct {
  cl_float4 position;
  cl_float3 velocity;
  cl_float mass;
  cl_int id;
  cl_short kind;
} Particle;
typedef struct {
  cl_float4 position;
  cl_float4 velocity;
  cl_float mass;
  cl_int id;
  cl_short kind;
} __attribute__((aligned(32))) AlignedParticle;
typedef struct {
  cl_float3 gravity;
  cl_float duration;
  cl_char enabled;
} World;

typedef struct {
  const char* what;
  size_t onHost;
} Layout;
static const Layout layouts[] = {
    {"sizeof(Particle)", sizeof(Particle)},
    {"Particle.velocity", offsetof(Particle, velocity)},
    {"Particle.mass", offsetof(Particle, mass)},
    {"Particle.id", offsetof(Particle, id)},
    {"Particle.kind", offsetof(Particle, kind)},
    {"sizeof(AlignedParticle)", sizeof(AlignedParticle)},
    {"AlignedParticle.kind", offsetof(AlignedParticle, kind)},
    {"sizeof(World)", sizeof(World)},
    {"World.duration", offsetof(World, duration)},
    {"World.enabled", offsetof(World, enabled)},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static cl_mem createBuffer(cl_context context, size_t bytes) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  check(status, "clCreateBuffer");
  return buffer;
}

static void compareLayouts(Sample* sample, cl_context context, cl_command_queue queue, cl_program program) {
  cl_int status, onDevice[LAYOUTS];
  cl_kernel kernel = clCreateKernel(program, "layout", &status);
  check(status, "clCreateKernel");
  cl_mem buffers[] = {createBuffer(context, sizeof(Particle)), createBuffer(context, sizeof(AlignedParticle)),
                      createBuffer(context, sizeof(World)), createBuffer(context, sizeof onDevice)};
  for (cl_uint i = 0; i < 4; ++i) check(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
  const size_t one = 1;
  const double ms = launchTimed(sample, queue, kernel, 1, &one, NULL);
  check(clEnqueueReadBuffer(queue, buffers[3], CL_TRUE, 0, sizeof onDevice, onDevice, 0, NULL, NULL),
        "clEnqueueReadBuffer");
  int right = 1;
  for (int i = 0; i < LAYOUTS; ++i) {
    say(sample, "  %-24s host %3zu, device %3d\n", layouts[i].what, layouts[i].onHost, onDevice[i]);
    right &= (size_t)onDevice[i] == layouts[i].onHost;
  }
  sampleResult(sample, "layout", "3 structures", ms, 0, 0, right);
  for (int i = 0; i < 4; ++i) clReleaseMemObject(buffers[i]);
  clReleaseKernel(kernel);
}

static Particle particleNumber(size_t i) {
  Particle p;
  memset(&p, 0, sizeof p);
  uint32_t seed = (uint32_t)i;
  for (int k = 0; k < 3; ++k) {
    p.position.s[k] = (cl_float)wholeNumber(&seed, -1000, 1000);
    p.velocity.s[k] = (cl_float)wholeNumber(&seed, -100, 100);
  }
  p.mass = (cl_float)wholeNumber(&seed, 1, 10);
  p.id = (cl_int)(i % 100000);
  p.kind = (cl_short)(i % 3);
  return p;
}

static Particle moved(Particle p, const World* world) {
  if (world->enabled && p.kind == 1) {
    for (int k = 0; k < 3; ++k) {
      p.velocity.s[k] += world->gravity.s[k] * world->duration;
      p.position.s[k] += p.velocity.s[k] * world->duration;
    }
    p.position.s[3] = p.mass * (cl_float)p.id;
  }
  return p;
}

static int sameParticle(const Particle* a, const Particle* b) {
  for (int k = 0; k < 3; ++k)
    if (a->position.s[k] != b->position.s[k] || a->velocity.s[k] != b->velocity.s[k]) return 0;
  return a->position.s[3] == b->position.s[3] && a->mass == b->mass && a->id == b->id && a->kind == b->kind;
}

static void moveParticles(Sample* sample, cl_context context, cl_command_queue queue, cl_program program,
                          size_t count) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(program, "move", &status);
  check(status, "clCreateKernel");
  const size_t bytes = count * sizeof(Particle);
  Particle* particles = sampleAllocate(count, sizeof *particles);
  for (size_t i = 0; i < count; ++i) particles[i] = particleNumber(i);
  cl_mem buffer = createBuffer(context, bytes);
  World world;
  memset(&world, 0, sizeof world);
  world.gravity.s[1] = -10;
  world.duration = 0.5f;
  world.enabled = 1;
  check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, particles, 0, NULL, NULL), "clEnqueueWriteBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof world, &world), "clSetKernelArg");  // the whole structure, by value

  cl_event event;
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, &event), "clEnqueueNDRangeKernel");
  check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, particles, 0, NULL, NULL), "clEnqueueReadBuffer");
  clReleaseEvent(event);
  int right = 1;
  for (size_t i = 0; i < count && right; ++i) {
    const Particle should = moved(particleNumber(i), &world);
    if (!sameParticle(&particles[i], &should)) {
      say(sample, "  particle %zu (id %d, kind %d) is not where it should be\n", i, particles[i].id, particles[i].kind);
      right = 0;
    }
  }
  const double ms = launchTimed(sample, queue, kernel, 1, &count, NULL);
  sampleResult(sample, "move", countText(count), ms, 0, 2.0 * (double)bytes, right);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  free(particles);
}

int main(int argc, char** argv) {
  Sample sample;
  size_t count = 1 << 20;
  const SampleOption options[] = {{"--size", "particles", SAMPLE_COUNT, &count, 1, 1u << 26}};
  SAMPLE_BEGIN(&sample, argc, argv, "structures in buffers and by value, laid out alike on host and device", options);

  cl_int status;
  cl_device_id device = sampleDevice(&sample);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = buildProgram(&sample, context, device, "particles.cl", "");
  compareLayouts(&sample, context, queue, program);
  moveParticles(&sample, context, queue, program, count);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return sampleEnd(&sample);
}
