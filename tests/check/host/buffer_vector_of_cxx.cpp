// SPDX-License-Identifier: Apache-2.0
// A vector of C++ holds structures with another layout, written through a class.
// kind: argument-kind
#include "host.h"

#include <vector>
struct Particle {
#ifdef RIGHT
  cl_float4 position;
#else
  float x, y, z;
#endif
  int id;
#ifdef RIGHT
  int unused[3];
#endif
};
class Simulation {
public:
  explicit Simulation(const Host& its) : host_(its), particles_(32), memory_(makeBuffer(&host_, 32 * 32)) {
    fillBuffer(&host_, memory_, 32 * 32);
  }
  void upload() {
    check(clEnqueueWriteBuffer(host_.queue, memory_, CL_TRUE, 0,  // also
                               particles_.size() * sizeof(Particle), particles_.data(), 0, nullptr, nullptr));
  }
  void run(Built b) {
    check(clSetKernelArg(b.kernel, 0, sizeof memory_, &memory_));  // wrong
    launch1(&host_, b, 32);
  }
  void end() { check(clReleaseMemObject(memory_)); }

private:
  const Host& host_;
  std::vector<Particle> particles_;
  cl_mem memory_;
};
extern "C" int program(void) {
  Host host = openHost();
  Built b = makeBuilt(&host,
      SOURCE_LINE "typedef struct { float4 position; int id; } Particle;\n"
      SOURCE_LINE "kernel void number(global Particle* p) { p[get_global_id(0)].id = get_global_id(0); }\n",
      "number", "");
  Simulation simulation(host);
  simulation.upload();
  simulation.run(b);
  simulation.end();
  releaseBuilt(b);
  closeHost(&host);
  return 0;
}
