#include "rewrite_case.h"

#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace neuronify::rewrite {

namespace fs = std::filesystem;

Result rewrite_file(const std::string &path, const std::vector<std::string> &extra_args) {
  frontend::Options front;
  front.extra_args = {"-isystem", NEURONIFY_TEST_CUDA};
  front.extra_args.insert(front.extra_args.end(), extra_args.begin(), extra_args.end());
  frontend::Unit unit = frontend::read(path, front);
  if (!unit.ok()) {
    for (const frontend::Message &message : unit.messages)
      ADD_FAILURE() << message.file << ':' << message.line << ": " << message.text;
    return {};
  }
  Options options;
  std::string stem = fs::path(path).stem();
  options.kernels_header = stem + "_kernels.h";
  options.kernels_namespace = kernels_namespace(path);
  options.device_ir = stem + ".bc";
  options.kernels = unit.kernels;
  options.variables = unit.variables;
  return rewrite(unit, front, std::move(options));
}

Folder::Folder() {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createUniqueDirectory("neuronify-test", path))
    ADD_FAILURE() << "no temporary folder";
  path_ = path.str().str();
}

Folder::~Folder() { fs::remove_all(path_); }

std::string Folder::write(const std::string &name, const std::string &text) const {
  fs::path path = fs::path(path_) / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

Result rewrite_code(const std::string &code) {
  Folder folder;
  return rewrite_file(folder.write("input.cu", code));
}

std::string read_text(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

} // namespace neuronify::rewrite
