// SPDX-License-Identifier: Apache-2.0
// This file tests what a process can do that was forked when its parent had used a GPU: its calls return, and fail with
// a sentence.
#include "cuda_stub.h"

#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace clarity::test {
namespace {

using CudaForks = CudaStub;

/// The result of a check in the child.
enum Answer : int { AllAsExpected, WriteHasSucceeded, NoSentence, FinishFailed, ContextWasCreated };

TEST_F(CudaForks, theChildsCommandsFail) {
  const cl_mem memory = bufferOf(std::vector<cl_int>{1, 2, 3});
  EXPECT_EQ(read<cl_int>(memory, 3)[2], 3);
  const pid_t process = fork();
  ASSERT_NE(process, -1);
  if (process == 0) {
    alarm(120);
    const cl_int value = 4;
    if (clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr) == CL_SUCCESS)
      _exit(WriteHasSucceeded);
    if (!wasNotified("was forked")) _exit(NoSentence);
    if (clFinish(queue) != CL_SUCCESS) _exit(FinishFailed);
    cl_int error = CL_SUCCESS;
    if (clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error) || error != CL_OUT_OF_RESOURCES)
      _exit(ContextWasCreated);
    _exit(AllAsExpected);
  }
  int status = -1;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), AllAsExpected);
  EXPECT_EQ(read<cl_int>(memory, 3)[0], 1);  // the parent goes on
}

}  // namespace
}  // namespace clarity::test
