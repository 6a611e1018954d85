// Predicted times against the only whole-kernel device times that AWS has published: the three
// kernels of the fused Mamba tutorial on Trainium1, written from its description.
#include "chip/core.h"
#include "nki/isa.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace nki {
namespace {

constexpr int64_t kChannels = 128, kStates = 16;
/// Start-up and tear-down, which the published times include without saying how long they are. The
/// one figure that is fitted to a single time (the shortest).
constexpr double kLaunch = 40e-6;

struct Problem {
  int64_t channels, length;
};

class Mamba {
public:
  Mamba(const Problem &problem) : problem_(problem) {
    CoreScope scope(core_);
    auto device = [](std::initializer_list<int64_t> shape) {
      return nl::ndarray(shape, nl::float32, nl::hbm);
    };
    delta_ = device({problem.channels, problem.length});
    u_ = device({problem.channels, problem.length});
    a_ = device({problem.channels, kStates});
    b_ = device({kStates, problem.length});
    c_ = device({kStates, problem.length});
    out_ = device({problem.channels, problem.length});
  }

  /// States outermost: every tile of channels is loaded for every state, what belongs to a state is
  /// broadcast once and stays in SBUF.
  double version1() {
    CoreScope scope(core_);
    core_.timeline().reset();
    std::vector<Tensor> sums;
    for (int64_t c = 0; c < problem_.channels; c += kChannels)
      nisa::memset(sums.emplace_back(tile(problem_.length)), 0.0f);
    for (int64_t state = 0; state < kStates; ++state) {
      Tensor b = in_sbuf(broadcast(b_, state, 0, problem_.length));
      Tensor c = in_sbuf(broadcast(c_, state, 0, problem_.length));
      for (int64_t channel = 0; channel < problem_.channels; channel += 2 * kChannels) {
        std::vector<Step> two;
        for (int64_t at : {channel, channel + kChannels})
          two.push_back({sums[size_t(at / kChannels)], load(delta_, at), load(u_, at),
                         rates(at, state), b, c, 0.0f});
        run(two);
      }
    }
    for (int64_t channel = 0; channel < problem_.channels; channel += kChannels)
      nisa::dma_copy(out_.slice(0, channel, channel + kChannels),
                     sums[size_t(channel / kChannels)]);
    return core_.timeline().summary().seconds;
  }

  /// Channels outermost, loaded once; `piece` of the sequence at a time.
  double version2(int64_t piece) {
    CoreScope scope(core_);
    core_.timeline().reset();
    for (int64_t channel = 0; channel < problem_.channels; channel += kChannels) {
      Tensor sum = tile(problem_.length);
      nisa::memset(sum, 0.0f);
      Tensor delta = load(delta_, channel), u = load(u_, channel);
      const int64_t beside = piece > 2048 ? 1 : 2; // what SBUF holds
      for (int64_t state = 0; state < kStates; state += beside)
        over_sequence(sum, delta, u, channel, {state, state + beside}, piece);
      nisa::dma_copy(out_.slice(0, channel, channel + kChannels), sum);
    }
    return core_.timeline().summary().seconds;
  }

  double busy(chip::Unit unit) { return core_.timeline().summary().busy[size_t(unit)]; }

private:
  static Tensor tile(int64_t length) { return nl::ndarray({kChannels, length}, nl::float32); }
  Tensor load(const Tensor &from, int64_t channel) const {
    Tensor to = tile(problem_.length);
    nisa::dma_copy(to, from.slice(0, channel, channel + kChannels));
    return to;
  }
  Tensor rates(int64_t channel, int64_t state) const {
    Tensor to = tile(1);
    nisa::dma_copy(to, a_.slice(0, channel, channel + kChannels).slice(1, state, state + 1));
    return to;
  }

  /// One row in all partitions: a product with ones. It stays in PSUM where it fits a bank.
  Tensor broadcast(const Tensor &rows, int64_t state, int64_t begin, int64_t end) const {
    constexpr int64_t kBank = 512;
    Tensor row = nl::ndarray({1, end - begin}, nl::float32),
           ones = nl::ndarray({1, 128}, nl::float32);
    nisa::memset(ones, 1.0f, nisa::engine::gpsimd);
    nisa::dma_copy(row, rows.slice(0, state, state + 1).slice(1, begin, end));
    auto bank = [&](int64_t from, int64_t to) {
      Tensor part = nl::ndarray({kChannels, to - from}, nl::float32, nl::psum);
      nisa::nc_matmul(part, ones, row.slice(1, from, to));
      return part;
    };
    if (end - begin <= kBank)
      return bank(0, end - begin);
    Tensor all = tile(end - begin);
    for (int64_t from = 0; from < end - begin; from += kBank)
      nisa::activation(all.slice(1, from, from + kBank), nl::copy, bank(from, from + kBank));
    return all;
  }
  static Tensor in_sbuf(const Tensor &tensor) {
    if (tensor.buffer() == Buffer::sbuf)
      return tensor;
    Tensor copy = tile(tensor.shape(1));
    nisa::activation(copy, nl::copy, tensor);
    return copy;
  }

