#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a small network for Leela Zero (format 1) with random weights, always the same, to standard output.

It plays no good moves, but its policy has peaks, so that a wrong result of any layer moves them.
"""
import random

CHANNELS, BLOCKS = 32, 2
POINTS = 19 * 19


def main():
    random.seed(3)

    def line(count, scale, middle=0.0):
        print(" ".join(f"{middle + random.uniform(-scale, scale):.5f}" for _ in range(count)))

    def convolution(inputs, outputs, size):
        """Weights, biases, and the means and variances of the batch normalisation."""
        line(inputs * outputs * size, (3 / (inputs * size)) ** 0.5)
        line(outputs, 0.1)
        line(outputs, 0.1)
        line(outputs, 0.2, 1.0)

    print(1)
    convolution(18, CHANNELS, 9)
    for _ in range(2 * BLOCKS):
        convolution(CHANNELS, CHANNELS, 9)
    convolution(CHANNELS, 2, 1)  # policy
    line(2 * POINTS * (POINTS + 1), 8 * (3 / (2 * POINTS)) ** 0.5)
    line(POINTS + 1, 0.1)
    convolution(CHANNELS, 1, 1)  # value
    line(POINTS * 256, (3 / POINTS) ** 0.5)
    line(256, 0.1)
    line(256, 0.1)
    line(1, 0.1)


if __name__ == "__main__":
    main()
