// nki.collectives: what the ranks of a launch do together. Waiting is done without Python's lock.
#include "nki/collectives.h"

#include "call.h"

#include <pybind11/stl.h>

#include <string>

namespace nki::python {

namespace {

using Groups = std::vector<std::vector<int>>;
using Priority = std::optional<int>;
namespace ncc = collectives;

std::vector<Tensor> tensors_of(py::handle list) {
  std::vector<Tensor> tensors;
  for (py::handle item : list) {
    const PyTensor *tensor = tensor_of(item.ptr());
    if (!tensor)
      throw py::type_error("collectives work on lists of tensors, not on " +
                           py::cast<std::string>(py::repr(item)));
    tensors.push_back(tensor->view);
  }
  return tensors;
}

/// f(srcs, dsts) while other threads may use Python.
template <class F> void together(py::handle srcs, py::handle dsts, F &&f) {
  std::vector<Tensor> from = tensors_of(srcs), to = tensors_of(dsts);
  py::gil_scoped_release others;
  f(from, to);
}

} // namespace

void bind_collectives(py::module_ &parent) {
  py::module_ module = parent.def_submodule("collectives");
  module.def("all_reduce", [](py::handle srcs, py::handle dsts, const Groups &groups, py::handle op,
                              Priority priority) {
    language::Op reduce = op_of(op.ptr());
    together(srcs, dsts,
             [&](auto &from, auto &to) { ncc::all_reduce(from, to, {groups}, reduce, priority); });
  });
  module.def("all_gather", [](py::handle srcs, py::handle dsts, const Groups &groups, int dim,
                              Priority priority) {
    together(srcs, dsts,
             [&](auto &from, auto &to) { ncc::all_gather(from, to, {groups}, dim, priority); });
  });
  module.def("reduce_scatter", [](py::handle srcs, py::handle dsts, const Groups &groups, int dim,
                                  py::handle op, Priority priority) {
    language::Op reduce = op_of(op.ptr());
    together(srcs, dsts, [&](auto &from, auto &to) {
      ncc::reduce_scatter(from, to, {groups}, dim, reduce, priority);
    });
  });
  module.def("all_to_all", [](py::handle srcs, py::handle dsts, const Groups &groups, int dim,
                              Priority priority) {
    together(srcs, dsts,
             [&](auto &from, auto &to) { ncc::all_to_all(from, to, {groups}, dim, priority); });
  });
  module.def("all_gather_v", [](py::handle srcs, py::handle dsts, const Groups &groups,
                                const PyTensor &metadata, bool known, bool displacements,
                                Priority priority) {
    together(srcs, dsts, [&](auto &from, auto &to) {
      ncc::all_gather_v(from, to, {groups}, metadata.view, known, displacements, priority);
    });
  });
  module.def("all_to_all_v", [](py::handle srcs, py::handle dsts, const Groups &groups,
                                const PyTensor &metadata, bool known, bool displacements,
                                Priority priority) {
    together(srcs, dsts, [&](auto &from, auto &to) {
      ncc::all_to_all_v(from, to, {groups}, metadata.view, known, displacements, priority);
    });
  });
  module.def("collective_permute", [](py::handle srcs, py::handle dsts,
                                      const std::vector<std::pair<int, int>> &pairs,
                                      Priority priority) {
    together(srcs, dsts,
             [&](auto &from, auto &to) { ncc::collective_permute(from, to, pairs, priority); });
  });
  module.def("collective_permute_implicit",
             [](py::handle srcs, py::handle dsts, const Groups &groups,
                const std::vector<int> &channels, Priority priority) {
               together(srcs, dsts, [&](auto &from, auto &to) {
                 ncc::collective_permute_implicit(from, to, {groups}, channels, priority);
               });
             });
  module.def("collective_permute_implicit_reduce",
             [](py::handle srcs0, py::handle srcs1, py::handle dsts, const Groups &groups,
                py::handle op, const std::vector<int> &channels, Priority priority) {
               language::Op reduce = op_of(op.ptr());
               std::vector<Tensor> second = tensors_of(srcs1);
               together(srcs0, dsts, [&](auto &from, auto &to) {
                 ncc::collective_permute_implicit_reduce(from, second, to, {groups}, reduce,
                                                         channels, priority);
               });
             });
  module.def("current_processing_rank_id", [](int iteration, const Groups &groups, int channel) {
    return ncc::collective_permute_implicit_current_processing_rank_id(iteration, {groups},
                                                                       channel);
  });
  module.def("rank_id", &ncc::rank_id);
}

} // namespace nki::python
