// Writing a folder of files so that it is there completely or not at all.
#pragma once

#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace neuronify::rewrite {

/// Writes `files` (content by relative path) as the folder `folder`. They are written beside it
/// first and then renamed, so that nobody sees half of them. A folder that exists has to be empty,
/// unless `force`: then files of the same names are replaced one by one, and no other is touched.
/// Errors say what cannot be written and why, for a person.
llvm::Error write_directory(const std::map<std::string, std::string> &files,
                            const std::string &folder, bool force);

/// The check of write_directory() alone, for those who want to fail before they work.
llvm::Error check_directory(const std::string &folder, bool force);

/// Whether write_file() could write this file: its folder exists and takes new files.
llvm::Error check_file(const std::string &path);

/// Writes one file beside its place and renames it. The error names the file.
llvm::Error write_file(const std::string &path, const std::string &text);

} // namespace neuronify::rewrite
