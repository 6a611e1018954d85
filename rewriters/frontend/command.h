// What Clang's driver is told for one file: from compile_commands.json and the command line.
#pragma once

#include "frontend/frontend.h"
#include "frontend/nvcc.h"

#include <string>
#include <vector>

namespace neuronify::frontend {

/// One file's command, the same for both passes up to what each pass adds.
struct Command {
  std::vector<std::string> args; ///< for Clang's driver, without program, input and pass options
  std::string file;              ///< the input as Clang shall see it
  std::string directory;         ///< where relative names start; "" for the current folder
  std::string arch;              ///< "sm_80"
  bool own_headers = true;       ///< no toolkit
  Linking linking;
};

/// Finds and translates the command of `file`. Problems become messages (NFY1002, NFY1005, NFY1006,
/// NFY1008); the result is usable unless one of them is an error.
Command find_command(const std::string &file, const Options &options,
                     std::vector<Message> &messages);

} // namespace neuronify::frontend
