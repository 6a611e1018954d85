#include "host/rewriter.h"

namespace neuronify::rewrite {

Rewriters all_rewriters(Context &context) {
  Rewriters all;
  all.push_back(kernel_stubs(context));
  all.push_back(device_functions(context));
  all.push_back(variables(context));
  all.push_back(kernel_launches(context));
  all.push_back(lambdas(context));
  all.push_back(api_names(context));
  all.push_back(qualifiers(context));
  all.push_back(macros(context));
  all.push_back(reserved_names(context));
  all.push_back(includes(context));
  all.push_back(registration(context));
  return all;
}

} // namespace neuronify::rewrite
