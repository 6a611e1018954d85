// Which ranges a copy or a fill may touch, and with which error CUDA rejects the others.
#pragma once

#include "host/device_memory.h"
#include "host/error.h"
#include "host/types.h"

#include <cstddef>

namespace neuronify {

/// Bytes from the first to past the last of `rows` rows of `width` bytes, `pitch` bytes apart;
/// false where that does not fit a size.
bool extent_of_rows(size_t pitch, size_t width, size_t rows, size_t &bytes);

/// Success where [pointer, pointer + bytes) may be on the side of a copy that is the host (false)
/// or the device (true). A host side must not be memory that only the device addresses.
Error_t check_side(const DeviceMemory &memory, const void *pointer, size_t bytes, bool device);
/// Both sides of a copy. `bytes` are what each side spans.
Error_t check_copy(const DeviceMemory &memory, const void *dst, size_t dst_bytes, const void *src,
                   size_t src_bytes, MemcpyKind kind);
/// True where a copy does not leave the device; decided by the addresses, as CUDA's default kind.
bool stays_on_device(const DeviceMemory &memory, const void *dst, const void *src);

/// Copies a box: `extent` in bytes, rows and slices, steps from row to row and slice to slice in
/// bytes (copy.cpp).
Error_t copy_slices(void *dst, size_t dst_pitch, size_t dst_slice, const void *src,
                    size_t src_pitch, size_t src_slice, Extent extent, MemcpyKind kind,
                    Stream_t stream);

} // namespace neuronify
