// The C++ face of NkiTensor: a view of device memory, cheap to copy.
//
// Source: annotated stub nki/api/nki/language/__init__.py of the public Neuron documentation
// (class NkiTensor). Names follow it.
#pragma once

#include "nki/register.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nki {

/// Element types of the chip (nki.api.shared.rst, "Supported Data Types").
enum class DType : uint8_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  bool_,
  float16,
  bfloat16,
  float32,
  tfloat32,
  float8_e4m3,
  float8_e5m2,
  float8_e4m3fn,
  float8_e8m0fnu,
  float8_e5m2_x4,
  float8_e4m3fn_x4,
  float4_e2m1fn_x4,
};

/// Bytes of one element.
size_t size_of(DType type);
/// The NKI name, for example "float32".
std::string_view name_of(DType type);

/// Where a tensor lives. On chip, dimension 0 is the partition.
/// `shared_hbm` is for nl.ndarray only: the tensor is in hbm.
enum class Buffer : uint8_t { sbuf, psum, hbm, shared_hbm };

/// One level of an access pattern: `count` steps of `stride` elements.
struct Dim {
  int64_t stride = 0;
  int64_t count = 1;
};

namespace chip {
class Storage; // one allocation on a core or in HBM; reference counted, freed with its last view
}

/// How the addresses of a view depend on values that are known only when an instruction runs.
struct Indirection {
  enum class Kind : uint8_t {
    scalar, ///< the view starts at one index of a dimension
    vector, ///< step r of the view's first level starts at index r of a dimension; DMA only
    tensor, ///< element i of each partition is the one at index i of its group of partitions
  };
  Kind kind;
  ScalarOffset scalar;
  std::shared_ptr<const Tensor> indices; ///< of `vector` and `tensor`: a tile in SBUF
  std::shared_ptr<const Tensor> indexed; ///< of `tensor`: what the indices count in
  int64_t stride_bytes = 0;              ///< from one index to the next
  int64_t count = 0;                     ///< legal indices are [0, count)
};

/// A view of an allocation: element type, access pattern, start. Copying a view copies no data.
///
/// On-chip views: dims()[0] is the partition dimension (its stride is 1 partition); the other dims
/// are strides in elements inside each partition. HBM views: all dims are strides in elements.
/// Functions that make an illegal view throw nki::Error with the rule that was broken.
class Tensor {
public:
  static constexpr int kMaxDims = 6;

  Tensor() = default;
  Tensor(std::shared_ptr<chip::Storage> storage, DType type, std::span<const Dim> dims,
         int64_t start_partition, int64_t offset_bytes);

  explicit operator bool() const { return storage_ != nullptr; }
  DType dtype() const { return type_; }
  Buffer buffer() const;
  int ndim() const { return ndim_; }
  int64_t shape(int dim) const { return dims_[dim].count; }
  std::span<const Dim> dims() const { return {dims_, size_t(ndim_)}; }
  /// All elements; for on-chip tensors `partitions() * elements_per_partition()`.
  int64_t size() const;
  int64_t partitions() const;             ///< on chip: dims()[0].count
  int64_t elements_per_partition() const; ///< on chip: product of the free dims
  int64_t start_partition() const { return start_partition_; }
  /// Byte offset of the first element: in its partition (on chip) or in the allocation (HBM).
  int64_t offset_bytes() const { return offset_bytes_; }
  const std::shared_ptr<chip::Storage> &storage() const { return storage_; }
  bool is_contiguous() const;

