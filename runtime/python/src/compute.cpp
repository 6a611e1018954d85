// nki.isa: element-wise instructions, activation, reductions, random numbers.
#include "call.h"
#include "nki/error.h"

namespace nki::python {

namespace {

void tensor_reduce(const Call &c) {
  std::vector<int> axis = c.integers(3);
  auto run = [&](std::initializer_list<int> list) {
    isa::tensor_reduce(c.tensor(0), c.op(1), c.tensor(2), list, c.flag(4), c.flag(5));
  };
  for (int &dim : axis)
    if (dim < 0)
      dim += c.tensor(2).ndim();
  switch (axis.size()) {
  case 1:
    return run({axis[0]});
  case 2:
    return run({axis[0], axis[1]});
  case 3:
    return run({axis[0], axis[1], axis[2]});
  case 4:
    return run({axis[0], axis[1], axis[2], axis[3]});
  default:
    throw Error("nisa.tensor_reduce", "one to four dimensions are reduced");
  }
}

constexpr Handler handlers[] = {
    {"tensor_tensor",
     [](const Call &c) {
       isa::tensor_tensor(c.tensor(0), c.tensor(1), c.tensor(2), c.op(3), c.engine(4));
     }},
    {"tensor_scalar",
     [](const Call &c) {
       isa::tensor_scalar(c.tensor(0), c.tensor(1), c.op(2), c.operand(3), c.flag(4), c.op(5),
                          c.operand(6), c.flag(7), c.engine(8));
     }},
    {"scalar_tensor_tensor",
     [](const Call &c) {
       isa::scalar_tensor_tensor(c.tensor(0), c.tensor(1), c.op(2), c.operand(3), c.op(4),
                                 c.tensor(5), c.flag(6), c.flag(7));
     }},
    {"reciprocal", [](const Call &c) { isa::reciprocal(c.tensor(0), c.tensor(1)); }},
    {"activation",
     [](const Call &c) {
       isa::activation(c.tensor(0), c.op(1), c.tensor(2), c.operand(3), c.operand(4), c.op(5),
                       c.tensor(6), c.command(7));
     }},
    {"activation_reduce",
     [](const Call &c) {
       isa::activation_reduce(c.tensor(0), c.op(1), c.tensor(2), c.op(3), c.tensor(4), c.operand(5),
                              c.operand(6));
     }},
    {"activate2",
     [](const Call &c) {
       isa::activate2(c.tensor(0), c.op(1), c.tensor(2), c.operand(3), c.operand(4), c.op(5),
                      c.op(6), c.operand(7), c.flag(8), c.flag(9), c.op(10), c.tensor(11),
                      c.command(12));
     }},
    {"exponential",
     [](const Call &c) {
       isa::exponential(c.tensor(0), c.tensor(1), c.operand(2), c.tensor(3), c.command(4),
                        c.operand(5));
     }},
    {"tensor_reduce", &tensor_reduce},
    {"tensor_scalar_reduce",
     [](const Call &c) {
       isa::tensor_scalar_reduce(c.tensor(0), c.tensor(1), c.op(2), c.operand(3), c.op(4),
                                 c.tensor(5), c.flag(6), c.command(7), c.operand(8), c.flag(9));
     }},
    {"tensor_tensor_scan",
     [](const Call &c) {
       isa::tensor_tensor_scan(c.tensor(0), c.tensor(1), c.tensor(2), c.operand(3), c.op(4),
                               c.op(5), c.flag(6), c.flag(7));
     }},
    {"tensor_scalar_cumulative",
     [](const Call &c) {
       isa::tensor_scalar_cumulative(c.tensor(0), c.tensor(1), c.op(2), c.op(3), c.operand(4),
                                     c.operand(5), c.command(6));
     }},
    {"tensor_partition_reduce",
     [](const Call &c) { isa::tensor_partition_reduce(c.tensor(0), c.op(1), c.tensor(2)); }},
    {"bn_stats", [](const Call &c) { isa::bn_stats(c.tensor(0), c.tensor(1)); }},
    {"bn_aggr", [](const Call &c) { isa::bn_aggr(c.tensor(0), c.tensor(1)); }},
    {"rng", [](const Call &c) { isa::rng(c.tensor(0), c.engine(1)); }},
    {"rand2", [](const Call &c) { isa::rand2(c.tensor(0), c.operand(1), c.operand(2)); }},
    {"dropout", [](const Call &c) { isa::dropout(c.tensor(0), c.tensor(1), c.operand(2)); }},
    {"set_rng_seed", [](const Call &c) { isa::set_rng_seed(c.tensor(0)); }},
    {"rand_set_state", [](const Call &c) { isa::rand_set_state(c.tensor(0), c.engine(1)); }},
    {"rand_get_state", [](const Call &c) { isa::rand_get_state(c.tensor(0), c.engine(1)); }},
};

} // namespace

std::span<const Handler> compute_handlers() { return handlers; }

} // namespace nki::python
