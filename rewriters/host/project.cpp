#include "host/project.h"

#include "host/cmake_lists.h"

#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace neuronify::rewrite {

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path.string());
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

bool inside(const fs::path &path, const fs::path &folder) {
  auto [end, at] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end() && at != path.end();
}

fs::path common_folder(const fs::path &a, const fs::path &b) {
  fs::path out;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j)
    out /= *i;
  return out;
}

size_t depth(const fs::path &path) { return std::distance(path.begin(), path.end()); }

class LayoutMaker {
public:
  explicit LayoutMaker(const Project &project) : project_(project) {}

  Layout run() {
    collect_headers();
    collect_plain();
    find_base();
    for (const auto &[path, edits] : headers_)
      layout_.files[place(path)] = edits.apply();
    for (const auto &[path, text] : plain_)
      layout_.files[place(path)] = text;
    for (const PortedFile &file : project_.files)
      add(file);
    find_programs();
    find_include_folders();
    layout_.definitions = project_.definitions;
    layout_.linking = project_.linking;
    for (const PortedFile &file : project_.files)
      layout_.linking.openmp |= file.host.uses_openmp;
    layout_.files["CMakeLists.txt"] = cmake_lists(layout_, original_names());
    layout_.files["README.md"] = readme(layout_, original_names());
    return std::move(layout_);
  }

private:
  void collect_headers() {
    for (const PortedFile &file : project_.files)
      for (const FileEdits &header : file.host.headers) {
        auto [known, added] = headers_.try_emplace(header.path(), header);
        if (!added && !known->second.merge(header))
          layout_.diagnostics.push_back(
              {"NFY5004", Severity::warning, header.path(), 1, 1, "",
               "the files that include this header want different changes in it; those of the "
               "first one were made"});
      }
  }

  /// Plain sources, and the headers that they include by quoted name beside themselves.
  void collect_plain() {
    std::vector<fs::path> open(project_.plain_sources.begin(), project_.plain_sources.end());
    while (!open.empty()) {
      fs::path path = open.back();
      open.pop_back();
      if (headers_.contains(path.string()) || plain_.contains(path.string()))
        continue;
      std::string text = read_text(path);
      for (const std::string &name : quoted_includes(text)) {
        fs::path header = (path.parent_path() / name).lexically_normal();
        if (fs::is_regular_file(header))
          open.push_back(header);
      }
      plain_[path.string()] = std::move(text);
    }
  }

  /// The folder that becomes the project's: the one around all sources, and around all headers
  /// unless that is far away.
  void find_base() {
    for (const PortedFile &file : project_.files)
      widen_base(fs::path(file.path).parent_path());
    for (const std::string &path : project_.plain_sources)
      widen_base(fs::path(path).parent_path());
    fs::path sources = base_;
    auto take = [&](const std::string &path) {
      fs::path wider = common_folder(base_, fs::path(path).parent_path());
      if (depth(wider) + 2 >= depth(sources) && depth(wider) > 1)
        base_ = wider;
    };
    for (const auto &[path, edits] : headers_)
      take(path);
    for (const auto &[path, text] : plain_)
      take(path);
  }

  void widen_base(const fs::path &folder) {
    base_ = base_.empty() ? folder : common_folder(base_, folder);
  }

  std::string place(const fs::path &path) const {
    if (inside(path, base_))
      return path.lexically_relative(base_).string();
    return (fs::path("include") / path.filename()).string();
  }

