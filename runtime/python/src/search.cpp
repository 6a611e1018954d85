// nki.isa: search, selection, index generation, gathers.
#include "call.h"

namespace nki::python {

namespace {

constexpr Handler handlers[] = {
    {"max8", [](const Call &c) { isa::max8(c.tensor(0), c.tensor(1)); }},
    {"nc_find_index8",
     [](const Call &c) { isa::nc_find_index8(c.tensor(0), c.tensor(1), c.tensor(2)); }},
    {"nc_match_replace8",
     [](const Call &c) {
       isa::nc_match_replace8(c.tensor(0), c.tensor(1), c.tensor(2), float(c.number(3)),
                              c.tensor(4));
     }},
    {"select_reduce",
     [](const Call &c) {
       isa::select_reduce(c.tensor(0), c.tensor(1), c.tensor(2), c.operand(3), c.tensor(4),
                          c.command(5), c.op(6), c.flag(7));
     }},
    {"range_select",
     [](const Call &c) {
       isa::range_select(c.tensor(0), c.tensor(1), c.op(2), c.op(3), c.tensor(4), c.tensor(5),
                         c.command(6), c.tensor(7), c.op(8), int(c.integer(9)));
     }},
    {"affine_select",
     [](const Call &c) {
       isa::affine_select(c.tensor(0), c.pattern(1), int32_t(c.integer(2)), c.tensor(3),
                          float(c.number(4)), c.op(5), int32_t(c.integer(6)));
     }},
    {"iota",
     [](const Call &c) {
       isa::iota(c.tensor(0), c.pattern(1), int32_t(c.integer(2)), int32_t(c.integer(3)));
     }},
    {"nc_n_gather", [](const Call &c) { isa::nc_n_gather(c.tensor(0), c.tensor(1), c.tensor(2)); }},
    {"local_gather",
     [](const Call &c) {
       std::optional<int> valid;
       if (!c.is_none(4))
         valid = int(c.integer(4));
       isa::local_gather(c.tensor(0), c.tensor(1), c.tensor(2), int(c.integer(3)), valid);
     }},
    {"nonzero_with_count",
     [](const Call &c) {
       isa::nonzero_with_count(c.tensor(0), c.tensor(1), int32_t(c.integer(2)),
                               int32_t(c.integer(3)));
     }},
    {"topk",
     [](const Call &c) { isa::topk(c.tensor(0), c.tensor(1), c.tensor(2), int(c.integer(3))); }},
    {"sequence_bounds", [](const Call &c) { isa::sequence_bounds(c.tensor(0), c.tensor(1)); }},
};

} // namespace

std::span<const Handler> search_handlers() { return handlers; }

} // namespace nki::python
