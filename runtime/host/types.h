// Handles, structures and enumerators of the host API: CUDA's names without the prefix `cuda`.
#pragma once

#include "host/vector_types.h"

#include <cstddef>

/// Types live one namespace further in, which is used below. Otherwise the unqualified calls of a C
/// function in a ported program (`free(streams)`, `memset(&properties, 0, …)`) would also find the
/// API's functions of the same name through the types of their arguments.
namespace neuronify::types {

struct StreamState;
struct EventState;
using Stream_t = StreamState *;
using Event_t = EventState *;
/// The default stream, by its two explicit names.
inline const Stream_t StreamLegacy = reinterpret_cast<Stream_t>(0x1);
inline const Stream_t StreamPerThread = reinterpret_cast<Stream_t>(0x2);

enum MemcpyKind {
  MemcpyHostToHost = 0,
  MemcpyHostToDevice = 1,
  MemcpyDeviceToHost = 2,
  MemcpyDeviceToDevice = 3,
  MemcpyDefault = 4,
};

enum MemoryType {
  MemoryTypeUnregistered = 0,
  MemoryTypeHost = 1,
  MemoryTypeDevice = 2,
  MemoryTypeManaged = 3,
};

enum MemoryAdvise {
  MemAdviseSetReadMostly = 1,
  MemAdviseUnsetReadMostly = 2,
  MemAdviseSetPreferredLocation = 3,
  MemAdviseUnsetPreferredLocation = 4,
  MemAdviseSetAccessedBy = 5,
  MemAdviseUnsetAccessedBy = 6,
};

inline constexpr int CpuDeviceId = -1;
inline constexpr int InvalidDeviceId = -2;

inline constexpr unsigned MemAttachGlobal = 0x01;
inline constexpr unsigned MemAttachHost = 0x02;
inline constexpr unsigned MemAttachSingle = 0x04;
inline constexpr unsigned HostAllocDefault = 0x00;
inline constexpr unsigned HostAllocPortable = 0x01;
inline constexpr unsigned HostAllocMapped = 0x02;
inline constexpr unsigned HostAllocWriteCombined = 0x04;
inline constexpr unsigned HostRegisterDefault = 0x00;
inline constexpr unsigned HostRegisterPortable = 0x01;
inline constexpr unsigned HostRegisterMapped = 0x02;
inline constexpr unsigned StreamDefault = 0x00;
inline constexpr unsigned StreamNonBlocking = 0x01;
inline constexpr unsigned EventDefault = 0x00;
inline constexpr unsigned EventBlockingSync = 0x01;
inline constexpr unsigned EventDisableTiming = 0x02;
inline constexpr unsigned EventInterprocess = 0x04;
inline constexpr unsigned EventRecordDefault = 0x00;
inline constexpr unsigned EventWaitDefault = 0x00;
inline constexpr unsigned DeviceScheduleAuto = 0x00;
inline constexpr unsigned DeviceScheduleSpin = 0x01;
inline constexpr unsigned DeviceScheduleYield = 0x02;
inline constexpr unsigned DeviceScheduleBlockingSync = 0x04;
inline constexpr unsigned DeviceBlockingSync = 0x04;
inline constexpr unsigned DeviceMapHost = 0x08;
inline constexpr unsigned DeviceLmemResizeToMax = 0x10;

struct Extent {
  size_t width, height, depth; ///< bytes, rows, slices
};
struct Pos {
  size_t x, y, z; ///< bytes, rows, slices
};
struct PitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize; ///< bytes per row, bytes used, rows per slice
};
/// With an array on a side, positions in it and the width of the extent are in its texels.
struct Array;
struct Memcpy3DParms {
  Array *srcArray;
  Pos srcPos;
  PitchedPtr srcPtr;
  Array *dstArray;
  Pos dstPos;
  PitchedPtr dstPtr;
  Extent extent;
  MemcpyKind kind;
};
inline Extent make_Extent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
inline Pos make_Pos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline PitchedPtr make_PitchedPtr(void *ptr, size_t pitch, size_t xsize, size_t ysize) {
  return {ptr, pitch, xsize, ysize};
}

