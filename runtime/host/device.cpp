#include "host/device.h"

#include "host/launch_check.h"
#include "host/runtime.h"

#include <cstdio>
#include <cstring>

namespace neuronify {

namespace {

constexpr int kVersion = 12040; // the CUDA version whose API this is

Error_t with_device(int device, auto &&body) {
  return api([&](Runtime &runtime) { return device == 0 ? body(runtime) : ErrorInvalidDevice; });
}

Error_t nothing() {
  return api([](Runtime &) { return Success; });
}

/// Sizes and rates are the chip's; limits of blocks and shared memory are CUDA's, because ported
/// kernels keep their blocks.
DeviceProp properties_of(const nki::chip::Generation &generation) {
  DeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "AWS Trainium (%s, chip model)",
                std::string(generation.name).c_str());
  std::memcpy(p.uuid, "neuronify-model0", sizeof p.uuid);
  p.totalGlobalMem = size_t(generation.hbm_bytes);
  p.sharedMemPerBlock = kMaxShared;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = kMaxThreads;
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = int(kMaxBlock[i]);
    p.maxGridSize[i] = int(kMaxGrid[i]);
  }
  p.clockRate = int(generation.vector_hz / 1e3);
  p.totalConstMem = 65536;
  p.major = 8; // what the translator compiles device code for: sm_80
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.deviceOverlap = 1;
  p.multiProcessorCount = multiprocessors(generation);
  p.canMapHostMemory = 1;
  p.cooperativeLaunch = 1;
  p.concurrentKernels = 1;
  p.ECCEnabled = 1;
  p.asyncEngineCount = 2;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 8192;
  p.memoryClockRate = int(generation.hbm_bytes_per_second / 2 / (8192 / 8) / 1e3);
  p.l2CacheSize = int(generation.sbuf_partition_bytes * nki::chip::kPartitions);
  p.maxThreadsPerMultiProcessor = 2048;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = 228 << 10;
  p.managedMemory = 1;
  p.singleToDoublePrecisionPerfRatio = 64;
  p.concurrentManagedAccess = 1;
  p.sharedMemPerBlockOptin = kMaxSharedOptIn;
  p.maxBlocksPerMultiProcessor = 32;
  p.reservedSharedMemPerBlock = 1024;
  return p;
}

} // namespace

int multiprocessors(const nki::chip::Generation &generation) {
  (void)generation;
  return nki::chip::kPartitions;
}

Error_t getDeviceCount(int *count) {
  return api([&](Runtime &) {
    if (!count)
      return ErrorInvalidValue;
    *count = 1;
    return Success;
  });
}

Error_t getDevice(int *device) {
  return api([&](Runtime &) {
    if (!device)
      return ErrorInvalidValue;
    *device = 0;
    return Success;
  });
}

Error_t setDevice(int device) {
  return with_device(device, [](Runtime &) { return Success; });
}
Error_t setDeviceFlags(unsigned) { return nothing(); }

Error_t getDeviceFlags(unsigned *flags) {
  return api([&](Runtime &) {
    if (!flags)
      return ErrorInvalidValue;
    *flags = DeviceMapHost;
    return Success;
  });
}

Error_t chooseDevice(int *device, const DeviceProp *properties) {
  return properties ? getDevice(device) : api([](Runtime &) { return ErrorInvalidValue; });
}

Error_t getDeviceProperties(DeviceProp *properties, int device) {
  return with_device(device, [&](Runtime &runtime) {
    if (!properties)
      return ErrorInvalidValue;
    *properties = properties_of(runtime.generation);
    return Success;
  });
}

