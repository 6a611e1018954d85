// Chip generations as data: sizes, clocks and rates that the model and the timeline read.
//
// Sources: Neuron architecture guides and nki/deep-dives (see docs/chip-assumptions.md, which also
// marks the figures that are our own guess).
#pragma once

#include <cstdint>
#include <string_view>

namespace nki::chip {

struct Generation {
  std::string_view name; ///< "trn3"
  int core_version;      ///< NeuronCore version: 2, 3 or 4
  int core_sub_version;  ///< revision of the silicon
  int cores;             ///< per chip

  int64_t hbm_bytes;
  double hbm_bytes_per_second; ///< of the whole chip

  int64_t sbuf_partition_bytes; ///< physical SBUF bytes per partition
  int64_t psum_bank_bytes;      ///< per partition
  int psum_banks;

  double tensor_hz, vector_hz, scalar_hz, gpsimd_hz;

  int dma_engines; ///< per core
  double dma_engine_bytes_per_second;

  int64_t psum_partition_bytes() const { return psum_bank_bytes * psum_banks; }
};

/// By name ("trn1", "trn2", "trn3"); throws nki::Error with the known names for others.
const Generation &generation(std::string_view name);

inline constexpr int kPartitions = 128;
/// Partitions that one processor of GpSimdE, or a start rule, counts in.
inline constexpr int kQuadrant = 32;

} // namespace nki::chip
