// neuronify_nki._chip: the model behind the Python package. Not for direct use.
#include "call.h"
#include "errors.h"
#include "launch.h"
#include "tensor.h"
#include "types.h"

PYBIND11_MODULE(_chip, module) {
  using namespace nki::python;
  bind_errors(module);
  bind_types(module);
  bind_launch(module);
  bind_tensor(module);
  bind_arrays(module);
  bind_calls(module);
  bind_collectives(module);
}