struct PointerAttributes {
  MemoryType type;
  int device;
  void *devicePointer;
  void *hostPointer;
};

enum FuncAttribute {
  FuncAttributeMaxDynamicSharedMemorySize = 8,
  FuncAttributePreferredSharedMemoryCarveout = 9,
  FuncAttributeNonPortableClusterSizeAllowed = 15,
};

enum FuncCache {
  FuncCachePreferNone = 0,
  FuncCachePreferShared = 1,
  FuncCachePreferL1 = 2,
  FuncCachePreferEqual = 3,
};

enum SharedMemConfig {
  SharedMemBankSizeDefault = 0,
  SharedMemBankSizeFourByte = 1,
  SharedMemBankSizeEightByte = 2,
};

enum SharedCarveout {
  SharedmemCarveoutDefault = -1,
  SharedmemCarveoutMaxL1 = 0,
  SharedmemCarveoutMaxShared = 100,
};

struct FuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

enum Limit {
  LimitStackSize = 0,
  LimitPrintfFifoSize = 1,
  LimitMallocHeapSize = 2,
  LimitDevRuntimeSyncDepth = 3,
  LimitDevRuntimePendingLaunchCount = 4,
  LimitMaxL2FetchGranularity = 5,
  LimitPersistingL2CacheSize = 6,
};

enum ComputeMode {
  ComputeModeDefault = 0,
  ComputeModeExclusive = 1,
  ComputeModeProhibited = 2,
  ComputeModeExclusiveProcess = 3,
};

enum DeviceAttr {
  DevAttrMaxThreadsPerBlock = 1,
  DevAttrMaxBlockDimX = 2,
  DevAttrMaxBlockDimY = 3,
  DevAttrMaxBlockDimZ = 4,
  DevAttrMaxGridDimX = 5,
  DevAttrMaxGridDimY = 6,
  DevAttrMaxGridDimZ = 7,
  DevAttrMaxSharedMemoryPerBlock = 8,
  DevAttrTotalConstantMemory = 9,
  DevAttrWarpSize = 10,
  DevAttrMaxPitch = 11,
  DevAttrMaxRegistersPerBlock = 12,
  DevAttrClockRate = 13,
  DevAttrTextureAlignment = 14,
  DevAttrGpuOverlap = 15,
  DevAttrMultiProcessorCount = 16,
  DevAttrKernelExecTimeout = 17,
  DevAttrIntegrated = 18,
  DevAttrCanMapHostMemory = 19,
  DevAttrComputeMode = 20,
  DevAttrConcurrentKernels = 31,
  DevAttrEccEnabled = 32,
  DevAttrPciBusId = 33,
  DevAttrPciDeviceId = 34,
  DevAttrMemoryClockRate = 36,
  DevAttrGlobalMemoryBusWidth = 37,
  DevAttrL2CacheSize = 38,
  DevAttrMaxThreadsPerMultiProcessor = 39,
  DevAttrAsyncEngineCount = 40,
  DevAttrUnifiedAddressing = 41,
  DevAttrComputeCapabilityMajor = 75,
  DevAttrComputeCapabilityMinor = 76,
  DevAttrStreamPrioritiesSupported = 78,
  DevAttrMaxSharedMemoryPerMultiprocessor = 81,
  DevAttrMaxRegistersPerMultiprocessor = 82,
  DevAttrManagedMemory = 83,
  DevAttrConcurrentManagedAccess = 89,
  DevAttrCooperativeLaunch = 95,
  DevAttrMaxSharedMemoryPerBlockOptin = 97,
  DevAttrMaxBlocksPerMultiprocessor = 106,
  DevAttrReservedSharedMemoryPerBlock = 111,
  DevAttrMemoryPoolsSupported = 115,
};

/// See docs/host-runtime.md for what each field says of a Trainium3 chip.
struct DeviceProp {
  char name[256];
  char uuid[16];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate; ///< kHz
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID, pciDeviceID, pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate; ///< kHz
  int memoryBusWidth;  ///< bits; 2 * memoryClockRate * memoryBusWidth / 8 is the HBM's bandwidth
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard, multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch, cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
};

} // namespace neuronify::types

namespace neuronify {
using namespace types;
}
