// nki.isa: data movement, matrix product, registers.
#include "call.h"
#include "nki/error.h"

namespace nki::python {

namespace {

isa::MatmulOptions matmul_options(const Call &c) {
  isa::MatmulOptions options;
  options.is_stationary_onezero = c.flag(3);
  options.is_moving_onezero = c.flag(4);
  options.is_transpose = c.flag(5);
  options.accumulate = c.optional_flag(6);
  options.tile_position = c.optional_pair(7);
  options.tile_size = c.optional_pair(8);
  options.perf_mode = c.perf_mode(9);
  return options;
}

isa::MatmulMxOptions matmul_mx_options(const Call &c) {
  isa::MatmulMxOptions options;
  options.tile_position = c.optional_pair(5);
  options.tile_size = c.optional_pair(6);
  options.accumulate = c.optional_flag(7);
  return options;
}

void register_move(const Call &c) {
  if (is_dynamic_index(c.object(1)))
    isa::register_move(c.reg(0), int32_t(index_value(c.object(1))));
  else
    isa::register_move(c.reg(0), int32_t(c.integer(1)));
}

void register_store(const Call &c) {
  if (py::isinstance<isa::Register>(py::handle(c.object(1))))
    return isa::register_store(c.tensor(0), c.reg(1));
  isa::register_store(c.tensor(0), isa::register_alloc(int32_t(c.integer(1))));
}

void core_barrier(const Call &c) {
  std::vector<int> cores = c.integers(1);
  const Tensor &data = c.tensor(0);
  isa::engine on = c.engine(2);
  py::gil_scoped_release others; // they come while this core waits
  isa::core_barrier(data, cores, on);
}

void sendrecv(const Call &c) {
  const Tensor &src = c.tensor(0), &dst = c.tensor(1);
  int to = int(c.integer(2)), from = int(c.integer(3)), pipe = int(c.integer(4));
  auto mode = isa::dma_engine(enum_value("dma_engine", c.object(5)));
  py::gil_scoped_release others;
  isa::sendrecv(src, dst, to, from, pipe, mode);
}

constexpr Handler handlers[] = {
    {"core_barrier", &core_barrier},
    {"sendrecv", &sendrecv},
    {"dma_copy",
     [](const Call &c) {
       isa::dma_copy(c.tensor(0), c.tensor(1), c.oob(3), c.dge(4), c.engine(5),
                     c.optional_integer(2));
     }},
    {"dma_transpose",
     [](const Call &c) {
       isa::dma_transpose(c.tensor(0), c.tensor(1), c.integers(2), c.dge(4), c.oob(5),
                          c.optional_integer(3));
     }},
    {"dma_compute",
     [](const Call &c) {
       isa::dma_compute(c.tensor(0), c.tensors(1), c.op(2), c.numbers(3), c.flag(4), c.oob(5));
     }},
    {"tensor_copy", [](const Call &c) { isa::tensor_copy(c.tensor(0), c.tensor(1), c.engine(2)); }},
    {"memset", [](const Call &c) { isa::memset(c.tensor(0), c.operand(1), c.engine(2)); }},
    {"tensor_copy_predicated",
     [](const Call &c) {
       isa::tensor_copy_predicated(c.tensor(0), c.operand(1), c.tensor(2), c.flag(3));
     }},
    {"nc_stream_shuffle",
     [](const Call &c) { isa::nc_stream_shuffle(c.tensor(0), c.tensor(1), c.integers(2)); }},
    {"nc_transpose",
     [](const Call &c) { isa::nc_transpose(c.tensor(0), c.tensor(1), c.engine(2)); }},
    {"nc_matmul",
     [](const Call &c) {
       isa::nc_matmul(c.tensor(0), c.tensor(1), c.tensor(2), matmul_options(c));
     }},
    {"nc_matmul_mx",
     [](const Call &c) {
       isa::nc_matmul_mx(c.tensor(0), c.tensor(1), c.tensor(2), c.tensor(3), c.tensor(4),
                         matmul_mx_options(c));
     }},
    {"quantize_mx", [](const Call &c) { isa::quantize_mx(c.tensor(0), c.tensor(1), c.tensor(2)); }},
    {"register_load", [](const Call &c) { isa::register_load(c.reg(0), c.tensor(1)); }},
    {"register_move", &register_move},
    {"register_store", &register_store},
};

} // namespace

std::span<const Handler> data_movement_handlers() { return handlers; }

} // namespace nki::python
