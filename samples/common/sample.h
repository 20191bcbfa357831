// SPDX-License-Identifier: Apache-2.0
// This file declares what all samples share: the command line, the choice of a device, reading files, checking
// status codes, timing and reporting. It hides no step of OpenCL that a sample demonstrates.
#ifndef SAMPLES_COMMON_SAMPLE_H
#define SAMPLES_COMMON_SAMPLE_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SAMPLE_OK = 0, SAMPLE_WRONG_RESULT = 1, SAMPLE_ERROR = 2 };

// One option of a sample's command line. `value` holds the default before sampleBegin and the user's choice after it.
typedef enum { SAMPLE_COUNT, SAMPLE_TEXT, SAMPLE_FLAG } SampleOptionKind;
typedef struct {
  const char* name;       // with its dashes: "--size"
  const char* help;       // one line, no full stop
  SampleOptionKind kind;  // of *value: size_t, const char *, int
  void* value;
  size_t minimum, maximum;  // limits of a SAMPLE_COUNT, both allowed
} SampleOption;

typedef struct SampleResult SampleResult;

// The state of a running sample; fill it with sampleBegin.
typedef struct {
  const char* name;
  const char* platformFilter;  // part of a platform's name, or NULL for the first platform
  size_t deviceIndex;          // counted within that platform
  size_t repeat;               // timed launches per kernel
  int json;                    // --report json: say() is silent, results are printed by sampleEnd
  SampleResult* results;
  size_t resultCount;
} Sample;

// Reads the command line. Prints help and exits with 0 on --help; prints a message and exits with 2 on errors.
// SAMPLE_NAME comes from the build system.
void sampleBegin(Sample* sample, int argc, char** argv, const char* name, const char* summary,
                 const SampleOption* options, size_t optionCount);
#define SAMPLE_BEGIN(sample, argc, argv, summary, options) \
  sampleBegin(sample, argc, argv, SAMPLE_NAME, summary, options, sizeof(options) / sizeof((options)[0]))

// Prints the results (JSON) or one closing line (human) and returns the exit status.
int sampleEnd(Sample* sample);

// Prints for the human reader; silent under --report json.
void say(const Sample* sample, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Ends the program with exit status 2 and "<sample>: <message>".
void sampleFail(const char* format, ...) __attribute__((format(printf, 1, 2), noreturn));

// Ends the program with exit status 2 and the name of the error when `status` is not CL_SUCCESS.
void check(cl_int status, const char* call);
const char* errorName(cl_int status);

// The device that --platform and --device name. Prints its name.
cl_device_id sampleDevice(const Sample* sample);
cl_platform_id samplePlatformOf(cl_device_id device);
int deviceHasDouble(cl_device_id device);
// True when the device's version is at least major.minor, e.g. 2.0.
int deviceVersionAtLeast(cl_device_id device, int major, int minor);

// The largest power of two that is at most `wanted`, the limit of every given kernel and that of dimension 0.
size_t workGroupSizeFor(cl_device_id device, const cl_kernel* kernels, size_t kernelCount, size_t wanted);

// A file of the sample, beside the program: files/<sample>/.
// The caller frees what these return.
char* samplePath(const Sample* sample, const char* file);
char* readFile(const char* path, size_t* size);

// clCreateProgramWithSource and clBuildProgram of one of the sample's files; prints the build log and ends with
// exit status 2 when it does not build.
cl_program buildProgram(const Sample* sample, cl_context context, cl_device_id device, const char* file,
                        const char* options);
// The build log, to be freed by the caller. Never NULL.
char* buildLog(cl_program program, cl_device_id device);

// Milliseconds between two times of a finished command; its queue must have CL_QUEUE_PROFILING_ENABLE.
double eventMs(cl_event event);
// clEnqueueNDRangeKernel, once to warm up and then up to sample->repeat times, each waited for; gives the median of
// their event times. Long kernels are launched fewer times. `local` may be NULL.
double launchTimed(const Sample* sample, cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                   const size_t* global, const size_t* local);
double median(double* values, size_t count);  // sorts the values
double wallMs(void);                          // a monotonic clock

// One measured kernel. `flops` and `bytes` are per launch, 0 where they are not meaningful.
void sampleResult(Sample* sample, const char* kernel, const char* size, double kernelMs, double flops, double bytes,
                  int verified);
// "2^24" or "1000" ; "1024x512". The text lives in a ring of eight buffers: use it soon.
const char* countText(size_t count);
const char* shapeText(size_t width, size_t height);

// malloc that ends the program with exit status 2 instead of returning NULL.
void* sampleAllocate(size_t count, size_t elementSize);

// Integers, the same in every run. They have few bits, so that sums and products are exact in float and double in any
// order, and a result must equal the serial one.
int wholeNumber(uint32_t* seed, int lowest, int highest);
void fillWholeFloats(float* data, size_t count, uint32_t seed, int lowest, int highest);
void fillWholeInts(cl_int* data, size_t count, uint32_t seed, int lowest, int highest);

size_t roundUp(size_t value, size_t multiple);

#ifdef __cplusplus
}
#endif
#endif
