#include "host/environment.h"

#include "chip/generations.h"
#include "nki/error.h"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace neuronify {

namespace {

/// Reads variables one by one and collects what is wrong with them.
class Reader {
public:
  explicit Reader(std::vector<std::string> &messages) : messages_(messages) {}

  void text(const char *name, std::string &value) {
    if (const char *given = get(name))
      value = given;
  }
  void flag(const char *name, bool &value) { choice(name, value, {{"0", false}, {"1", true}}); }
  template <class T>
  void choice(const char *name, T &value,
              std::initializer_list<std::pair<std::string_view, T>> choices) {
    const char *given = get(name);
    if (!given)
      return;
    std::string allowed;
    for (const auto &[word, meaning] : choices) {
      if (word == given) {
        value = meaning;
        return;
      }
      allowed += (allowed.empty() ? "" : " or ") + std::string(word);
    }
    complain(name, given, allowed);
  }
  void number(const char *name, int &value, int lowest, int highest) {
    const char *given = get(name);
    if (!given)
      return;
    std::string_view text = given;
    int read = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    if (error == std::errc() && end == text.data() + text.size() && read >= lowest &&
        read <= highest)
      value = read;
    else
      complain(name, given, std::to_string(lowest) + " to " + std::to_string(highest));
  }
  const char *get(const char *name) {
    const char *value = std::getenv(name);
    return value && *value ? value : nullptr;
  }
  void complain(const char *name, const char *given, const std::string &allowed) {
    messages_.push_back(std::string(name) + "='" + given + "' is ignored: expected " + allowed);
  }

private:
  std::vector<std::string> &messages_;
};

std::string base_name(const std::string &path) { return path.substr(path.rfind('/') + 1); }

void read_generation(Reader &reader, std::string &generation) {
  const char *given = reader.get("NEURONIFY_GENERATION");
  if (!given)
    return;
  try {
    nki::chip::generation(given);
    generation = given;
  } catch (const nki::Error &) {
    reader.complain("NEURONIFY_GENERATION", given, "trn1, trn2 or trn3");
  }
}

} // namespace

std::string executable_path() {
  std::string path(4096, '\0');
  ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(length > 0 ? size_t(length) : 0);
  return path;
}

Environment read_environment() {
  Environment e;
  Reader reader(e.messages);
  reader.choice("NEURONIFY_MODE", e.mode, {{"run", Mode::run}, {"verify", Mode::verify}});
  reader.text("NEURONIFY_REPORT", e.report);
  reader.text("NEURONIFY_TRACE", e.trace);
  reader.text("NEURONIFY_DEVICE_IR", e.device_ir);
  reader.text("NEURONIFY_REFERENCE", e.reference);
  reader.text("NEURONIFY_NKI", e.nki);
  reader.text("NEURONIFY_PYTHON", e.python);
  e.program = base_name(executable_path());
  reader.text("NEURONIFY_PROGRAM", e.program);
  reader.flag("NEURONIFY_PRECISE", e.precise);
  reader.flag("NEURONIFY_CHECK_ORIGINAL", e.check_original);
  reader.choice("NEURONIFY_VERIFY_CONTINUE", e.continue_from_port,
                {{"reference", false}, {"port", true}});
  read_generation(reader, e.generation);
  e.cores = nki::chip::generation(e.generation).cores;
  reader.number("NEURONIFY_CORES", e.cores, 1, e.cores);
  if (const char *given = reader.get("NEURONIFY_TOLERANCE"))
    if (!read_tolerances(given, e.tolerances))
      reader.complain("NEURONIFY_TOLERANCE", given,
                      "'exact', 'RELATIVE[:ABSOLUTE]' or a list such as 'f32=1e-5:1e-6,f16=2e-3'");
  return e;
}

} // namespace neuronify
