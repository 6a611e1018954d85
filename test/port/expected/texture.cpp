// Texture and surface objects: one statement per component, the modes at launch.
#include "neuronify.h"
#include "texture_kernels.h"

// Ported as texture_kernels::brighten.
void brighten(neuronify::TextureObject_t /*image*/, neuronify::SurfaceObject_t /*out*/, float /*gain*/, int /*width*/,
                         int /*height*/) { neuronify::kernel_stub("brighten"); }

void run(neuronify::TextureObject_t image, neuronify::SurfaceObject_t out, int width, int height) {
  neuronify::launch(brighten, dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, nullptr, image, out, 1.25f, width,
                                                                          height);
}

// Ties the kernels to their ports in texture_kernels.cpp, before constructors of global objects
// run.
namespace {
[[gnu::init_priority(101)]] const neuronify::Registration
    registration(NEURONIFY_DEVICE_IR_FOLDER, "texture.bc",
                 {neuronify::KernelStub(brighten, texture_kernels::brighten)});
} // namespace
