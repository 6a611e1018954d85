// `neuronify query`: what names of the CUDA API become.
#include "commands.h"
#include "host/api_table.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace neuronify::tool {

namespace {

using rewrite::ApiEntry;
using rewrite::ApiTable;

std::string describe(const ApiEntry &entry) {
  std::string text = entry.cuda + " -> " + entry.neuronify + "  (" + entry.family + ", " +
                     std::string(to_string(entry.kind)) + ")\n";
  if (!entry.note.empty())
    text += "    " + entry.note + "\n";
  return text;
}

std::string describe(const rewrite::ApiHeader &header) {
  std::string text = "<" + header.cuda + "> -> " +
                     (header.neuronify.empty() ? "left out" : "\"" + header.neuronify + "\"") +
                     "  (header)\n";
  return header.note.empty() ? text : text + "    " + header.note + "\n";
}

/// The entry whose name is nearest, if one is near.
const ApiEntry *nearest(const std::string &name) {
  const ApiEntry *best = nullptr;
  unsigned distance = static_cast<unsigned>(name.size()) / 3 + 1;
  for (const ApiEntry &entry : ApiTable::get().entries()) {
    unsigned now = llvm::StringRef(name).edit_distance(entry.cuda, true, distance);
    if (now < distance) {
      distance = now;
      best = &entry;
    }
  }
  return best;
}

} // namespace

int query(const Options &options, Console &console) {
  const ApiTable &table = ApiTable::get();
  if (options.inputs.empty()) {
    for (const ApiEntry &entry : table.entries())
      console.print(describe(entry));
    for (const rewrite::ApiHeader &header : table.headers())
      console.print(describe(header));
    return 0;
  }
  int result = 0;
  for (const std::string &name : options.inputs) {
    if (const ApiEntry *entry = table.find(name)) {
      console.print(describe(*entry));
    } else if (const rewrite::ApiHeader *header = table.find_header(name)) {
      console.print(describe(*header));
    } else {
      const ApiEntry *near = nearest(name);
      console.error("'" + name + "' has no counterpart" +
                    (near ? "; did you mean '" + near->cuda + "'?" : std::string()));
      result = 1;
    }
  }
  return result;
}

} // namespace neuronify::tool