  /// What one state adds to the sum of a tile of channels.
  struct Step {
    Tensor sum, delta, u, rate, b, c;
    Operand initial;
    Tensor state = {}; ///< the scan
  };
  /// Steps side by side, as a scheduler puts them, so that no instruction has to wait for the
  /// result of the one before.
  static void run(std::vector<Step> &steps) {
    const int64_t length = steps[0].delta.shape(1);
    std::vector<Tensor> decay, input, scaled, part;
    for (Step &s : steps)
      nisa::activation(decay.emplace_back(tile(length)), nl::exp, s.delta, {}, s.rate);
    for (Step &s : steps)
      nisa::tensor_tensor(input.emplace_back(tile(length)), s.delta, s.u, nl::multiply);
    for (size_t i = 0; i < steps.size(); ++i)
      nisa::tensor_tensor(scaled.emplace_back(tile(length)), input[i], steps[i].b, nl::multiply);
    for (size_t i = 0; i < steps.size(); ++i)
      nisa::tensor_tensor_scan(steps[i].state = tile(length), decay[i], scaled[i], steps[i].initial,
                               nl::multiply, nl::add);
    for (Step &s : steps)
      nisa::tensor_tensor(part.emplace_back(tile(length)), s.state, s.c, nl::multiply);
    for (size_t i = 0; i < steps.size(); ++i)
      nisa::tensor_tensor(steps[i].sum, steps[i].sum, part[i], nl::add);
  }
  /// The states [first, second) side by side, `piece` of the sequence at a time.
  void over_sequence(const Tensor &sum, const Tensor &delta, const Tensor &u, int64_t channel,
                     std::pair<int64_t, int64_t> states, int64_t piece) const {
    const bool carries = piece < problem_.length;
    std::vector<Tensor> rate, last;
    for (int64_t state = states.first; state < states.second; ++state) {
      rate.push_back(rates(channel, state));
      last.push_back(tile(1));
      if (carries)
        nisa::memset(last.back(), 0.0f);
    }
    for (int64_t at = 0; at < problem_.length; at += piece) {
      auto part = [&](const Tensor &tensor) { return tensor.slice(1, at, at + piece); };
      std::vector<Step> steps;
      for (size_t i = 0; i < rate.size(); ++i) {
        const int64_t state = states.first + int64_t(i);
        steps.push_back({part(sum), part(delta), part(u), rate[i],
                         broadcast(b_, state, at, at + piece), broadcast(c_, state, at, at + piece),
                         carries ? Operand(last[i]) : Operand(0.0f)});
      }
      run(steps);
      for (size_t i = 0; carries && i < steps.size(); ++i)
        nisa::tensor_copy(last[i], steps[i].state.slice(1, piece - 1, piece));
    }
  }

  Problem problem_;
  chip::Hbm hbm_;
  chip::Core core_{chip::generation("trn1"), hbm_};
  Tensor delta_, u_, a_, b_, c_, out_;
};

void expect_within(const std::string &what, double predicted, double measured) {
  const double ratio = (predicted + kLaunch) / measured;
  testing::Test::RecordProperty(what, std::to_string(ratio));
  std::printf("%-28s predicted %9.2f us, measured %9.2f us, ratio %.3f\n", what.c_str(),
              (predicted + kLaunch) * 1e6, measured * 1e6, ratio);
  EXPECT_NEAR(ratio, 1, 0.15) << what;
}

TEST(MambaOnTrn1, StatesOutermost) {
  expect_within("v1, 256 channels", Mamba({256, 512}).version1(), 172.93e-6);
  Mamba large({4096, 512});
  const double seconds = large.version1();
  expect_within("v1, 4096 channels", seconds, 2.34e-3);
  EXPECT_NEAR(large.busy(chip::Unit::vector) / seconds, 0.9216, 0.08);
}

/// Longer sequences with NEURONIFY_LONG_TESTS: all that was published.
int64_t longest() { return std::getenv("NEURONIFY_LONG_TESTS") ? 4096 : 1024; }

TEST(MambaOnTrn1, ChannelsOutermost) {
  const std::pair<int64_t, double> measured[] = {
      {512, 1.61e-3}, {1024, 4.4e-3}, {2048, 8.9e-3}, {3072, 13.1e-3}, {4096, 17.6e-3}};
  for (auto [length, seconds] : measured)
    if (length <= longest()) {
      Mamba mamba({4096, length});
      const double predicted = mamba.version2(length);
      expect_within("v2, length " + std::to_string(length), predicted, seconds);
      EXPECT_GT(mamba.busy(chip::Unit::vector) / predicted, 0.93);
    }
}

TEST(MambaOnTrn1, SequenceInPieces) {
  const std::pair<int64_t, double> measured[] = {{512, 1.6e-3},   {1024, 3.3e-3},  {2048, 6.6e-3},
                                                 {3072, 10.1e-3}, {4096, 13.3e-3}, {8192, 27.8e-3}};
  for (auto [length, seconds] : measured)
    if (length <= longest() || longest() > 1024)
      expect_within("v3, length " + std::to_string(length), Mamba({4096, length}).version2(512),
                    seconds);
}

} // namespace
} // namespace nki