Error_t deviceGetAttribute(int *value, DeviceAttr attribute, int device) {
  return with_device(device, [&](Runtime &runtime) {
    if (!value)
      return ErrorInvalidValue;
    DeviceProp p = properties_of(runtime.generation);
    switch (attribute) {
#define NEURONIFY_ATTRIBUTE(name, field)                                                           \
  case DevAttr##name:                                                                              \
    *value = int(p.field);                                                                         \
    return Success;
      NEURONIFY_ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock)
      NEURONIFY_ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0])
      NEURONIFY_ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1])
      NEURONIFY_ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2])
      NEURONIFY_ATTRIBUTE(MaxGridDimX, maxGridSize[0])
      NEURONIFY_ATTRIBUTE(MaxGridDimY, maxGridSize[1])
      NEURONIFY_ATTRIBUTE(MaxGridDimZ, maxGridSize[2])
      NEURONIFY_ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock)
      NEURONIFY_ATTRIBUTE(TotalConstantMemory, totalConstMem)
      NEURONIFY_ATTRIBUTE(WarpSize, warpSize)
      NEURONIFY_ATTRIBUTE(MaxPitch, memPitch)
      NEURONIFY_ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock)
      NEURONIFY_ATTRIBUTE(ClockRate, clockRate)
      NEURONIFY_ATTRIBUTE(TextureAlignment, textureAlignment)
      NEURONIFY_ATTRIBUTE(GpuOverlap, deviceOverlap)
      NEURONIFY_ATTRIBUTE(MultiProcessorCount, multiProcessorCount)
      NEURONIFY_ATTRIBUTE(KernelExecTimeout, kernelExecTimeoutEnabled)
      NEURONIFY_ATTRIBUTE(Integrated, integrated)
      NEURONIFY_ATTRIBUTE(CanMapHostMemory, canMapHostMemory)
      NEURONIFY_ATTRIBUTE(ComputeMode, computeMode)
      NEURONIFY_ATTRIBUTE(ConcurrentKernels, concurrentKernels)
      NEURONIFY_ATTRIBUTE(EccEnabled, ECCEnabled)
      NEURONIFY_ATTRIBUTE(PciBusId, pciBusID)
      NEURONIFY_ATTRIBUTE(PciDeviceId, pciDeviceID)
      NEURONIFY_ATTRIBUTE(MemoryClockRate, memoryClockRate)
      NEURONIFY_ATTRIBUTE(GlobalMemoryBusWidth, memoryBusWidth)
      NEURONIFY_ATTRIBUTE(L2CacheSize, l2CacheSize)
      NEURONIFY_ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)
      NEURONIFY_ATTRIBUTE(AsyncEngineCount, asyncEngineCount)
      NEURONIFY_ATTRIBUTE(UnifiedAddressing, unifiedAddressing)
      NEURONIFY_ATTRIBUTE(ComputeCapabilityMajor, major)
      NEURONIFY_ATTRIBUTE(ComputeCapabilityMinor, minor)
      NEURONIFY_ATTRIBUTE(StreamPrioritiesSupported, streamPrioritiesSupported)
      NEURONIFY_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)
      NEURONIFY_ATTRIBUTE(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)
      NEURONIFY_ATTRIBUTE(ManagedMemory, managedMemory)
      NEURONIFY_ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess)
      NEURONIFY_ATTRIBUTE(CooperativeLaunch, cooperativeLaunch)
      NEURONIFY_ATTRIBUTE(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin)
      NEURONIFY_ATTRIBUTE(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor)
      NEURONIFY_ATTRIBUTE(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)
#undef NEURONIFY_ATTRIBUTE
    case DevAttrMemoryPoolsSupported:
      *value = 0;
      return Success;
    }
    return ErrorInvalidValue;
  });
}

Error_t deviceSynchronize() {
  return api([](Runtime &runtime) {
    runtime.clock.synchronize();
    return Success;
  });
}

Error_t deviceReset() {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  runtime.reset();
  set_last_error(Success);
  return Success;
}

Error_t deviceGetLimit(size_t *value, Limit limit) {
  return api([&](Runtime &runtime) {
    auto found = runtime.limits.find(limit);
    if (!value || found == runtime.limits.end())
      return ErrorInvalidValue;
    *value = found->second;
    return Success;
  });
}

Error_t deviceSetLimit(Limit limit, size_t value) {
  return api([&](Runtime &runtime) {
    auto found = runtime.limits.find(limit);
    if (found == runtime.limits.end())
      return ErrorInvalidValue;
    found->second = value;
    return Success;
  });
}

Error_t deviceGetCacheConfig(FuncCache *config) {
  return api([&](Runtime &) {
    if (!config)
      return ErrorInvalidValue;
    *config = FuncCachePreferNone;
    return Success;
  });
}
Error_t deviceSetCacheConfig(FuncCache) { return nothing(); }

Error_t deviceGetSharedMemConfig(SharedMemConfig *config) {
  return api([&](Runtime &) {
    if (!config)
      return ErrorInvalidValue;
    *config = SharedMemBankSizeFourByte;
    return Success;
  });
}
Error_t deviceSetSharedMemConfig(SharedMemConfig) { return nothing(); }

Error_t deviceCanAccessPeer(int *can, int device, int peer) {
  return api([&](Runtime &) {
    if (!can)
      return ErrorInvalidValue;
    *can = 0;
    return device == 0 && peer == 0 ? Success : ErrorInvalidDevice;
  });
}
Error_t deviceEnablePeerAccess(int, unsigned) {
  return api([](Runtime &) { return ErrorInvalidDevice; });
}
Error_t deviceDisablePeerAccess(int) {
  return api([](Runtime &) { return ErrorInvalidDevice; });
}

Error_t deviceGetPCIBusId(char *text, int length, int device) {
  return with_device(device, [&](Runtime &) {
    if (!text || length < 13)
      return ErrorInvalidValue;
    std::snprintf(text, size_t(length), "0000:00:00.0");
    return Success;
  });
}

Error_t driverGetVersion(int *version) { return runtimeGetVersion(version); }

Error_t runtimeGetVersion(int *version) {
  return api([&](Runtime &) {
    if (!version)
      return ErrorInvalidValue;
    *version = kVersion;
    return Success;
  });
}

Error_t profilerStart() { return nothing(); }
Error_t profilerStop() { return nothing(); }

} // namespace neuronify
