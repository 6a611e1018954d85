// Error codes of the host API: CUDA's, with their numbers, so that printed codes stay the same.
#pragma once

/// See types.h on the inner namespace.
namespace neuronify::types {

/// What every function of the host API returns. Source: CUDA runtime API, section "Data types used
/// by CUDA Runtime" (enum cudaError). Only codes that this runtime can return, or that programs
/// commonly compare with, are listed.
enum Error {
  Success = 0,
  ErrorInvalidValue = 1,
  ErrorMemoryAllocation = 2,
  ErrorInitializationError = 3,
  ErrorCudartUnloading = 4,
  ErrorProfilerDisabled = 5,
  ErrorInvalidConfiguration = 9,
  ErrorInvalidPitchValue = 12,
  ErrorInvalidSymbol = 13,
  ErrorInvalidHostPointer = 16,
  ErrorInvalidDevicePointer = 17,
  ErrorInvalidTexture = 18,
  ErrorInvalidTextureBinding = 19,
  ErrorInvalidChannelDescriptor = 20,
  ErrorInvalidMemcpyDirection = 21,
  ErrorInvalidFilterSetting = 26,
  ErrorInsufficientDriver = 35,
  ErrorInvalidDeviceFunction = 98,
  ErrorNoDevice = 100,
  ErrorInvalidDevice = 101,
  ErrorDeviceUninitialized = 201,
  ErrorNoKernelImageForDevice = 209,
  ErrorInvalidResourceHandle = 400,
  ErrorNotReady = 600,
  ErrorIllegalAddress = 700,
  ErrorLaunchOutOfResources = 701,
  ErrorLaunchTimeout = 702,
  ErrorPeerAccessAlreadyEnabled = 704,
  ErrorPeerAccessNotEnabled = 705,
  ErrorAssert = 710,
  ErrorHostMemoryAlreadyRegistered = 712,
  ErrorHostMemoryNotRegistered = 713,
  ErrorLaunchFailure = 719,
  ErrorCooperativeLaunchTooLarge = 720,
  ErrorNotSupported = 801,
  ErrorUnknown = 999,
};
using Error_t = Error;

} // namespace neuronify::types

namespace neuronify {
using namespace types;

/// The last error of the calling thread, which becomes Success again, except where the error is of
/// the kind that spoils the device (a launch that failed while it ran): that one stays.
Error_t getLastError();
/// The same without clearing it.
Error_t peekAtLastError();
/// CUDA's own words ("invalid argument"). For ErrorLaunchFailure the text of what went wrong is
/// added; the pointer stays valid for the life of the program.
const char *getErrorString(Error_t error);
/// CUDA's own name ("cudaErrorInvalidValue"), so that logs of the port read like the original's.
const char *getErrorName(Error_t error);

} // namespace neuronify
