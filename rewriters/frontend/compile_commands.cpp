#include "frontend/compile_commands.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace neuronify::frontend {

namespace {

using llvm::StringRef;

std::string absolute(StringRef directory, StringRef file) {
  llvm::SmallString<256> result(file);
  llvm::sys::path::make_absolute(directory, result);
  llvm::sys::fs::make_absolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

/// Either "arguments", word by word, or "command", as a shell would split it.
std::vector<std::string> words_of(const llvm::json::Object &entry) {
  std::vector<std::string> words;
  if (const llvm::json::Array *arguments = entry.getArray("arguments")) {
    for (const llvm::json::Value &argument : *arguments)
      if (const auto word = argument.getAsString())
        words.push_back(word->str());
    return words;
  }
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> split;
  llvm::cl::TokenizeGNUCommandLine(entry.getString("command").value_or(""), saver, split);
  words.assign(split.begin(), split.end());
  return words;
}

llvm::Error fault(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

} // namespace

llvm::Expected<std::vector<CompileCommand>> read_compile_commands(const std::string &file) {
  const auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return fault("cannot read compile commands: " + buffer.getError().message());
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return fault("compile commands are not JSON: " + llvm::toString(json.takeError()));
  const llvm::json::Array *entries = json->getAsArray();
  if (!entries)
    return fault("compile commands are not an array");
  std::vector<CompileCommand> commands;
  for (const llvm::json::Value &value : *entries) {
    const llvm::json::Object *entry = value.getAsObject();
    if (!entry || !entry->getString("file") || !entry->getString("directory"))
      return fault("a compile command lacks \"file\" or \"directory\"");
    const std::string directory = entry->getString("directory")->str();
    commands.push_back(
        {directory, absolute(directory, *entry->getString("file")), words_of(*entry)});
  }
  return commands;
}

} // namespace neuronify::frontend
