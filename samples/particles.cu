// Particles in a box, stored as a structure of arrays: gravity, walls that bounce, drag above a
// speed, and particles that fall asleep. The branches differ from thread to thread.
// usage: particles [particles [steps]]
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                           \
  do {                                                                                             \
    cudaError_t status = (call);                                                                   \
    if (status != cudaSuccess) {                                                                   \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                   cudaGetErrorString(status));                                                    \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

struct Particles {
  float *x, *y;   // position in the unit square
  float *vx, *vy; // velocity
  uint8_t *asleep;
  int count;
};

struct World {
  float gravity, bounce, drag, time_step, sleep_speed;
};

// Keeps a coordinate in [0, 1]; a wall turns the velocity around and takes some of it.
__host__ __device__ inline bool reflect(float &position, float &velocity, float bounce) {
  if (position < 0.0f) {
    position = -position;
    velocity = -velocity * bounce;
    return true;
  }
  if (position > 1.0f) {
    position = 2.0f - position;
    velocity = -velocity * bounce;
    return true;
  }
  return false;
}

__host__ __device__ inline void update(const Particles &p, const World &world, int i) {
  if (p.asleep[i])
    return;
  float x = p.x[i], y = p.y[i], vx = p.vx[i], vy = p.vy[i];
  vy -= world.gravity * world.time_step;
  const float speed = sqrtf(vx * vx + vy * vy);
  if (speed > 1.0f) {
    const float factor = 1.0f - world.drag * (speed - 1.0f);
    vx *= factor;
    vy *= factor;
  }
  x += vx * world.time_step;
  y += vy * world.time_step;
  const bool side = reflect(x, vx, world.bounce);
  const bool floor_or_ceiling = reflect(y, vy, world.bounce);
  if ((side || floor_or_ceiling) && fabsf(vx) + fabsf(vy) < world.sleep_speed) {
    vx = vy = 0.0f;
    p.asleep[i] = 1;
  }
  p.x[i] = x;
  p.y[i] = y;
  p.vx[i] = vx;
  p.vy[i] = vy;
}

__global__ void update_particles(Particles particles, World world) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < particles.count)
    update(particles, world, i);
}

template <typename T> T *upload(const std::vector<T> &host) {
  T *device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <typename T> std::vector<T> download(const T *device, size_t count) {
  std::vector<T> host(count);
  CUDA_CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 10007;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 6;
  if (count < 1 || steps < 0) {
    std::fprintf(stderr, "usage: %s [particles [steps]]\n", argv[0]);
    return 2;
  }
  std::vector<float> x(count), y(count), vx(count), vy(count);
  std::vector<uint8_t> asleep(count);
  for (int i = 0; i < count; ++i) {
    x[i] = float((i * 61) % 1021) / 1021.0f;
    y[i] = float((i * 37) % 509) / 509.0f;
    vx[i] = float((i * 13) % 257) / 64.0f - 2.0f;
    vy[i] = float((i * 29) % 251) / 64.0f - 2.0f;
    asleep[i] = i % 11 == 0;
  }
  const World world{9.81f, 0.5f, 0.3f, 0.05f, 0.75f};
  Particles d{upload(x), upload(y), upload(vx), upload(vy), upload(asleep), count};
  const int threads = 160, blocks = (count + threads - 1) / threads;
  for (int step = 0; step < steps; ++step) {
    update_particles<<<blocks, threads>>>(d, world);
    CUDA_CHECK(cudaGetLastError());
  }
  const std::vector<float> out_x = download(d.x, count), out_y = download(d.y, count);
  const std::vector<float> out_vx = download(d.vx, count), out_vy = download(d.vy, count);
  const std::vector<uint8_t> out_asleep = download(d.asleep, count);
  CUDA_CHECK(cudaFree(d.x));
  CUDA_CHECK(cudaFree(d.y));
  CUDA_CHECK(cudaFree(d.vx));
  CUDA_CHECK(cudaFree(d.vy));
  CUDA_CHECK(cudaFree(d.asleep));

  const Particles host{x.data(), y.data(), vx.data(), vy.data(), asleep.data(), count};
  for (int step = 0; step < steps; ++step)
    for (int i = 0; i < count; ++i)
      update(host, world, i);

  // Rounding may let a particle meet a wall or fall asleep one step later: allow a few of those.
  double error = 0;
  int outliers = 0, sleeping = 0;
  for (int i = 0; i < count; ++i) {
    const double difference =
        std::max(std::max(std::fabs(out_x[i] - x[i]), std::fabs(out_y[i] - y[i])),
                 std::max(std::fabs(out_vx[i] - vx[i]), std::fabs(out_vy[i] - vy[i])));
    sleeping += out_asleep[i];
    if (difference > 1e-3 || out_asleep[i] != asleep[i])
      ++outliers;
    else
      error = std::max(error, difference);
  }
  const bool ok = error < 1e-4 && outliers <= count / 1000 + 1;
  std::printf("particles: %d, %d steps, %d asleep, %d outliers\n", count, steps, sleeping,
              outliers);
  std::printf("%s: largest error %.3g\n", ok ? "PASS" : "FAIL", error);
  return ok ? 0 : 1;
}
