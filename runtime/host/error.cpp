#include "host/error.h"

#include "host/runtime.h"

#include <deque>
#include <string>

namespace neuronify {

namespace {

struct Row {
  Error error;
  const char *name, *text;
};

// Names and texts as CUDA reports them, so that the output of a port reads like the original's.
constexpr Row kRows[] = {
    {Success, "cudaSuccess", "no error"},
    {ErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {ErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {ErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {ErrorCudartUnloading, "cudaErrorCudartUnloading", "driver shutting down"},
    {ErrorProfilerDisabled, "cudaErrorProfilerDisabled",
     "profiler disabled while using external profiling tool"},
    {ErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {ErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {ErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {ErrorInvalidHostPointer, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {ErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {ErrorInvalidTexture, "cudaErrorInvalidTexture", "invalid texture reference"},
    {ErrorInvalidTextureBinding, "cudaErrorInvalidTextureBinding",
     "texture is not bound to a pointer"},
    {ErrorInvalidChannelDescriptor, "cudaErrorInvalidChannelDescriptor",
     "invalid channel descriptor"},
    {ErrorInvalidFilterSetting, "cudaErrorInvalidFilterSetting", "invalid filter setting"},
    {ErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {ErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {ErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {ErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {ErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {ErrorDeviceUninitialized, "cudaErrorDeviceUninitialized", "invalid device context"},
    {ErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {ErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {ErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {ErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {ErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {ErrorLaunchTimeout, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {ErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled",
     "peer access is already enabled"},
    {ErrorPeerAccessNotEnabled, "cudaErrorPeerAccessNotEnabled",
     "peer access has not been enabled"},
    {ErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {ErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {ErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {ErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {ErrorCooperativeLaunchTooLarge, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {ErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {ErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

const Row *find(Error error) {
  for (const Row &row : kRows)
    if (row.error == error)
      return &row;
  return nullptr;
}

thread_local Error_t last_error = Success; // CUDA keeps one per host thread, too

/// Texts that were handed out live as long as the program.
std::deque<std::string> &launch_failures() {
  static auto *texts = new std::deque<std::string>();
  return *texts;
}

} // namespace

void set_last_error(Error_t error) { last_error = error; }

void set_launch_failure(const std::string &text) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  launch_failures().push_back(std::string(find(ErrorLaunchFailure)->text) + " (" + text + ")");
}

Error_t getLastError() {
  Error_t error = peekAtLastError();
  last_error = Success;
  return error;
}

Error_t peekAtLastError() {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  return runtime.sticky != Success ? runtime.sticky : last_error;
}

const char *getErrorString(Error_t error) {
  if (error == ErrorLaunchFailure) {
    Runtime &runtime = Runtime::get();
    std::lock_guard lock(runtime.mutex);
    if (!launch_failures().empty())
      return launch_failures().back().c_str();
  }
  const Row *row = find(error);
  return row ? row->text : "unrecognized error code";
}

const char *getErrorName(Error_t error) {
  const Row *row = find(error);
  return row ? row->name : "unrecognized error code";
}

} // namespace neuronify
