#include "host/nki_side.h"
#include "lanes/texture.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace neuronify {

namespace {

namespace fs = std::filesystem;

/// A folder for the files that memory goes through, in memory where the system has such a place.
std::string make_scratch() {
  std::error_code ignored;
  const bool shared = access("/dev/shm", W_OK) == 0;
  std::string path =
      (shared ? "/dev/shm" : fs::temp_directory_path(ignored).string()) + "/neuronify-XXXXXX";
  return mkdtemp(path.data()) ? path : "";
}

/// Writes a part of a file, which is made where it is not there.
std::string write_file(const std::string &path, size_t offset, const char *bytes, size_t size) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  bool whole = file >= 0;
  for (size_t done = 0; whole && done < size;) {
    const ssize_t count = pwrite(file, bytes + done, size - done, off_t(offset + done));
    whole = count > 0;
    done += whole ? size_t(count) : 0;
  }
  const std::string problem = whole ? "" : "cannot write " + path + ": " + std::strerror(errno);
  if (file >= 0)
    close(file);
  return problem;
}

bool read_file(const std::string &path, size_t offset, char *bytes, size_t size) {
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return false;
  const bool whole =
      std::fseek(file, long(offset), SEEK_SET) == 0 && std::fread(bytes, 1, size, file) == size;
  std::fclose(file);
  return whole;
}

std::string hex(const void *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    const unsigned char byte = static_cast<const unsigned char *>(bytes)[i];
    text += {digits[byte >> 4], digits[byte & 15]};
  }
  return text;
}

} // namespace

void NkiSide::stop() {
  for (FILE **pipe : {&to_, &from_})
    if (*pipe)
      std::fclose(std::exchange(*pipe, nullptr));
  if (process_ > 0)
    waitpid(std::exchange(process_, 0), nullptr, 0);
  std::error_code ignored;
  if (!scratch_.empty())
    fs::remove_all(std::exchange(scratch_, {}), ignored);
}

std::string NkiSide::fail(const std::string &what) { return problem_ = what; }

bool NkiSide::read_line(std::string &line) {
  line.clear();
  for (int c; (c = std::fgetc(from_)) != EOF;) {
    if (c == '\n')
      return true;
    line += char(c);
  }
  return false;
}

