// Host API: the device. There is one: device 0, a Trainium chip model.
#pragma once

#include "host/error.h"
#include "host/types.h"

#include <cstddef>

namespace neuronify {

Error_t getDeviceCount(int *count);
Error_t getDevice(int *device);
Error_t setDevice(int device);
Error_t setDeviceFlags(unsigned flags);
Error_t getDeviceFlags(unsigned *flags);
Error_t chooseDevice(int *device, const DeviceProp *properties);
Error_t getDeviceProperties(DeviceProp *properties, int device);
Error_t deviceGetAttribute(int *value, DeviceAttr attribute, int device);
Error_t deviceSynchronize();
inline Error_t threadSynchronize() { return deviceSynchronize(); }
/// Frees all device memory, streams and events of the program, and forgets a sticky error.
Error_t deviceReset();
inline Error_t threadExit() { return deviceReset(); }
Error_t deviceGetLimit(size_t *value, Limit limit);
Error_t deviceSetLimit(Limit limit, size_t value);
Error_t deviceGetCacheConfig(FuncCache *config);
Error_t deviceSetCacheConfig(FuncCache config);
Error_t deviceGetSharedMemConfig(SharedMemConfig *config);
Error_t deviceSetSharedMemConfig(SharedMemConfig config);
Error_t deviceGetStreamPriorityRange(int *least, int *greatest);
Error_t deviceCanAccessPeer(int *can, int device, int peer);
Error_t deviceEnablePeerAccess(int peer, unsigned flags);
Error_t deviceDisablePeerAccess(int peer);
Error_t deviceGetPCIBusId(char *text, int length, int device);
Error_t driverGetVersion(int *version);
Error_t runtimeGetVersion(int *version);
Error_t profilerStart();
Error_t profilerStop();

} // namespace neuronify
