#include "chip/generations.h"

#include "chip/builtin_generations.h"
#include "nki/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>

namespace nki::chip {

std::string_view name_of(Feature feature) {
  static constexpr std::array<std::string_view, kFeatures> names = {"hardware_descriptors",
                                                                    "indirect_transpose",
                                                                    "dma_priority",
                                                                    "several_cores",
                                                                    "received_displacements",
                                                                    "tensor_copy_on_scalar",
                                                                    "tensor_scalar_on_scalar",
                                                                    "any_tensor_scalar_on_scalar",
                                                                    "scalar_bias",
                                                                    "rng_on_gpsimd",
                                                                    "random_states",
                                                                    "random_states_on_vector",
                                                                    "rand2",
                                                                    "range_select",
                                                                    "nonzero_with_count",
                                                                    "activate2",
                                                                    "exponential",
                                                                    "microscaling",
                                                                    "v4_operators",
                                                                    "double_row",
                                                                    "quarter_tiles",
                                                                    "exact_transpose",
                                                                    "float8_e4m3fn_products",
                                                                    "bfloat16_products",
                                                                    "products_over_banks",
                                                                    "accumulation_on_any_write",
                                                                    "tensor_indirection",
                                                                    "vector_two_byte_modes",
                                                                    "scalar_two_byte_mode"};
  return names[size_t(feature)];
}

namespace {

/// Reads what a data file consists of: one JSON object of numbers, strings and a list of strings.
class Reader {
public:
  Reader(std::string_view text, const std::string &source) : text_(text), source_(source) {}

  [[noreturn]] void fail(const std::string &what) const {
    const long line = 1 + std::count(text_.begin(), text_.begin() + long(at_), '\n');
    throw Error("generation", source_ + ":" + std::to_string(line) + ": " + what);
  }
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(char wanted) {
    if (peek() != wanted)
      fail(std::string("expected '") + wanted + "'");
    ++at_;
  }
  /// Whether another element follows: a comma, or the end of the list.
  bool more(char end) {
    if (peek() == ',') {
      ++at_;
      return true;
    }
    expect(end);
    return false;
  }
  std::string string() {
    expect('"');
    const size_t end = text_.find('"', at_);
    if (end == std::string_view::npos)
      fail("a string does not end");
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }
  double number() {
    peek();
    double value = 0;
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc())
      fail("expected a number");
    at_ = size_t(end - text_.data());
    return value;
  }

private:
  std::string_view text_;
  const std::string &source_;
  size_t at_ = 0;
};

Feature feature_of(const Reader &reader, const std::string &name) {
  for (int i = 0; i < kFeatures; ++i)
    if (name_of(Feature(i)) == name)
      return Feature(i);
  reader.fail("unknown feature '" + name + "'");
}

void read_features(Reader &reader, Generation &generation) {
  reader.expect('[');
  if (reader.peek() == ']')
    return reader.expect(']');
  do
    generation.features.set(size_t(feature_of(reader, reader.string())));
  while (reader.more(']'));
}

/// The numbers of a data file, by name. All must be given, and more than 0 where `positive`.
struct Number {
  const char *name;
  void (*put)(Generation &, double);
  bool positive = true;
};
constexpr Number kNumbers[] = {
    {"core_version", [](Generation &g, double value) { g.core_version = int(value); }},
    {"core_sub_version", [](Generation &g, double value) { g.core_sub_version = int(value); },
     false},
    {"cores", [](Generation &g, double value) { g.cores = int(value); }},
    {"hbm_bytes", [](Generation &g, double value) { g.hbm_bytes = int64_t(value); }},
    {"hbm_bytes_per_second", [](Generation &g, double value) { g.hbm_bytes_per_second = value; }},
    {"sbuf_partition_bytes",
     [](Generation &g, double value) { g.sbuf_partition_bytes = int64_t(value); }},
    {"psum_bank_bytes", [](Generation &g, double value) { g.psum_bank_bytes = int64_t(value); }},
    {"psum_banks", [](Generation &g, double value) { g.psum_banks = int(value); }},
    {"tensor_hz", [](Generation &g, double value) { g.tensor_hz = value; }},
    {"vector_hz", [](Generation &g, double value) { g.vector_hz = value; }},
    {"scalar_hz", [](Generation &g, double value) { g.scalar_hz = value; }},
    {"gpsimd_hz", [](Generation &g, double value) { g.gpsimd_hz = value; }},
    {"dma_engines", [](Generation &g, double value) { g.dma_engines = int(value); }},
    {"dma_engine_bytes_per_second",
     [](Generation &g, double value) { g.dma_engine_bytes_per_second = value; }},
};

void read_number(Reader &reader, const std::string &name, Generation &generation,
                 std::vector<std::string> &seen) {
  for (const Number &number : kNumbers)
    if (name == number.name) {
      const double value = reader.number();
      if (value < 0 || (number.positive && value == 0))
        reader.fail("'" + name + "' must be more than 0");
      number.put(generation, value);
      seen.push_back(name);
      return;
    }
  reader.fail("unknown member '" + name + "'");
}

std::string file_text(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw Error("generation", "cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// All generations that were asked for. Kept for the life of the process, since cores refer to
/// them.
class Registry {
public:
  Registry() {
    for (const BuiltinGeneration &builtin : kBuiltinGenerations)
      add(parse_generation(builtin.text, builtin.file));
    builtins_ = names();
  }
  const Generation *find(const std::string &name) {
    std::lock_guard lock(mutex_);
    auto found = known_.find(name);
    return found == known_.end() ? nullptr : found->second.get();
  }
  /// The one that is known under the key already, else this one.
  const Generation &add(Generation generation, std::string key = {}) {
    std::lock_guard lock(mutex_);
    if (key.empty())
      key = generation.name;
    return *known_.try_emplace(key, std::make_unique<Generation>(std::move(generation)))
                .first->second;
  }
  const std::vector<std::string> &builtins() const { return builtins_; }

private:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto &[name, generation] : known_)
      names.push_back(name);
    return names;
  }

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Generation>> known_;
  std::vector<std::string> builtins_;
};

Registry &registry() {
  static Registry registry;
  return registry;
}

} // namespace

Generation parse_generation(std::string_view text, const std::string &source) {
  Reader reader(text, source);
  Generation generation;
  std::vector<std::string> seen;
  reader.expect('{');
  do {
    const std::string name = reader.string();
    reader.expect(':');
    if (name == "name")
      generation.name = reader.string();
    else if (name == "features")
      read_features(reader, generation);
    else
      read_number(reader, name, generation, seen);
  } while (reader.more('}'));
  if (generation.name.empty())
    reader.fail("'name' is missing");
  for (const Number &number : kNumbers)
    if (std::find(seen.begin(), seen.end(), number.name) == seen.end())
      reader.fail(std::string("'") + number.name + "' is missing");
  return generation;
}

const Generation &generation(std::string_view name) {
  const std::string key(name);
  if (const Generation *known = registry().find(key))
    return *known;
  if (key.ends_with(".json"))
    return registry().add(parse_generation(file_text(key), key), key);
  std::string known;
  for (const std::string &candidate : generations())
    known += (known.empty() ? "" : ", ") + candidate;
  throw Error("generation", "unknown chip '" + key + "'; known are " + known +
                                ", or give the path of a data file (.json)");
}

std::vector<std::string> generations() { return registry().builtins(); }

} // namespace nki::chip
