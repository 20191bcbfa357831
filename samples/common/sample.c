// SPDX-License-Identifier: Apache-2.0
// This file implements the command line and the reports of the samples.
#include "sample.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct SampleResult {
  char kernel[96];
  char size[48];
  double kernelMs, flops, bytes;
  int verified;
};

static const char* programName = "sample";

void sampleFail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fflush(stdout);
  fprintf(stderr, "%s: ", programName);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(SAMPLE_ERROR);
}

void say(const Sample* sample, const char* format, ...) {
  if (sample->json) return;
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

const char* countText(size_t count) {
  static char texts[8][32];
  static unsigned next;
  char* text = texts[next++ % 8];
  if (count >= 4096 && (count & (count - 1)) == 0)
    snprintf(text, sizeof texts[0], "2^%d", __builtin_ctzll(count));
  else
    snprintf(text, sizeof texts[0], "%zu", count);
  return text;
}

const char* shapeText(size_t width, size_t height) {
  static char texts[8][48];
  static unsigned next;
  char* text = texts[next++ % 8];
  snprintf(text, sizeof texts[0], "%zux%zu", width, height);
  return text;
}

static void printDefault(const SampleOption* option) {
  if (option->kind == SAMPLE_COUNT)
    printf(" [%s]", countText(*(const size_t*)option->value));
  else if (option->kind == SAMPLE_TEXT && *(const char* const*)option->value)
    printf(" [%s]", *(const char* const*)option->value);
}

static void printOption(const SampleOption* option) {
  static const char* const metavars[] = {" N", " TEXT", ""};
  char left[64];
  snprintf(left, sizeof left, "%s%s", option->name, metavars[option->kind]);
  printf("  %-22s %s", left, option->help);
  printDefault(option);
  putchar('\n');
}

static void printHelp(const char* name, const char* summary, const SampleOption* own, size_t ownCount,
                      const SampleOption* common, size_t commonCount) {
  printf("%s: %s\n\nusage: %s [options]\n\n", name, summary, name);
  for (size_t i = 0; i < ownCount; ++i) printOption(&own[i]);
  for (size_t i = 0; i < commonCount; ++i) printOption(&common[i]);
  printf("  %-22s %s\n", "--help", "print this text");
  printf(
      "\nNumbers may be written as 1000, 64K, 16M or 2^20.\n"
      "Exit status: 0 every result is right, 1 a result is wrong, 2 bad usage or an OpenCL error.\n");
}

// Accepts 1000, 64K, 16M, 1G and 2^20. Returns 0 when the text is no such number or does not fit.
static int parseCount(const char* text, size_t* count) {
  if (text[0] < '0' || text[0] > '9') return 0;
  char* end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno) return 0;
  unsigned shift = 0;
  if (*end == '^' && value == 2 && end[1] >= '0' && end[1] <= '9') {
    unsigned long long exponent = strtoull(end + 1, &end, 10);
    if (exponent > 62) return 0;
    value = 1ull << exponent;
  } else if (*end == 'K' || *end == 'M' || *end == 'G') {
    shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 30;
    ++end;
  }
  if (*end || value > (SIZE_MAX >> shift)) return 0;
  *count = (size_t)value << shift;
  return 1;
}

static void setOption(const SampleOption* option, const char* text) {
  if (option->kind == SAMPLE_TEXT) {
    *(const char**)option->value = text;
    return;
  }
  size_t count;
  if (!parseCount(text, &count)) sampleFail("%s: '%s' is not a number (write 1000, 64K or 2^20)", option->name, text);
  if (count < option->minimum || count > option->maximum)
    sampleFail("%s: %s is outside %s to %s", option->name, text, countText(option->minimum),
               countText(option->maximum));
  *(size_t*)option->value = count;
}

static const SampleOption* findOption(const char* name, size_t length, const SampleOption* options, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0) return &options[i];
  return NULL;
}

