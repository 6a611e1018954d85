#include "launch.h"

#include "nki/describe.h"
#include "nki/error.h"
#include "types.h"

#include <pybind11/stl.h>

#include "chip/report.h"
#include "chip/storage.h"
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

namespace nki::python {

namespace {

thread_local Running *current = nullptr; // see Scope

chip::Generation with_room(chip::Generation generation) {
  generation.sbuf_partition_bytes *= 64;
  generation.psum_banks *= 64;
  return generation;
}

} // namespace

chip::Hbm &device_memory() {
  // Never destroyed: arrays that Python still holds lie in it.
  static chip::Hbm *memory = new chip::Hbm;
  return *memory;
}

Launch::Launch(const std::string &generation, int cores_per_rank, Options options)
    : generation_(options.check_capacity ? chip::generation(generation)
                                         : with_room(chip::generation(generation))),
      options_(options),
      group_(std::make_unique<chip::CoreGroup>(
          generation_, device_memory(), chip::CoreGroup::Shape{options.ranks, cores_per_rank})) {
  for (int i = 0; i < cores(); ++i)
    core(i).timeline().trace(options.trace);
}

void Launch::run(const py::function &body, int grid) {
  py::gil_scoped_release others;
  group_->run([&](chip::Core &core) {
    Running state{this, core.index(), grid};
    Running *outer = std::exchange(current, &state);
    {
      py::gil_scoped_acquire python;
      body(core.index());
    }
    current = outer;
  });
}

Running *running() { return current; }

Running &require_running(const char *what) {
  if (!current)
    throw Error(what, "only inside of a kernel that runs");
  return *current;
}

TracedLine::TracedLine() {
  if (!current || !current->launch->options().trace)
    return;
  Place place = current_place();
  if (!place.file)
    return;
  static auto *files = new std::set<std::string>; // names outlive the trace
  const std::string &file = *files->insert(py::cast<std::string>(place.file)).first;
  line_.emplace(file.c_str(), place.line);
}

namespace {

std::vector<int64_t> sizes_of(py::handle shape) {
  if (PyIndex_Check(shape.ptr()))
    return {int64_t(PyNumber_AsSsize_t(shape.ptr(), nullptr))};
  std::vector<int64_t> sizes;
  for (py::handle size : shape)
    sizes.push_back(int64_t(PyNumber_AsSsize_t(size.ptr(), nullptr)));
  if (PyErr_Occurred())
    throw py::error_already_set();
  return sizes;
}

/// (partition, byte)
language::Address address_of(py::handle address) {
  const std::vector<int64_t> place = sizes_of(address);
  if (place.size() != 2)
    throw Error("nl.ndarray", "address is (partition, byte)");
  return {place[0], place[1]};
}

py::object ndarray(py::handle shape, py::handle dtype, py::handle buffer, const std::string &name,
                   py::handle address) {
  require_running("nl.ndarray");
  Region region = region_of(buffer.ptr());
  std::vector<int64_t> sizes = sizes_of(shape);
  Buffer where = region == Region::sbuf         ? Buffer::sbuf
                 : region == Region::psum       ? Buffer::psum
                 : region == Region::shared_hbm ? Buffer::shared_hbm
                                                : Buffer::hbm;
  bool on_chip = where == Buffer::sbuf || where == Buffer::psum;
  Tensor fresh = address.is_none() || !on_chip
                     ? language::ndarray(sizes, dtype_of(dtype), where, name)
                     : language::ndarray(sizes, dtype_of(dtype), where, name, address_of(address));
  return wrap(fresh, region);
}

py::dict summary_of(Launch &launch, int index) {
  chip::Core &core = launch.core(index);
  const chip::Summary &summary = core.timeline().summary();
  py::dict busy;
  for (int unit = 0; unit < chip::kUnits; ++unit)
    busy[py::str(std::string(chip::name_of(chip::Unit(unit))))] = summary.busy[size_t(unit)];
  double share = launch.generation().hbm_bytes_per_second / double(launch.generation().cores);
  py::dict result;
  result["seconds"] = summary.seconds;
  result["busy_seconds"] = busy;
  result["hbm_bytes"] = summary.hbm_bytes;
  result["instructions"] = summary.instructions;
  result["bound"] = summary.bound(share);
  result["hbm_bytes_per_second"] = share;
  chip::Utilisation used = chip::utilisation(summary, launch.generation());
  result["hbm_utilisation"] = used.hbm;
  result["mfu"] = used.mfu;
  result["flops_per_byte"] = used.intensity;
  result["report"] = chip::report(core.timeline(), launch.generation());
  result["sbuf_peak_bytes"] = core.peak(Buffer::sbuf);
  result["psum_peak_bytes"] = core.peak(Buffer::psum);
  return result;
}

std::string events_of(Launch &launch, int index) {
  std::ostringstream out;
  launch.core(index).timeline().write_events(out, index, 0);
  return out.str();
}

} // namespace

void bind_launch(py::module_ &module) {
  using namespace py::literals;
  py::class_<Launch, std::shared_ptr<Launch>>(module, "Launch")
      .def(py::init([](const std::string &generation, int cores_per_rank, int ranks, bool trace,
                       bool capacity) {
             return std::make_shared<Launch>(generation, cores_per_rank,
                                             Launch::Options{ranks, trace, capacity});
           }),
           "generation"_a, "cores_per_rank"_a, "ranks"_a = 1, "trace"_a = false,
           "check_capacity"_a = true)
      .def_property_readonly("cores", &Launch::cores)
      .def("run", &Launch::run, "body"_a, "grid"_a)
      .def("summary", &summary_of)
      .def("events", &events_of);
  module.def("is_running", [] { return running() != nullptr; });
  module.def("program_id", [] {
    require_running("nl.program_id");
    return current_core().place.program;
  });
  module.def("grid", [] { return require_running("nl.num_programs").grid; });
  module.def("core_version", [] {
    return require_running("nisa.get_nc_version").launch->generation().core_version;
  });
  module.def("ndarray", &ndarray, "shape"_a, "dtype"_a, "buffer"_a, "name"_a, "address"_a);
  module.def("generation_facts", [](const std::string &name) {
    const chip::Generation &facts = chip::generation(name);
    py::dict result;
    result["core_version"] = facts.core_version;
    result["sbuf_partition_bytes"] = facts.sbuf_partition_bytes;
    result["psum_bank_bytes"] = facts.psum_bank_bytes;
    result["psum_banks"] = facts.psum_banks;
    return result;
  });

  py::class_<isa::Register>(module, "VirtualRegister", "A register of an engine.")
      .def("__int__", &isa::Register::value)
      .def("__index__", &isa::Register::value)
      .def("__bool__", [](const isa::Register &r) { return r.value() != 0; })
      .def("__repr__", [](const isa::Register &) { return "<VirtualRegister>"; });
  module.def("register_alloc", [](py::handle x) {
    if (x.is_none())
      return isa::register_alloc();
    return isa::register_alloc(int32_t(index_value(x)));
  });
}

} // namespace nki::python
