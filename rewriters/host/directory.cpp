#include "host/directory.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

namespace neuronify::rewrite {

namespace {

namespace fs = std::filesystem;

llvm::Error failure(const std::string &what, const std::error_code &why) {
  return llvm::createStringError(why, "cannot write " + what + ": " + why.message());
}

/// A path beside `path` that nothing has yet.
std::string beside(const fs::path &path) {
  llvm::SmallString<256> out;
  llvm::sys::fs::createUniquePath(path.string() + ".%%%%%%%%.tmp", out, /*MakeAbsolute=*/false);
  return out.str().str();
}

llvm::Error write_plainly(const fs::path &path, const std::string &text) {
  std::error_code error;
  llvm::raw_fd_ostream out(path.string(), error);
  if (!error) {
    out << text;
    out.close();
    error = out.error();
    out.clear_error();
  }
  return error ? failure("'" + path.string() + "'", error) : llvm::Error::success();
}

/// Refuses to replace work of the user's: whatever is written here and says that it is by neuronify
/// only takes the place of files that say so too.
llvm::Error check_replaced(const fs::path &folder,
                           const std::map<std::string, std::string> &files) {
  constexpr llvm::StringLiteral mark = "neuronify";
  for (const auto &[name, text] : files) {
    const std::string path = (folder / name).string();
    auto there = llvm::MemoryBuffer::getFile(path);
    if (there && llvm::StringRef(text).contains(mark) && !(*there)->getBuffer().contains(mark))
      return llvm::createStringError("'" + path +
                                     "' is no file of a port and is not replaced; name another "
                                     "output folder");
  }
  return llvm::Error::success();
}

/// Moves every file of `from` to its place in `to`, over files of the same name.
llvm::Error replace_files(const fs::path &from, const fs::path &to,
                          const std::map<std::string, std::string> &files) {
  for (const auto &[name, text] : files) {
    std::error_code error;
    fs::create_directories((to / name).parent_path(), error);
    if (!error)
      fs::rename(from / name, to / name, error);
    if (error)
      return failure("'" + (to / name).string() + "'", error);
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error check_directory(const std::string &folder, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status))
    return llvm::createStringError("'" + folder + "' exists and is not a folder");
  if (fs::is_directory(status)) {
    const bool empty = fs::is_empty(folder, error);
    if (!error && !empty && !force)
      return llvm::createStringError("the output folder '" + folder +
                                     "' is not empty; name another one, or use --force to replace "
                                     "the files of this port in it");
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return failure("the folder '" + folder + "'", error);
  // The nearest folder that exists must take new files.
  fs::path near = fs::absolute(folder);
  while (!near.empty() && near != near.root_path() && !fs::exists(near, error))
    near = near.parent_path();
  if (std::error_code denied =
          llvm::sys::fs::access(near.string(), llvm::sys::fs::AccessMode::Write))
    return failure("the folder '" + folder + "'", denied);
  if (!fs::is_directory(near))
    return failure("the folder '" + folder + "'", std::make_error_code(std::errc::not_a_directory));
  return llvm::Error::success();
}

llvm::Error write_directory(const std::map<std::string, std::string> &files,
                            const std::string &folder, bool force) {
  if (llvm::Error error = check_directory(folder, force))
    return error;
  if (llvm::Error error = check_replaced(folder, files))
    return error;
  fs::path target = fs::path(folder).lexically_normal();
  if (!target.has_filename()) // "out/"
    target = target.parent_path();
  const fs::path staging = beside(target);
  llvm::scope_exit clean([&] {
    std::error_code ignored;
    fs::remove_all(staging, ignored);
  });
  std::error_code error;
  fs::create_directories(staging, error);
  if (error)
    return failure("the folder '" + folder + "'", error);
  for (const auto &[name, text] : files) {
    fs::create_directories((staging / name).parent_path(), error);
    if (error)
      return failure("'" + name + "'", error);
    if (llvm::Error failed = write_plainly(staging / name, text))
      return failed;
  }
  if (fs::exists(target) && !fs::is_empty(target))
    return replace_files(staging, target, files);
  fs::rename(staging, target, error); // also over an empty folder
  return error ? failure("the folder '" + folder + "'", error) : llvm::Error::success();
}

llvm::Error check_file(const std::string &path) {
  const fs::path folder = fs::absolute(path).parent_path();
  std::error_code why;
  if (fs::is_directory(path, why))
    why = std::make_error_code(std::errc::is_a_directory);
  else if (!fs::exists(folder, why) || !fs::is_directory(folder, why))
    why = std::make_error_code(std::errc::no_such_file_or_directory);
  else
    why = llvm::sys::fs::access(folder.string(), llvm::sys::fs::AccessMode::Write);
  return why ? failure("'" + path + "'", why) : llvm::Error::success();
}

llvm::Error write_file(const std::string &path, const std::string &text) {
  if (llvm::Error error = check_file(path))
    return error;
  const std::string temporary = beside(path);
  llvm::scope_exit clean([&] {
    std::error_code ignored;
    fs::remove(temporary, ignored);
  });
  if (llvm::Error error = write_plainly(temporary, text))
    return error;
  std::error_code error;
  fs::rename(temporary, path, error);
  return error ? failure("'" + path + "'", error) : llvm::Error::success();
}

} // namespace neuronify::rewrite
