// Both sides of every documented limit: the last size that is allowed runs, the next one is an
// error that names the rule.

#include "documented_forms.h"

namespace nki::documented {
namespace {

struct Limit {
  const char *name;
  const char *generation;
  const char *rule; ///< part of the message
  std::function<void(int64_t)> call;
  int64_t legal, illegal;
};
std::ostream &operator<<(std::ostream &out, const Limit &limit) { return out << limit.name; }

Tensor ones(int64_t partitions, int64_t elements, DType type = nl::float32) {
  return tile_of({1}, partitions, elements, type);
}
/// Of as many elements as PSUM can have: what is refused is the operand that asks for more.
Tensor psum(int64_t partitions, int64_t elements, DType type = nl::float32) {
  const int64_t most = current_core().generation().psum_partition_bytes() / int64_t(size_of(type));
  return nl::ndarray({partitions, std::min(elements, most)}, type, nl::psum);
}
Tensor device(std::initializer_list<int64_t> shape, DType type) {
  Tensor tensor = nl::ndarray(shape, type, nl::hbm);
  put(tensor, {1});
  return tensor;
}

void multiply(int64_t depth, int64_t rows, int64_t columns, DType dst = nl::float32,
              nisa::MatmulOptions options = {}) {
  nisa::nc_matmul(psum(rows, columns, dst), ones(depth, rows, nl::bfloat16),
                  ones(depth, columns, nl::bfloat16), options);
}
void multiply_tiled(int64_t depth, int64_t rows, std::pair<int, int> position,
                    std::pair<int, int> size) {
  multiply(depth, rows, 8, nl::float32, {.tile_position = position, .tile_size = size});
}
void multiply_mx(int64_t rows, int64_t columns, DType dst = nl::float32) {
  const DType packed = nl::float8_e5m2_x4;
  Tensor scale = ones(32, std::max(rows, columns), nl::uint8);
  Tensor left = nl::ndarray({32, rows}, packed), right = nl::ndarray({32, columns}, packed);
  put_bits<uint32_t>(left, {0});
  put_bits<uint32_t>(right, {0});
  nisa::nc_matmul_mx(psum(rows, columns, dst), left, right, scale, scale);
}

/// A tile whose free dimensions of two elements each do not follow each other in memory.
Tensor scattered(int64_t partitions, int64_t dims, DType type = nl::float32) {
  const int64_t shape[] = {partitions, 3, 3, 3, 3, 3};
  Tensor tensor = nl::ndarray(std::span<const int64_t>(shape, size_t(dims) + 1), type);
  put(tensor, {1});
  for (int d = 1; d <= dims; ++d)
    tensor = tensor.slice(d, 0, 2);
  return tensor;
}

void transpose_rows(int64_t rows, int64_t partitions, int64_t columns, int64_t width = 8,
                    DType index_type = nl::uint32) {
  Tensor src = device({256, width}, nl::bfloat16);
  Tensor indices = tile_of({0}, partitions, columns, index_type);
  const Dim pattern[] = {{width, rows}, {1, width}};
  nisa::dma_transpose(tile(std::min<int64_t>(width, 128), rows, nl::bfloat16),
                      src.ap_indirect(pattern, indices));
}

std::vector<Limit> products() {
  return {
      {"MovingOfV2", "trn1", "at most 512", [](int64_t n) { multiply(4, 4, n); }, 512, 513},
      {"MovingOfV3", "trn2", "at most 512", [](int64_t n) { multiply(4, 4, n); }, 512, 513},
      {"MovingOfV4", "trn3", "at most 4096", [](int64_t n) { multiply(4, 4, n); }, 4096, 4097},
      {"MovingOfV4ToBfloat16", "trn3", "elements per partition",
       [](int64_t n) { multiply(4, 4, n, nl::bfloat16); }, 8192, 8193},
      {"Bfloat16Product", "trn2", "from NeuronCore-v4 on, bfloat16",
       [](int64_t wide) { multiply(4, 4, 8, wide ? nl::float32 : nl::bfloat16); }, 1, 0},
      {"StationaryColumns", "trn3", "at most 128",
       [](int64_t m) { nisa::nc_matmul(psum(128, 4), ones(8, m), ones(8, 4)); }, 128, 129},
      {"RowsOfATile", "trn3", "fit tile_size",
       [](int64_t k) { multiply_tiled(k, 16, {0, 0}, {32, 128}); }, 32, 33},
      {"ColumnsOfATile", "trn3", "fit tile_size",
       [](int64_t m) { multiply_tiled(16, m, {0, 0}, {128, 64}); }, 64, 65},
      {"HalfTilesOfV2", "trn1", "made of",
       [](int64_t size) { multiply_tiled(16, 16, {0, 0}, {int(size), 128}); }, 64, 32},
      {"HalfColumnsOfV2", "trn1", "made of",
       [](int64_t size) { multiply_tiled(16, 16, {0, 0}, {128, int(size)}); }, 64, 32},
      {"RowOfATile", "trn3", "multiples of tile_size",
       [](int64_t row) { multiply_tiled(16, 16, {int(row), 0}, {32, 128}); }, 96, 128},
      {"ColumnOfATile", "trn3", "multiples of tile_size",
       [](int64_t column) { multiply_tiled(16, 16, {0, int(column)}, {128, 32}); }, 96, 48},
      {"NoNegativeRow", "trn3", "multiples of tile_size",
       [](int64_t row) { multiply_tiled(16, 16, {int(row), 0}, {32, 128}); }, 0, -32},
      {"NoNegativeColumn", "trn3", "multiples of tile_size",
       [](int64_t column) { multiply_tiled(16, 16, {0, int(column)}, {128, 32}); }, 0, -32},
      {"PsumBankOfV3", "trn2", "crosses a PSUM bank",
       [](int64_t from) {
         nisa::nc_matmul(psum(4, 1024).slice(1, from, from + 8), ones(4, 4), ones(4, 8));
       },
       504, 505},
      {"MxStationaryColumns", "trn3", "even number", [](int64_t m) { multiply_mx(m, 4); }, 126,
       127},
      {"MxStationary", "trn3", "at most 128",
       [](int64_t m) {
         Tensor scale = ones(32, 130, nl::uint8), packed = nl::ndarray({32, m}, nl::float8_e5m2_x4);
         put_bits<uint32_t>(packed, {0});
         nisa::nc_matmul_mx(psum(128, 4), packed, packed.slice(1, 0, 4), scale, scale);
       },
       128, 130},
      {"MxMoving", "trn3", "at most 4096", [](int64_t n) { multiply_mx(2, n); }, 4096, 4097},
      {"MxMovingToBfloat16", "trn3", "elements per partition",
       [](int64_t n) { multiply_mx(2, n, nl::bfloat16); }, 8192, 8193},
      {"TransposeOnTensorE", "trn3", "up to 128 x 128",
       [](int64_t f) { nisa::nc_transpose(psum(128, 8), ones(8, f), nisa::engine::tensor); }, 128,
       129},
      {"TransposeOnVectorE", "trn3", "up to 32 x 32",
       [](int64_t f) { nisa::nc_transpose(tile(f, 8), ones(8, f), nisa::engine::vector); }, 32, 33},
      {"TransposeOnVectorEOfPartitions", "trn3", "up to 32 x 32",
       [](int64_t p) { nisa::nc_transpose(tile(8, p), ones(p, 8), nisa::engine::vector); }, 32, 33},
  };
}

std::vector<Limit> transfers() {
  using nisa::dge_mode;
  auto under_hwdge = [](std::initializer_list<int64_t> from, std::initializer_list<int64_t> to,
                        DType type = nl::bfloat16) {
    nisa::dma_transpose(nl::ndarray(to, type), device(from, type), {}, dge_mode::hwdge);
  };
  return {
      {"RowsUnderHwdge", "trn3", "16 rows", [=](int64_t n) { under_hwdge({n, 8}, {8, n}); }, 16, 8},
      {"ColumnsUnderHwdge", "trn3", "at most 128",
       [=](int64_t n) { under_hwdge({16, n}, {128, 16}); }, 128, 129},
      {"FirstDimensionUnderHwdge", "trn3", "1, 2, 4, 8 or 16",
       [=](int64_t n) { under_hwdge({n, 16, 4}, {4, 16, n}); }, 8, 3},
      {"LongFirstDimensionUnderHwdge", "trn3", "1, 2, 4, 8 or 16",
       [=](int64_t n) { under_hwdge({n, 16, 4}, {4, 16, n}); }, 16, 32},
      {"ProductUnderHwdge", "trn3", "a multiple of 16",
       [=](int64_t n) { under_hwdge({4, n, 4}, {4, n, 4}); }, 8, 6},
      {"FourDimensionsUnderHwdge", "trn3", "a multiple of 16",
       [=](int64_t n) { under_hwdge({4, 3, n, 4}, {4, 3, n, 4}); }, 4, 6},
      {"BytesUnderHwdge", "trn3", "two bytes",
       [=](int64_t bytes) {
         under_hwdge({16, 8}, {8, 16}, bytes == 2 ? nl::float16 : nl::float32);
       },
       2, 4},
      {"HwdgeOfV2", "trn1", "no hardware",
       [](int64_t hardware) {
         nisa::dma_copy(tile(4, 4), device({4, 4}, nl::float32), nisa::oob_mode::error,
                        hardware ? dge_mode::hwdge : dge_mode::swdge);
       },
       0, 1},
      {"RowsByIndices", "trn3", "multiple of 16 rows", [](int64_t n) { transpose_rows(n, 32, 1); },
       32, 24},
      {"PartitionsOfIndices", "trn3", "multiple of 16", [](int64_t p) { transpose_rows(16, p, 1); },
       16, 24},
      {"ColumnsOfIndices", "trn3", "128 partitions", [](int64_t p) { transpose_rows(32, p, 2); },
       128, 64},
      {"EnoughIndices", "trn3", "one step per index", [](int64_t p) { transpose_rows(64, p, 1); },
       64, 48},
      {"WidthByIndices", "trn3", "at most 128",
       [](int64_t width) { transpose_rows(16, 16, 1, width); }, 128, 129},
      {"TypeOfIndices", "trn3", "must be uint32",
       [](int64_t is_signed) { transpose_rows(16, 16, 1, 8, is_signed ? nl::int32 : nl::uint32); },
       0, 1},
      {"DimensionsOfIndices", "trn3", "two dimensions",
       [](int64_t dims) {
         Tensor indices = tile_of({0}, 16, 1, nl::uint32);
         if (dims == 1)
           indices = nl::ndarray({16}, nl::uint32);
         put(indices, {0});
         const Dim pattern[] = {{8, 16}, {1, 8}};
         nisa::dma_transpose(tile(8, 16, nl::bfloat16),
                             device({64, 8}, nl::bfloat16).ap_indirect(pattern, indices));
       },
       2, 1},
      {"TransposeByIndicesFromV3On", "trn2", "NeuronCore-v2",
       [](int64_t version) {
         chip::Hbm hbm;
         chip::Core core(chip::generation(version == 3 ? "trn2" : "trn1"), hbm);
         CoreScope scope(core);
         transpose_rows(16, 16, 1);
       },
       3, 2},
      {"Sources", "trn3", "1 to 16 tensors",
       [](int64_t n) {
         nisa::dma_compute(tile(4, 4), std::vector<Tensor>(size_t(n), ones(4, 4)), nl::add);
       },
       16, 17},
      {"OneSource", "trn3", "1 to 16 tensors",
       [](int64_t n) {
         nisa::dma_compute(tile(4, 4), std::vector<Tensor>(size_t(n), ones(4, 4)), nl::add);
       },
       1, 0},
      {"Priority", "trn3", "0 to 3",
       [](int64_t level) {
         nisa::dma_copy(tile(4, 4), ones(4, 4), nisa::oob_mode::error, dge_mode::unknown,
                        nisa::engine::unknown, int(level));
       },
       3, 4},
      {"NoNegativePriority", "trn3", "0 to 3",
       [](int64_t level) {
         nisa::dma_transpose(tile(4, 4), ones(4, 4), {}, dge_mode::unknown, nisa::oob_mode::error,
                             int(level));
       },
       0, -1},
      {"AddressesOfDmaCompute", "trn3", "known beforehand",
       [](int64_t dynamic) {
         Tensor table = device({3, 4, 4}, nl::float32);
         const Tensor known[] = {table.select(0, 1)};
         const Tensor unknown[] = {table.select(0, ScalarOffset(nisa::register_alloc(1)))};
         nisa::dma_compute(tile(4, 4), dynamic ? unknown : known, nl::add);
       },
       0, 1},
  };
}

std::vector<Limit> tiles() {
  return {
      {"GatherIndices", "trn3", "at most 4096",
       [](int64_t n) {
         nisa::local_gather(tile(16, n), ones(16, 8), tile_of({0}, 16, n / 16, nl::uint16));
       },
       4096, 4112},
      {"ElementsPerIndex", "trn3", "1, 2, 4, 8, 16 or 32",
       [](int64_t n) {
         nisa::local_gather(tile(16, 16 * n), ones(16, 64), tile_of({0}, 16, 1, nl::uint16),
                            int(n));
       },
       32, 64},
      {"ValidIndices", "trn3", "goes up to",
       [](int64_t n) {
         nisa::local_gather(tile(16, n), ones(16, 8), tile_of({0}, 16, 2, nl::uint16), 1, int(n));
       },
       32, 33},
      {"GatherFromTheLastElement", "trn3", "not below",
       [](int64_t at) {
         nisa::nc_n_gather(tile(4, 8), ones(4, 8), tile_of({float(at)}, 4, 8, nl::uint32));
       },
       7, 8},
      {"Statistics", "trn3", "at most 512",
       [](int64_t n) { nisa::bn_stats(tile(4, 6), ones(4, n)); }, 512, 513},
      {"Triples", "trn3", "multiple of 3", [](int64_t n) { nisa::bn_aggr(tile(4, 2), ones(4, n)); },
       9, 10},
      {"LeastForMax8", "trn3", "8 to 16384", [](int64_t n) { nisa::max8(tile(4, 8), ones(4, n)); },
       8, 7},
      {"MostForMax8", "trn3", "8 to 16384", [](int64_t n) { nisa::max8(tile(4, 8), ones(4, n)); },
       16384, 16385},
      {"MostForFindIndex8", "trn3", "8 to 16384",
       [](int64_t n) { nisa::nc_find_index8(tile(4, 8, nl::uint32), ones(4, n), ones(4, 8)); },
       16384, 16385},
      {"MostForMatchReplace8", "trn3", "8 to 16384",
       [](int64_t n) { nisa::nc_match_replace8(tile(4, n), ones(4, n), ones(4, 8), 0.0f); }, 16384,
       16385},
      {"DimensionsOfMax8", "trn3", "needs 3 free dimensions",
       [](int64_t dims) {
         Tensor three = nl::ndarray({4, 3, 3, 9}, nl::float32);
         put(three, {1});
         Tensor two = three.slice(3, 0, 8).slice(2, 0, 1);
         nisa::max8(tile(4, 8), dims == 2 ? two : three.slice(3, 0, 8).slice(2, 0, 2));
       },
       2, 3},
      {"LeastForTopk", "trn3", "at least 8",
       [](int64_t n) {
         nisa::topk(tile(16, 4, nl::bfloat16), tile(16, 4, nl::uint32), ones(16, 4, nl::bfloat16),
                    int(n));
       },
       8, 7},
      {"MostForTopk", "trn3", "below 65536",
       [](int64_t n) {
         nisa::topk(tile(16, 1, nl::bfloat16), tile(16, 1, nl::uint32),
                    ones(16, 4097, nl::bfloat16), int(n));
       },
       65535, 65536},
      {"TopkOfItsSource", "trn3", "n elements",
       [](int64_t n) {
         nisa::topk(tile(16, 4, nl::bfloat16), tile(16, 4, nl::uint32), ones(16, 4, nl::bfloat16),
                    int(n));
       },
       64, 65},
      {"ResultsOfTopk", "trn3", "at most n",
       [](int64_t k) {
         nisa::topk(tile(16, k, nl::bfloat16), tile(16, k, nl::uint32), ones(16, 4, nl::bfloat16),
                    20);
       },
       20, 21},
      {"Ranges", "trn3", "2^24",
       [](int64_t start) {
         nisa::range_select(tile(4, 8), ones(4, 8), nl::less, nl::less, ones(4, 1), ones(4, 1),
                            nisa::reduce_cmd::idle, {}, nl::maximum, int(start));
       },
       (1 << 24) - 8, (1 << 24) - 7},
      {"NegativeRanges", "trn3", "2^24",
       [](int64_t start) {
         nisa::range_select(tile(4, 8), ones(4, 8), nl::less, nl::less, ones(4, 1), ones(4, 1),
                            nisa::reduce_cmd::idle, {}, nl::maximum, int(start));
       },
       -(1 << 24), -(1 << 24) - 1},
      {"LevelsOfIota", "trn3", "1 to 4 levels",
       [](int64_t levels) {
         nisa::iota(tile(4, 1, nl::int32), std::vector<Dim>(size_t(levels), Dim{1, 1}));
       },
       4, 5},
      {"LevelsOfAffineSelect", "trn3", "1 to 4 levels",
       [](int64_t levels) {
         nisa::affine_select(tile(4, 1), std::vector<Dim>(size_t(levels), Dim{1, 1}), 0, ones(4, 1),
                             0.0f);
       },
       4, 5},
      {"DimensionsOfExponential", "trn3", "needs 4 free dimensions",
       [](int64_t dims) { nisa::exponential(scattered(4, dims), scattered(4, dims)); }, 3, 4},
      {"DimensionsOfAnInstruction", "trn3", "needs 5 free dimensions",
       [](int64_t dims) { nisa::reciprocal(scattered(4, dims), scattered(4, dims)); }, 4, 5},
      {"PsumElements", "trn3", "up to 4096 in PSUM",
       [](int64_t n) { nisa::memset(psum(4, n, nl::uint8), 0); }, 4096, 4097},
      {"SbufElements", "trn3", "up to 65536 in SBUF",
       [](int64_t n) { nisa::memset(tile(4, n, nl::uint8), 0); }, 65536, 65537},
      {"Stride", "trn3", "16-bit strides",
       [](int64_t stride) {
         nisa::memset(nl::ndarray({4, 2, stride}, nl::uint8).slice(2, 0, 1), 0);
       },
       32767, 32768},
      {"PartitionsOfATile", "trn3", "at most 128", [](int64_t p) { tile(p, 4); }, 128, 129},
      {"ProbabilityRange", "trn3", "less than max",
       [](int64_t max) { nisa::rand2(tile(4, 4), 0.0f, float(max)); }, 1, 0},
      {"SegmentIds", "trn3", "not be negative",
       [](int64_t id) { nisa::sequence_bounds(tile(1, 8), tile_of({float(id)}, 1, 4)); }, 0, -1},
      {"MxQuadrants", "trn3", "multiple of 32",
       [](int64_t p) {
         nisa::quantize_mx(tile(p, 2, nl::float8_e5m2_x4), ones(p, 8, nl::bfloat16),
                           tile(p, 2, nl::uint8));
       },
       96, 48},
      {"MxGroups", "trn3", "multiple of 4",
       [](int64_t n) {
         nisa::quantize_mx(tile(32, n / 4, nl::float8_e5m2_x4), ones(32, n, nl::bfloat16),
                           tile(32, 2, nl::uint8));
       },
       8, 6},
      {"ShuffleEntries", "trn3", "0 to 31, or 255",
       [](int64_t entry) {
         nisa::nc_stream_shuffle(tile(32, 4), ones(32, 4), std::vector<int>(32, int(entry)));
       },
       31, 32},
      {"ShuffleMask", "trn3", "32 entries",
       [](int64_t n) {
         nisa::nc_stream_shuffle(tile(32, 4), ones(32, 4), std::vector<int>(size_t(n), 0));
       },
       32, 31},
      {"ReductionOverRepeatedElements", "trn3", "may not hold elements that repeat",
       [](int64_t repeats) {
         Tensor dst = repeats ? tile(4, 1).broadcast(1, 8) : tile(4, 8);
         nisa::select_reduce(dst, ones(4, 8, nl::uint8), ones(4, 8), 0.0f, tile(4, 1),
                             nisa::reduce_cmd::reset_reduce);
       },
       0, 1},
  };
}

class DocumentedLimits : public testing::TestWithParam<Limit> {};

TEST_P(DocumentedLimits, AllowTheLastAndRefuseTheNext) {
  const Limit &limit = GetParam();
  chip::Hbm hbm;
  chip::Core core(chip::generation(limit.generation), hbm);
  CoreScope scope(core);
  EXPECT_NO_THROW(limit.call(limit.legal));
  EXPECT_RULE(limit.call(limit.illegal), limit.rule);
}

std::vector<Limit> limits() {
  std::vector<Limit> all;
  for (auto *part : {products, transfers, tiles})
    for (Limit &limit : part())
      all.push_back(std::move(limit));
  return all;
}
INSTANTIATE_TEST_SUITE_P(All, DocumentedLimits, testing::ValuesIn(limits()),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace nki::documented