void sampleBegin(Sample* sample, int argc, char** argv, const char* name, const char* summary,
                 const SampleOption* options, size_t optionCount) {
  programName = name;
  *sample = (Sample){.name = name, .repeat = 5};
  const char* report = "text";
  const SampleOption common[] = {
      {"--platform", "use the first platform whose name contains TEXT", SAMPLE_TEXT, &sample->platformFilter, 0, 0},
      {"--device", "use device N of that platform", SAMPLE_COUNT, &sample->deviceIndex, 0, 1023},
      {"--repeat", "timed launches per kernel, of which the median is shown", SAMPLE_COUNT, &sample->repeat, 1, 1000},
      {"--report", "text, or json: one object per measured kernel", SAMPLE_TEXT, &report, 0, 0},
  };
  const size_t commonCount = sizeof common / sizeof common[0];
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      printHelp(name, summary, options, optionCount, common, commonCount);
      exit(SAMPLE_OK);
    }
    const char* equals = strchr(argv[i], '=');
    size_t length = equals ? (size_t)(equals - argv[i]) : strlen(argv[i]);
    const SampleOption* option = findOption(argv[i], length, options, optionCount);
    if (!option) option = findOption(argv[i], length, common, commonCount);
    if (!option) sampleFail("unknown option '%s' (see --help)", argv[i]);
    if (option->kind == SAMPLE_FLAG) {
      if (equals) sampleFail("%s takes no value", option->name);
      *(int*)option->value = 1;
      continue;
    }
    if (!equals && i + 1 == argc) sampleFail("%s needs a value (see --help)", option->name);
    setOption(option, equals ? equals + 1 : argv[++i]);
  }
  if (strcmp(report, "text") != 0 && strcmp(report, "json") != 0)
    sampleFail("--report: '%s' is neither text nor json", report);
  sample->json = strcmp(report, "json") == 0;
}

static void printRate(const SampleResult* result) {
  const double seconds = result->kernelMs * 1e-3;
  char rate[32] = "";
  if (seconds > 0 && result->flops > 0)
    snprintf(rate, sizeof rate, "%.2f GFLOP/s", result->flops / seconds * 1e-9);
  else if (seconds > 0 && result->bytes > 0)
    snprintf(rate, sizeof rate, "%.2f GB/s", result->bytes / seconds * 1e-9);
  char time[32] = "";
  if (result->kernelMs > 0) snprintf(time, sizeof time, "%.3f ms", result->kernelMs);
  printf("  %-24s %-14s %12s %18s   %s\n", result->kernel, result->size, time, rate,
         result->verified ? "verified" : "WRONG");
}

void sampleResult(Sample* sample, const char* kernel, const char* size, double kernelMs, double flops, double bytes,
                  int verified) {
  SampleResult* grown = realloc(sample->results, (sample->resultCount + 1) * sizeof *grown);
  if (!grown) sampleFail("out of memory");
  sample->results = grown;
  SampleResult* result = &grown[sample->resultCount++];
  snprintf(result->kernel, sizeof result->kernel, "%s", kernel);
  snprintf(result->size, sizeof result->size, "%s", size);
  result->kernelMs = kernelMs;
  result->flops = flops;
  result->bytes = bytes;
  result->verified = verified;
  if (!sample->json) printRate(result);
}

static void printJsonText(const char* text) {
  putchar('"');
  for (; *text; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < 0x20)
      printf("\\u%04x", c);
    else
      putchar(c);
  }
  putchar('"');
}

int sampleEnd(Sample* sample) {
  size_t wrong = 0;
  for (size_t i = 0; i < sample->resultCount; ++i) {
    const SampleResult* result = &sample->results[i];
    wrong += !result->verified;
    if (!sample->json) continue;
    printf("{\"sample\":");
    printJsonText(sample->name);
    printf(",\"case\":");
    printJsonText(result->kernel);
    printf(",\"size\":");
    printJsonText(result->size);
    printf(",\"kernel_ms\":%.6f,\"flops\":%.17g,\"bytes\":%.17g,\"verified\":%s}\n", result->kernelMs, result->flops,
           result->bytes, result->verified ? "true" : "false");
  }
  if (wrong) say(sample, "%zu of %zu results are WRONG\n", wrong, sample->resultCount);
  free(sample->results);
  sample->results = NULL;
  if (fflush(stdout) != 0) sampleFail("cannot write the report: %s", strerror(errno));
  return wrong ? SAMPLE_WRONG_RESULT : SAMPLE_OK;
}
