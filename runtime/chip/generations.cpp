#include "chip/generations.h"

#include "nki/error.h"

#include <string>

namespace nki::chip {

namespace {

constexpr int64_t KiB = 1024, GiB = 1024 * 1024 * KiB;

constexpr Generation kGenerations[] = {
    {.name = "trn1",
     .core_version = 2,
     .core_sub_version = 0,
     .cores = 2,
     .hbm_bytes = 32 * GiB,
     .hbm_bytes_per_second = 820e9,
     .sbuf_partition_bytes = 192 * KiB,
     .psum_bank_bytes = 2 * KiB,
     .psum_banks = 8,
     .tensor_hz = 2.8e9,
     .vector_hz = 1.12e9,
     .scalar_hz = 1.4e9,
     .gpsimd_hz = 1.4e9,
     .dma_engines = 16,
     .dma_engine_bytes_per_second = 17e9},
    {.name = "trn2",
     .core_version = 3,
     .core_sub_version = 0,
     .cores = 8,
     .hbm_bytes = 96 * GiB,
     .hbm_bytes_per_second = 2.9e12,
     .sbuf_partition_bytes = 224 * KiB,
     .psum_bank_bytes = 2 * KiB,
     .psum_banks = 8,
     .tensor_hz = 2.4e9,
     .vector_hz = 0.96e9,
     .scalar_hz = 1.2e9,
     .gpsimd_hz = 1.2e9,
     .dma_engines = 16,
     .dma_engine_bytes_per_second = 23e9},
    {.name = "trn3",
     .core_version = 4,
     .core_sub_version = 0,
     .cores = 8,
     .hbm_bytes = 144 * GiB,
     .hbm_bytes_per_second = 4.7e12,
     .sbuf_partition_bytes = 256 * KiB,
     .psum_bank_bytes = 2 * KiB,
     .psum_banks = 8,
     .tensor_hz = 2.4e9,
     .vector_hz = 1.2e9,
     .scalar_hz = 1.2e9,
     .gpsimd_hz = 1.2e9,
     .dma_engines = 16,
     .dma_engine_bytes_per_second = 33e9},
};

} // namespace

const Generation &generation(std::string_view name) {
  std::string known;
  for (const Generation &candidate : kGenerations) {
    if (candidate.name == name)
      return candidate;
    known += (known.empty() ? "" : ", ") + std::string(candidate.name);
  }
  throw Error("generation", "unknown chip '" + std::string(name) + "'; known are " + known);
}

} // namespace nki::chip
