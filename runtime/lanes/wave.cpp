#include "lanes/launch.h"

#include "nki/language.h"

namespace nki {

namespace {

constexpr int kBlockAxis[3] = {int(Axis::block_x), int(Axis::block_y), int(Axis::block_z)};
constexpr int kThreadAxis[3] = {int(Axis::thread_x), int(Axis::thread_y), int(Axis::thread_z)};

} // namespace

Wave::Wave(const Launch &launch, std::array<uint32_t, 3> first_block, std::array<uint32_t, 3> box,
           uint32_t blocks_per_partition)
    : Wave(launch, first_block, box, blocks_per_partition,
           {{0, 0, 0}, {launch.blockDim.x, launch.blockDim.y, launch.blockDim.z}}) {}

Wave::Wave(const Launch &launch, std::array<uint32_t, 3> first_block, std::array<uint32_t, 3> box,
           uint32_t blocks_per_partition, const Threads &threads)
    : launch_(&launch) {
  const auto &extent = threads.extent;
  counts_ = {box[2], box[1], box[0], blocks_per_partition, extent[2], extent[1], extent[0]};
  partitions_ = counts_[0] * counts_[1] * counts_[2];
  free_ = counts_[3] * counts_[4] * counts_[5] * counts_[6];
  for (int dim = 0; dim < 3; ++dim) {
    first_[kThreadAxis[dim]] = threads.first[dim];
    last_[kThreadAxis[dim]] = int64_t(threads.first[dim]) + extent[dim] - 1;
    int64_t blocks = int64_t(box[dim]) * (dim == 0 ? blocks_per_partition : 1);
    first_[kBlockAxis[dim]] = first_block[dim];
    last_[kBlockAxis[dim]] = first_block[dim] + blocks - 1;
  }
  auto coordinate = [&](Axis axis) {
    std::array<int64_t, kAxes> coefficients{};
    coefficients[int(axis)] = 1;
    return Index(*this, 32, 0, coefficients);
  };
  threadIdx = {coordinate(Axis::thread_x), coordinate(Axis::thread_y), coordinate(Axis::thread_z)};
  blockIdx = {coordinate(Axis::block_x), coordinate(Axis::block_y), coordinate(Axis::block_z)};
}

std::array<int64_t, kWaveAxes> Wave::steps(Axis axis) const {
  switch (axis) {
  case Axis::block_z:
    return {1, 0, 0, 0, 0, 0, 0};
  case Axis::block_y:
    return {0, 1, 0, 0, 0, 0, 0};
  case Axis::block_x:
    return {0, 0, counts_[3], 1, 0, 0, 0};
  case Axis::thread_z:
    return {0, 0, 0, 0, 1, 0, 0};
  case Axis::thread_y:
    return {0, 0, 0, 0, 0, 1, 0};
  case Axis::thread_x:
    break;
  }
  return {0, 0, 0, 0, 0, 0, 1};
}

int64_t Wave::coordinate(Axis axis, int64_t lane) const {
  std::array<int64_t, kWaveAxes> step = steps(axis);
  int64_t value = first(axis);
  for (int dim = kWaveAxes - 1; dim >= 0; --dim) {
    value += lane % counts_[dim] * step[dim];
    lane /= counts_[dim];
  }
  return value;
}

Tensor Wave::tile(DType type) const { return nl::ndarray({partitions_, free_}, type); }

} // namespace nki