  void add(const PortedFile &file) {
    fs::path folder = fs::path(place(file.path)).parent_path();
    auto put = [&](const std::string &name, const std::string &text) {
      std::string path = (folder / name).string();
      layout_.files[path] = text;
      return path;
    };
    std::vector<std::string> sources = {put(file.stem + ".cpp", file.host.main.apply())};
    if (!file.kernels_source.empty()) {
      put(file.stem + "_kernels.h", file.kernels_header);
      sources.push_back(put(file.stem + "_kernels.cpp", file.kernels_source));
      layout_.kernels.insert(sources.back());
      layout_.files[file.stem + ".bc"] = file.device_ir;
    }
    if (!file.nki_module.empty()) {
      const std::string stem = python_stem(file.stem);
      layout_.files[stem + "_nki.py"] = file.nki_module;
      layout_.files[stem + "_nki_run.py"] = file.nki_runner;
      layout_.files.insert(project_.nki_package.begin(), project_.nki_package.end());
    }
    (file.host.defines_main ? with_main_ : without_main_).push_back({file.stem, sources, false});
  }

  void find_programs() {
    for (const std::string &path : project_.plain_sources) {
      std::string extension = fs::path(path).extension();
      if (extension.starts_with(".h") || extension == ".cuh" || extension == ".inl")
        continue;
      (defines_main(plain_[path]) ? with_main_ : without_main_)
          .push_back({fs::path(path).stem(), {place(path)}, false});
    }
    if (with_main_.empty() && without_main_.empty())
      return;
    std::vector<std::string> shared;
    for (const Program &part : without_main_)
      shared.insert(shared.end(), part.sources.begin(), part.sources.end());
    for (Program program : with_main_) {
      program.sources.insert(program.sources.end(), shared.begin(), shared.end());
      program.has_main = true;
      layout_.programs.push_back(std::move(program));
    }
    if (with_main_.empty())
      layout_.programs.push_back({without_main_.front().name, shared, false});
  }

  void find_include_folders() {
    for (const std::string &path : project_.include_folders) {
      fs::path folder(path);
      if (folder == base_)
        layout_.include_folders.push_back(".");
      else
        layout_.include_folders.push_back(
            inside(folder, base_) ? folder.lexically_relative(base_).string() : path);
    }
    bool outside = std::ranges::any_of(
        layout_.files, [](const auto &file) { return file.first.starts_with("include/"); });
    if (outside &&
        std::ranges::find(layout_.include_folders, "include") == layout_.include_folders.end())
      layout_.include_folders.push_back("include");
  }

  std::vector<std::string> original_names() const {
    std::vector<std::string> names;
    for (const PortedFile &file : project_.files)
      names.push_back(fs::path(file.path).filename());
    return names;
  }

  const Project &project_;
  Layout layout_;
  fs::path base_;
  std::map<std::string, FileEdits> headers_;
  std::map<std::string, std::string> plain_;
  std::vector<Program> with_main_, without_main_;
};

} // namespace

Layout lay_out(const Project &project) { return LayoutMaker(project).run(); }

namespace {

/// A name that may stand in an include, and in CMake's and other build systems' lists.
std::string includable(std::string name) {
  for (char &c : name)
    if (static_cast<unsigned char>(c) < ' ' ||
        std::string_view("\"\\;$<>|*?:`#%").find(c) != std::string_view::npos)
      c = '_';
  return name;
}

} // namespace

std::string python_stem(const std::string &stem) {
  std::string name;
  for (const char c : stem)
    name += isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return isdigit(static_cast<unsigned char>(name[0])) ? "_" + name : name;
}

/// Names that differ in signs only are one namespace.
static std::string space_of(std::string name) {
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

std::vector<std::string> unique_stems(const std::vector<std::string> &cuda_sources,
                                      const std::vector<std::string> &plain_sources) {
  std::set<std::string> plain, taken;
  for (const std::string &path : plain_sources)
    plain.insert(fs::path(path).stem());
  std::vector<std::string> out;
  for (const std::string &path : cuda_sources) {
    std::string stem = includable(fs::path(path).stem());
    if (plain.contains(stem))
      stem += "_cuda";
    std::string name = stem;
    for (int n = 2; plain.contains(name) || !taken.insert(space_of(name)).second; ++n)
      name = stem + "_" + std::to_string(n);
    taken.insert(space_of(name + "_kernels"));
    out.push_back(name);
  }
  return out;
}

} // namespace neuronify::rewrite
