// What kernels say: printf, failed assertions and traps.
//
// A print statement moves the values of its lanes to device memory and the host formats them, as C
// does. Which lanes come first in a wave has no meaning, so the records say block and thread, and
// the runtime prints them in that order when the launch is done.
#pragma once

#include "lanes/index.h"
#include "lanes/launch.h"
#include "lanes/mask.h"
#include "lanes/wide.h"

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <vector>

namespace nki {

/// What one thread has printed.
struct Printed {
  uint64_t block = 0; ///< linear number, x first
  uint32_t thread = 0;
  std::string text;
};

/// While it lives, what the lanes of this thread's core print goes to `sink`, in the order of
/// statements. (Like CoreScope: emitted kernels do not hand it on.)
class PrintScope {
public:
  explicit PrintScope(std::vector<Printed> &sink);
  ~PrintScope();
  PrintScope(const PrintScope &) = delete;
  PrintScope &operator=(const PrintScope &) = delete;

private:
  std::vector<Printed> *outer_;
};

/// Where that is now; null outside of every PrintScope.
std::vector<Printed> *current_print_sink();

/// One value of a print statement: the same for all lanes, launch-known, or on the chip (float32,
/// int32, or a pair of words, which may be the bits of a double); or a string, perhaps one of some.
struct PrintValue {
  enum class Kind : uint8_t { integer, real, text, index, tile, wide };

  PrintValue(int value) : kind(Kind::integer), integer(value) {}
  PrintValue(unsigned value) : kind(Kind::integer), integer(value) {}
  PrintValue(long value) : kind(Kind::integer), integer(value) {}
  PrintValue(unsigned long value) : kind(Kind::integer), integer(int64_t(value)) {}
  PrintValue(long long value) : kind(Kind::integer), integer(value) {}
  PrintValue(unsigned long long value) : kind(Kind::integer), integer(int64_t(value)) {}
  PrintValue(double value) : kind(Kind::real), real(value) {}
  PrintValue(const char *value) : kind(Kind::text), strings{value} {}
  PrintValue(const Index &value) : kind(Kind::index), index(value) {}
  PrintValue(const Tensor &value) : kind(Kind::tile), tile(value) {}
  PrintValue(const Wide &value) : kind(Kind::wide), tile(value.low), high(value.high) {}
  /// String number `which`.
  template <class Which>
  PrintValue(const Which &which, std::vector<const char *> strings) : PrintValue(which) {
    this->strings = std::move(strings);
  }

  Kind kind;
  int64_t integer = 0;
  double real = 0;
  Index index;
  Tensor tile, high;
  std::vector<const char *> strings;
};

/// printf(format, values...) for the lanes of `mask`.
void print(const Wave &wave, const char *format, std::initializer_list<PrintValue> values,
           const Mask &mask);

/// What ends a launch: thrown where a lane's assertion fails, or where one comes to a trap.
class KernelStopped : public std::exception {
public:
  KernelStopped(bool is_assertion, uint64_t block, std::string text)
      : is_assertion(is_assertion), block(block), text_(std::move(text)) {}
  const char *what() const noexcept override { return text_.c_str(); }
  bool is_assertion; ///< else a trap
  uint64_t block;    ///< linear number of the first block with such a lane

private:
  std::string text_; ///< CUDA's line for each lane of the wave, in the order of threads
};

/// The lanes of `mask`, if there are any, have failed the assertion `condition`.
void assert_fail(const Wave &wave, const char *condition, const char *file, int line,
                 const char *function, const Mask &mask);
/// The lanes of `mask`, if there are any, have come to a trap.
void trap(const Wave &wave, const Mask &mask);

} // namespace nki
