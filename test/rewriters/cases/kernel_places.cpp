#include "neuronify.h"
#include "kernel_places_kernels.h"

void declared_first(int *p);
// Ported as kernel_places_kernels::with_c_linkage.
extern "C" void with_c_linkage(int * /*p*/) { neuronify::kernel_stub("with_c_linkage"); }
// Ported as kernel_places_kernels::file_local.
static void file_local(int * /*p*/) { neuronify::kernel_stub("file_local"); }
namespace {
// Ported as kernel_places_kernels::hidden.
void hidden(int * /*p*/) { neuronify::kernel_stub("hidden"); }
} // namespace
namespace a::b {
// Ported as kernel_places_kernels::a_b_nested.
void nested(int * /*p*/) { neuronify::kernel_stub("a::b::nested"); }
} // namespace a::b
struct Solver {
  // Ported as kernel_places_kernels::Solver_member.
  static void member(int * /*p*/) { neuronify::kernel_stub("Solver::member"); }
};

// Ported as kernel_places_kernels::on_two_lines.
void on_two_lines(
    int * /*p*/,       // the output
    const int /*n*/,
    int /*values*/[4]) { neuronify::kernel_stub("on_two_lines"); }

/// A kernel whose name is long.
// Ported as kernel_places_kernels::a_kernel_with_a_rather_long_name_int.
template <typename Element>
void a_kernel_with_a_rather_long_name(Element * /*destination*/, Element /*source*/, int /*count*/, void (*)(int)) {
  neuronify::kernel_stub("a_kernel_with_a_rather_long_name");
}

// Ported as kernel_places_kernels::declared_first.
void declared_first(int * /*p*/) { neuronify::kernel_stub("declared_first"); }
template void a_kernel_with_a_rather_long_name<int>(int *, int, int, void (*)(int));

void run(int *p, neuronify::Stream_t stream) {
  neuronify::launch(declared_first, 1, 1, 0, nullptr, p);
  neuronify::launch(with_c_linkage, 1, 1, 0, nullptr, p);
  neuronify::launch(file_local, 1, 1, 0, nullptr, p);
  neuronify::launch(hidden, 1, 1, 0, nullptr, p);
  neuronify::launch(a::b::nested, 1, 1, 0, nullptr, p);
  neuronify::launch(Solver::member, 1, 1, 0, nullptr, p);
  neuronify::launch(on_two_lines, dim3(1, 2, 3), dim3(4), 0, nullptr,
      p, 3,
      p);
  void *args[] = {&p};
  neuronify::launchKernel((const void *)hidden, 1, 1, args, 0, stream);
  neuronify::launchKernel((void *)a::b::nested, dim3(1), dim3(1), args, 0, 0);
}

// Ties the kernels to their ports in kernel_places_kernels.cpp, before constructors of global
// objects run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration registration(
    NEURONIFY_DEVICE_IR_FOLDER, "kernel_places.bc",
    {neuronify::KernelStub(with_c_linkage, kernel_places_kernels::with_c_linkage),
     neuronify::KernelStub(file_local, kernel_places_kernels::file_local),
     neuronify::KernelStub(hidden, kernel_places_kernels::hidden),
     neuronify::KernelStub(a::b::nested, kernel_places_kernels::a_b_nested),
     neuronify::KernelStub(Solver::member, kernel_places_kernels::Solver_member),
     neuronify::KernelStub(on_two_lines, kernel_places_kernels::on_two_lines),
     neuronify::KernelStub(a_kernel_with_a_rather_long_name<int>,
                           kernel_places_kernels::a_kernel_with_a_rather_long_name_int),
     neuronify::KernelStub(declared_first, kernel_places_kernels::declared_first)});
} // namespace