  // Views, as in NKI. Views of dynamic ones keep the dynamic start; the first dimension of a view
  // with one index per step stays as it is, and views through tensor indirection have no views.
  Tensor slice(int dim, int64_t start, int64_t end, int64_t step = 1) const;
  Tensor select(int dim, int64_t index) const;
  Tensor ap(std::span<const Dim> pattern, std::optional<int64_t> offset = {},
            std::optional<DType> dtype = {}) const;
  Tensor ap(std::initializer_list<Dim> pattern, std::optional<int64_t> offset = {},
            std::optional<DType> dtype = {}) const;
  /// Indirect pattern for DMA: step r of the pattern's first level starts at index r of the
  /// tensor's dimension `indirect_dim`. Indices are an int32/uint32 SBUF tile, {P, 1} for dma_copy,
  /// {P, N} (column by column) for dma_transpose.
  Tensor ap_indirect(std::span<const Dim> pattern, const Tensor &vector_offset,
                     int indirect_dim = 0, std::optional<int64_t> offset = {},
                     std::optional<DType> dtype = {}) const;
  /// A pattern that starts at index `scalar_offset` of the tensor's dimension `indirect_dim`, a
  /// free one on chip. The index is read, and checked, when the instruction runs.
  Tensor ap_scalar(std::span<const Dim> pattern, const ScalarOffset &scalar_offset,
                   int indirect_dim = 0, std::optional<int64_t> offset = {},
                   std::optional<DType> dtype = {}) const;
  /// select with an index that is read when the instruction runs.
  Tensor select(int dim, const ScalarOffset &index) const;
  /// HBM: row r of the result is the one at index r of dimension `dim`, which must be 0. Indices
  /// are {P, 1}; the result has P rows.
  Tensor vector_select(int dim, const Tensor &vector_offset) const;
  /// Tensor indirection (NeuronCore-v4): {P, num_elem} whose element i is the one at index i of
  /// this tile's free elements. Indices are a {P, K} integer tile in SBUF; those of a group of G
  /// partitions, G = 16 (32 on TensorE), are at [i % G, i / G] of the group. By default as many as
  /// the index tile has elements.
  Tensor indirect(const Tensor &index, std::optional<int64_t> num_elem = {}) const;
  Tensor reshape(std::span<const int64_t> shape) const;
  Tensor reshape(std::initializer_list<int64_t> shape) const;
  Tensor permute(std::initializer_list<int> dims) const;
  Tensor broadcast(int dim, int64_t size) const; ///< dim must have size 1; stride becomes 0
  Tensor expand_dim(int dim) const;
  Tensor view(DType dtype) const;    ///< reinterpret the bytes
  Tensor squeeze_dim(int dim) const; ///< dim has size 1, and is none that stays first
  /// One dimension into several; one of `shape` may be -1.
  Tensor reshape_dim(int dim, std::span<const int64_t> shape) const;
  /// Dimensions `start` to `end` as one. They must follow each other in memory.
  Tensor flatten_dims(int start, int end) const;
  /// Splits, reorders and merges dimensions by name: each dimension is a list of names, of which
  /// `sizes` gives all but one. Both patterns hold the same names.
  using Names = std::vector<std::vector<std::string>>;
  Tensor rearrange(const Names &from, const Names &to,
                   const std::map<std::string, int64_t> &sizes = {}) const;

  /// Other dimensions and another start of the same allocation, type and dynamic start: what view
  /// functions are made of.
  Tensor with_dims(std::span<const Dim> dims, int64_t start_partition, int64_t offset_bytes) const;

  /// Whether the view is dynamic: see Indirection. Null where it is not.
  bool is_indirect() const { return indirection_ != nullptr; }
  const std::shared_ptr<const Indirection> &indirection() const { return indirection_; }
  /// Whether there is one index per step of the first level.
  bool has_vector_offset() const {
    return indirection_ && indirection_->kind == Indirection::Kind::vector;
  }
  bool has_scalar_offset() const {
    return indirection_ && indirection_->kind == Indirection::Kind::scalar;
  }
  bool has_tensor_indirection() const {
    return indirection_ && indirection_->kind == Indirection::Kind::tensor;
  }

private:
  Tensor place_pattern(const char *method, std::span<const Dim> pattern,
                       std::optional<int64_t> offset, DType dtype) const;
  bool keeps_first_dim() const;

  std::shared_ptr<chip::Storage> storage_;
  std::shared_ptr<const Indirection> indirection_;
  Dim dims_[kMaxDims];
  int64_t offset_bytes_ = 0;
  int64_t start_partition_ = 0;
  DType type_ = DType::float32;
  uint8_t ndim_ = 0;
};

} // namespace nki
