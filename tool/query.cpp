// `neuronify query`: what names of the CUDA API become.
#include "commands.h"
#include "host/api_table.h"
#include "host/directory.h"
#include "json_results.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace neuronify::tool {

namespace {

using llvm::json::Object;
using rewrite::ApiEntry;
using rewrite::ApiHeader;
using rewrite::ApiTable;

std::string describe(const ApiEntry &entry) {
  std::string text = entry.cuda + " -> " + entry.neuronify + "  (" + entry.family + ", " +
                     std::string(to_string(entry.kind)) + ")\n";
  if (!entry.note.empty())
    text += "    " + entry.note + "\n";
  return text;
}

std::string describe(const ApiHeader &header) {
  std::string text = "<" + header.cuda + "> -> " +
                     (header.neuronify.empty() ? "left out" : "\"" + header.neuronify + "\"") +
                     "  (header)\n";
  return header.note.empty() ? text : text + "    " + header.note + "\n";
}

Object to_json(const ApiEntry &entry) {
  return Object{{"name", entry.cuda},
                {"found", true},
                {"kind", std::string(to_string(entry.kind))},
                {"neuronify", entry.neuronify},
                {"family", entry.family},
                {"note", entry.note}};
}

Object to_json(const ApiHeader &header) {
  return Object{{"name", header.cuda},           {"found", true}, {"kind", "header"},
                {"neuronify", header.neuronify}, {"family", ""},  {"note", header.note}};
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

class Query {
public:
  explicit Query(Console &console) : console_(console) {}

  void all() {
    for (const ApiEntry &entry : ApiTable::get().entries())
      tell(entry);
    for (const ApiHeader &header : ApiTable::get().headers())
      tell(header);
  }

  void one(const std::string &name) {
    const ApiTable &table = ApiTable::get();
    if (const ApiEntry *entry = table.find(name))
      return tell(*entry);
    if (const ApiHeader *header = table.find_header(name))
      return tell(*header);
    const ApiEntry *near = nearest(name);
    const bool host = name.starts_with("cuda") || name.ends_with(".h");
    console_.error("'" + name + "' has no counterpart" +
                   (host ? "" : " in host code; what kernels call is not listed here") +
                   (near ? "; did you mean '" + near->cuda + "'?" : std::string()));
    names_.push_back(Object{{"name", name}, {"found", false}, {"near", near ? near->cuda : ""}});
    exit_code_ = 1;
  }

  int finish(const std::string &json) {
    if (json.empty())
      return exit_code_;
    Object result{{"version", 1}, {"command", "query"}, {"names", std::move(names_)}};
    if (llvm::Error error = rewrite::write_file(json, print(std::move(result)))) {
      console_.error(llvm::toString(std::move(error)));
      return 1;
    }
    return exit_code_;
  }

private:
  template <class Entry> void tell(const Entry &entry) {
    console_.print(describe(entry));
    names_.push_back(to_json(entry));
  }

  Console &console_;
  llvm::json::Array names_;
  int exit_code_ = 0;
};

} // namespace

int query(const Options &options, Console &console) {
  Query query(console);
  if (options.inputs.empty())
    query.all();
  for (const std::string &name : options.inputs)
    query.one(name);
  return query.finish(options.json);
}

} // namespace neuronify::tool