std::string NkiSide::start() {
  if (started_)
    return problem_;
  started_ = true;
  if (!fs::exists(folder_ + "/neuronify_lanes"))
    return ""; // no kernel has this form
  scratch_ = make_scratch();
  int request[2], answer[2];
  if (scratch_.empty() || pipe2(request, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0)
    return fail(std::string("the NKI form cannot be run: ") + std::strerror(errno));
  std::signal(SIGPIPE, SIG_IGN); // a Python that is gone is an answer, too
  process_ = fork();
  if (process_ == 0) {
    dup2(request[0], STDIN_FILENO);
    dup2(answer[1], STDOUT_FILENO);
    // The chip model's package answers to the name nki where no other one does.
    const char *program = "import sys\n"
                          "try:\n    import nki\nexcept ImportError:\n    import neuronify_nki\n"
                          "sys.path.insert(0, sys.argv[1])\n"
                          "from neuronify_lanes import run\n"
                          "run.serve(sys.argv[1])\n";
    execlp(python_.c_str(), python_.c_str(), "-c", program, folder_.c_str(), nullptr);
    std::fprintf(stderr, "neuronify: cannot run %s: %s\n", python_.c_str(), std::strerror(errno));
    _exit(127);
  }
  close(request[0]);
  close(answer[1]);
  to_ = fdopen(request[1], "w");
  from_ = fdopen(answer[0], "r");
  if (process_ < 0 || !to_ || !from_)
    return fail("the NKI form cannot be run: no process");
  std::vector<Parameter> *parameters = nullptr;
  for (std::string line; read_line(line);) {
    std::istringstream words(line);
    std::string kind, name;
    words >> kind;
    if (kind == "ready")
      return "";
    if (kind == "kernel") {
      words >> name >> std::ws;
      std::string source;
      std::getline(words, source);
      parameters = &kernels_[name + " " + source];
    } else if (kind == "parameter" && parameters) {
      Parameter p;
      words >> p.form >> p.argument >> p.offset >> p.size >> p.symbol;
      parameters->push_back(p);
    }
  }
  return fail("the NKI form cannot be run: " + python_ +
              " with the packages nki (or neuronify_nki) and numpy does not start");
}

bool NkiSide::has(const std::string &mangled, const std::string &source, std::string &error) {
  error = start();
  return error.empty() && kernels_.count(mangled + " " + source) != 0;
}

/// The text of one request, and the allocations that it is about.
struct NkiSide::Request {
  const DeviceMemory &memory;
  std::string scratch; ///< folder of the files that memory goes through
  std::string text;
  std::map<const char *, const DeviceAllocation *> allocations;
  /// Where all allocations go to one file, the stretches of address space that it has: the first
  /// address of each and its place in the file.
  std::map<uintptr_t, size_t> stretches;
  size_t stretched_bytes = 0; ///< of that file: a multiple of the size of all elements

  static const char *pointer_at(const char *place) {
    const char *handle;
    std::memcpy(&handle, place, sizeof handle);
    return handle;
  }

  void at(const DeviceAllocation &allocation, size_t offset) {
    allocations.emplace(allocation.start, &allocation);
    text +=
        "at " + std::to_string(uintptr_t(allocation.start)) + " " + std::to_string(offset) + "\n";
  }

  /// A texture by its handle: where its texels are, and its description.
  void texture(const char *handle) {
    nki::Texture description;
    const DeviceAllocation *allocation = handle ? memory.find(handle) : nullptr;
    if (allocation && size_t(handle - allocation->start) + sizeof description <= allocation->size)
      std::memcpy(&description, handle, sizeof description);
    const DeviceAllocation *texels =
        description.mark == nki::Texture::kMark ? memory.find(description.data) : nullptr;
    if (!texels) { // none, which no thread may read
      text += "null\n";
      return;
    }
    allocations.emplace(texels->start, texels);
    text += "texture " + std::to_string(uintptr_t(texels->start)) + " " +
            std::to_string(description.data - texels->start) + " " +
            hex(&description, sizeof description) + "\n";
  }

  void pointer(const Parameter &p, const char *target) {
    if (p.form == "address") {
      text += "address " + std::to_string(uintptr_t(target)) + "\n";
      return;
    }
    const DeviceAllocation *allocation = target ? memory.find(target) : nullptr;
    if (!allocation) // null, or one that no thread may follow
      text += "null\n";
    else
      at(*allocation, size_t(target - allocation->start));
  }

  /// All memory in one file.
  void all_memory() {
    constexpr size_t kApart = 256; // the alignment of allocations, and at least one byte
    size_t end = 0;
    for (const nki::chip::Allocation &window : memory.hbm().windows()) {
      const uintptr_t start = reinterpret_cast<uintptr_t>(window.base);
      end += (start - end) % kApart + (end ? kApart : 0);
      stretches[start] = end;
      end += window.size;
    }
    stretched_bytes = (end + kApart - 1) / kApart * kApart;
    for (const DeviceAllocation *allocation : memory.all())
      allocations.emplace(allocation->start, allocation);
    text += "stretches " + file(nullptr);
    for (const auto &[start, offset] : stretches)
      text += " " + std::to_string(start) + " " + std::to_string(offset);
    text += "\n";
  }

  std::string add(const Parameter &p, const NkiLaunch &launch) {
    if (p.form == "memory") {
      all_memory();
      return "";
    }
    if (!p.symbol.empty()) {
      const DeviceAllocation *variable = launch.variable(p.symbol);
      if (!variable)
        return "variable '" + p.symbol + "' has no memory";
      if (p.form == "texture")
        texture(pointer_at(variable->start));
      else
        pointer(p, variable->start);
      return "";
    }
    if (p.argument < 0 || size_t(p.argument) >= launch.arguments.size())
      return "the NKI form takes an argument that the launch does not have";
    const char *value = static_cast<const char *>(launch.arguments[p.argument]) + p.offset;
    if (p.form == "texture")
      texture(pointer_at(value));
    else if (p.form == "array" || p.form == "address")
      pointer(p, pointer_at(value));
    else
      text += "bytes " + hex(value, p.size) + "\n";
    return "";
  }

  /// The file of an allocation, and where it starts there.
  std::string file(const char *start) const {
    return scratch + "/" + (stretches.empty() ? std::to_string(uintptr_t(start)) : "all");
  }
  size_t offset(const char *start) const {
    auto above = stretches.upper_bound(uintptr_t(start));
    if (above == stretches.begin())
      return 0;
    --above;
    return uintptr_t(start) - above->first + above->second;
  }
};

std::string NkiSide::run(const NkiLaunch &launch, const DeviceMemory &memory) {
  if (std::string error = start(); !error.empty())
    return error;
  Request request{memory, scratch_, {}, {}, {}, 0};
  for (const Parameter &parameter : kernels_[launch.mangled + " " + launch.source])
    if (std::string error = request.add(parameter, launch); !error.empty())
      return error;
  std::string head = "launch " + launch.mangled;
  for (const unsigned n : {launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
                           launch.block.y, launch.block.z})
    head += " " + std::to_string(n);
  head += " " + std::to_string(launch.dynamic_shared) + (launch.precise ? " 1 " : " 0 ") +
          launch.source + "\n";
  if (!request.stretches.empty())
    std::remove(request.file(nullptr).c_str());
  for (const auto &[start, allocation] : request.allocations) {
    const std::string path = request.file(start);
    const size_t offset = request.offset(start);
    if (std::string error = write_file(path, offset, start, allocation->size); !error.empty())
      return error;
    head += "memory " + std::to_string(uintptr_t(start)) + " " + std::to_string(allocation->size) +
            " " + path + " " + std::to_string(offset) + "\n";
  }
  if (!request.stretches.empty() &&
      truncate(request.file(nullptr).c_str(), off_t(request.stretched_bytes)) != 0)
    return "cannot write " + request.file(nullptr) + ": " + std::strerror(errno);
  const std::string text = head + request.text + "run\n";
  std::fwrite(text.data(), 1, text.size(), to_);
  std::fflush(to_);
  std::string answer;
  if (!read_line(answer))
    return fail("Python ended in the middle of a launch");
  if (answer != "done")
    return answer.starts_with("error ") ? answer.substr(6) : answer;
  for (const auto &[start, allocation] : request.allocations)
    if (!read_file(request.file(start), request.offset(start), allocation->start, allocation->size))
      return "cannot read " + request.file(start);
  return "";
}

} // namespace neuronify
