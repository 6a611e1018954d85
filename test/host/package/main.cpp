#include "neuronify.h"
#include "neuronify_kernel.h"

#include <cstdio>

namespace {

void answer(int *out) { (void)out; }
const neuronify::Kernel kAnswer{"answer",
                                "answer",
                                "answer.cu",
                                1,
                                [](nki::Launch &launch) {
                                  if (launch.core == 0)
                                    *launch.pointer<int>(0).pointer = 42;
                                },
                                "",
                                nullptr};
const neuronify::Registration registration("", "answer.bc", {{answer, kAnswer}});

} // namespace

int main() {
  int *device, value = 0;
  neuronify::malloc(&device, sizeof(int));
  neuronify::launch(answer, 1, 1, 0, 0, device);
  neuronify::memcpy(&value, device, sizeof(int), neuronify::MemcpyDeviceToHost);
  std::printf("%d\n", value);
  return value == 42 ? 0 : 1;
}
