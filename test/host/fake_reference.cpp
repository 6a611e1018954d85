// A reference runner for tests: its "bitcode" is a text that says what to do, and its kernels are
// known by name.
#include "reference/reference.h"

#include <cstring>

namespace {

using namespace neuronify::reference;

class FakeModule : public Module {
public:
  explicit FakeModule(std::string text) : text_(std::move(text)) {}

  Result run(std::string_view mangled, Dim3 grid, Dim3 block, uint32_t,
             std::span<void *const> arguments, const Memory &memory,
             const Checks &checks) override {
    if (text_ == "broken")
      return {false, "the bitcode is broken", {}};
    Result result{true, "", {}};
    if (mangled == "fill") {
      float *out, value;
      std::memcpy(&out, arguments[0], sizeof out);
      std::memcpy(&value, arguments[1], sizeof value);
      auto [start, size] = memory.allocation(out + 1);
      if (start != out)
        return {false, "the allocation was not found", {}};
      for (size_t i = 0; i < size / 4 && i < size_t(grid.x) * block.x; ++i)
        out[i] = value;
    } else if (mangled == "count") {
      auto *counter = static_cast<int *>(memory.symbol("counter"));
      if (!counter || memory.symbol("nothing"))
        return {false, "symbols are wrong", {}};
      ++*counter;
    } else if (mangled == "missing") {
      (*static_cast<float **>(arguments[0]))[700] = 5;
    } else {
      return {false, "no kernel '" + std::string(mangled) + "'", {}};
    }
    if (checks.watched)
      result.writer = Writer{{5, 0, 0}, {60, 0, 0}, "k.cu", 14, 1};
    if (checks.shared_races)
      result.findings.push_back({"race", "threads 0 and 1", "k.cu", 7, {1, 2, 3}, {4, 5, 6}});
    return result;
  }

private:
  std::string text_;
};

} // namespace

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
extern "C" std::unique_ptr<Module> neuronify_reference_load(const void *bitcode, size_t size,
                                                            std::string *error) {
  std::string text(static_cast<const char *>(bitcode), size);
  if (text == "unreadable") {
    *error = "this is no bitcode";
    return nullptr;
  }
  return std::make_unique<FakeModule>(text);
}
