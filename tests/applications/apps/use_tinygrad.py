# SPDX-License-Identifier: Apache-2.0
"""Runs operations of tinygrad beside NumPy and trains a small network: run by tinygrad.sh."""
import numpy as np
from tinygrad import Context, Device, Tensor, nn


def main():
    if Device.DEFAULT != "CL":
        raise SystemExit(f"wrong: the device is {Device.DEFAULT}")
    numbers = np.random.default_rng(2)
    a, b = (numbers.random((65, 65), dtype=np.float32) for _ in range(2))
    np.testing.assert_allclose((Tensor(a) @ Tensor(b)).numpy(), a @ b, rtol=1e-4)
    np.testing.assert_allclose(Tensor(a).exp().sum(axis=0).numpy(), np.exp(a).sum(axis=0), rtol=1e-5)
    np.testing.assert_allclose(Tensor(a).max(axis=1).numpy(), a.max(axis=1))

    Tensor.manual_seed(1)
    points = numbers.random((256, 2), dtype=np.float32) * 2 - 1
    labels = (points[:, 0] * points[:, 1] > 0).astype(np.int32)
    first, second = nn.Linear(2, 32), nn.Linear(32, 2)
    optimizer = nn.optim.Adam(nn.state.get_parameters([first, second]), lr=0.02)
    x, y = Tensor(points), Tensor(labels)
    losses = []
    with Context(TRAINING=1):
        for _ in range(60):
            optimizer.zero_grad()
            loss = second(first(x).relu()).sparse_categorical_crossentropy(y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    if not losses[-1] < losses[0] / 3:
        raise SystemExit(f"wrong: the loss goes from {losses[0]} to {losses[-1]}")
    print("all right")


if __name__ == "__main__":
    main()
