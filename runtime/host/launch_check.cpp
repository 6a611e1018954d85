#include "host/launch_check.h"

namespace neuronify {

namespace {

std::string print(dim3 d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

bool within(dim3 d, const unsigned (&limits)[3]) {
  return d.x >= 1 && d.y >= 1 && d.z >= 1 && d.x <= limits[0] && d.y <= limits[1] &&
         d.z <= limits[2];
}

} // namespace

Error_t check_launch(dim3 grid, dim3 block, const SharedMemory &shared, std::string &reason) {
  if (!within(grid, kMaxGrid)) {
    reason = "invalid configuration: grid " + print(grid) +
             " is not within (1, 1, 1) to (2147483647, 65535, 65535)";
    return ErrorInvalidConfiguration;
  }
  if (!within(block, kMaxBlock)) {
    reason = "invalid configuration: block " + print(block) +
             " is not within (1, 1, 1) to (1024, 1024, 64)";
    return ErrorInvalidConfiguration;
  }
  if (size_t(block.x) * block.y * block.z > kMaxThreads) {
    reason = "invalid configuration: block " + print(block) + " has more than 1024 threads";
    return ErrorInvalidConfiguration;
  }
  // Opting in raises the limit of the dynamic part; static arrays count against what is left.
  size_t limit = shared.opt_in > 0 ? shared.opt_in + shared.static_bytes : kMaxShared;
  if (limit < kMaxShared)
    limit = kMaxShared;
  if (shared.dynamic > limit || shared.static_bytes > limit - shared.dynamic) {
    reason = "invalid configuration: " + std::to_string(shared.dynamic) +
             " bytes of dynamic shared memory and " + std::to_string(shared.static_bytes) +
             " of static exceed the limit of " + std::to_string(limit) + " bytes per block";
    return ErrorInvalidValue;
  }
  return Success;
}

} // namespace neuronify
