// Chip generations are data: sizes, clocks and rates that the model and the timeline read, and what
// a generation can do.
//
// The ones in generations/*.json are built in; a path to a further file works wherever a name does.
// Sources: Neuron architecture guides and nki/deep-dives (see docs/chip-assumptions.md, which also
// marks the figures that are our own guess).
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nki::chip {

/// What some generations can do and others cannot. The names in data files are the same.
enum class Feature : uint8_t {
  hardware_descriptors,        ///< hwdge
  indirect_transpose,          ///< dma_transpose with one index per row
  dma_priority,                ///< classes of service
  several_cores,               ///< core_barrier, sendrecv
  received_displacements,      ///< all_to_all_v with has_rdispls
  tensor_copy_on_scalar,       ///< ScalarE copies, bit for bit
  tensor_scalar_on_scalar,     ///< multiply and add on ScalarE ...
  any_tensor_scalar_on_scalar, ///< ... and everything else
  scalar_bias,                 ///< a constant as bias of an activation, a bias of reciprocal
  rng_on_gpsimd,
  random_states,           ///< rand_set_state and rand_get_state on GpSimdE ...
  random_states_on_vector, ///< ... and on VectorE
  rand2,
  range_select,
  nonzero_with_count,
  activate2,
  exponential,
  microscaling,              ///< quantize_mx, nc_matmul_mx
  v4_operators,              ///< abs_max, abs_min, square, relu as math operators
  double_row,                ///< fp8 products of twice the depth
  quarter_tiles,             ///< TensorE in tiles of 32 rows
  exact_transpose,           ///< TensorE transposes bit for bit
  float8_e4m3fn_products,    ///< as a type of products
  bfloat16_products,         ///< bfloat16 in PSUM
  products_over_banks,       ///< one product may fill all of PSUM
  accumulation_on_any_write, ///< products accumulate on what other instructions wrote
  tensor_indirection,        ///< Tensor::indirect
  vector_two_byte_modes,     ///< VectorE is faster for 2-byte floats ...
  scalar_two_byte_mode,      ///< ... and ScalarE
};
inline constexpr int kFeatures = int(Feature::scalar_two_byte_mode) + 1;
/// As in data files, for example "rand2".
std::string_view name_of(Feature feature);

struct Generation {
  std::string name;         ///< "trn3"
  int core_version = 0;     ///< NeuronCore version: 2, 3 or 4
  int core_sub_version = 0; ///< revision of the silicon
  int cores = 0;            ///< per chip

  int64_t hbm_bytes = 0;
  double hbm_bytes_per_second = 0; ///< of the whole chip

  int64_t sbuf_partition_bytes = 0; ///< physical SBUF bytes per partition
  int64_t psum_bank_bytes = 0;      ///< per partition
  int psum_banks = 0;

  double tensor_hz = 0, vector_hz = 0, scalar_hz = 0, gpsimd_hz = 0;

  int dma_engines = 0; ///< per core
  double dma_engine_bytes_per_second = 0;

  std::bitset<kFeatures> features;

  int64_t psum_partition_bytes() const { return psum_bank_bytes * psum_banks; }
  bool has(Feature feature) const { return features[size_t(feature)]; }
};

/// By name ("trn1", "trn2", "trn3"), or from a data file: a path that ends in ".json". The same
/// object each time. Throws nki::Error with the known names, or what is wrong with the file.
const Generation &generation(std::string_view name);
/// Names of the built-in ones.
std::vector<std::string> generations();
/// Reads the text of a data file; `source` is its name, for errors.
Generation parse_generation(std::string_view text, const std::string &source);

inline constexpr int kPartitions = 128;
/// Partitions that one processor of GpSimdE, or a start rule, counts in.
inline constexpr int kQuadrant = 32;

} // namespace nki::chip
