#include "host/api_table.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"

#include <cctype>

namespace neuronify::rewrite {

namespace {

const char table_text[] =
#include "api_json.inc"
    ;

ApiEntry::Kind kind_of(llvm::StringRef text) {
  if (text == "function")
    return ApiEntry::Kind::function;
  if (text == "type")
    return ApiEntry::Kind::type;
  if (text == "template")
    return ApiEntry::Kind::class_template;
  return text == "enumerator" ? ApiEntry::Kind::enumerator : ApiEntry::Kind::macro;
}

std::string text_of(const llvm::json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

} // namespace

ApiTable::ApiTable() {
  auto parsed = llvm::json::parse(table_text);
  if (!parsed) // the table is part of the program, so this cannot depend on input
    llvm::report_fatal_error(parsed.takeError());
  const llvm::json::Object &root = *parsed->getAsObject();
  for (const llvm::json::Value &value : *root.getArray("entries")) {
    const llvm::json::Object &object = *value.getAsObject();
    by_name_[text_of(object, "cuda")] = entries_.size();
    entries_.push_back({text_of(object, "cuda"), text_of(object, "neuronify"),
                        kind_of(text_of(object, "kind")), text_of(object, "family"),
                        text_of(object, "note")});
  }
  for (const llvm::json::Value &value : *root.getArray("headers")) {
    const llvm::json::Object &object = *value.getAsObject();
    header_by_name_[text_of(object, "cuda")] = headers_.size();
    headers_.push_back({text_of(object, "cuda"), text_of(object, "neuronify"),
                        text_of(object, "note"), object.getBoolean("missing").value_or(false)});
  }
}

const ApiTable &ApiTable::get() {
  static const ApiTable table;
  return table;
}

const ApiEntry *ApiTable::find(std::string_view cuda) const {
  auto found = by_name_.find(cuda);
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

/// "cub/*" for a header of CUB, and so on. Those of libcu++ are told from a user's by having no
/// extension.
static std::string_view family_of(std::string_view name) {
  if (name.starts_with("cub/") && name.ends_with(".cuh"))
    return "cub/*";
  if (name.starts_with("thrust/") && name.ends_with(".h"))
    return "thrust/*";
  if ((name.starts_with("cuda/") || name.starts_with("nv/")) &&
      name.find('.') == std::string_view::npos)
    return "cuda/*";
  return "";
}

const ApiHeader *ApiTable::find_header(std::string_view name) const {
  auto found = header_by_name_.find(name);
  if (found == header_by_name_.end())
    found = header_by_name_.find(family_of(name));
  return found == header_by_name_.end() ? nullptr : &headers_[found->second];
}

std::string_view to_string(ApiEntry::Kind kind) {
  switch (kind) {
  case ApiEntry::Kind::function:
    return "function";
  case ApiEntry::Kind::type:
    return "type";
  case ApiEntry::Kind::class_template:
    return "template";
  case ApiEntry::Kind::enumerator:
    return "enumerator";
  case ApiEntry::Kind::macro:
    return "macro";
  }
  return "";
}

bool looks_like_cuda_api(std::string_view name) {
  if (name.starts_with("cuda") || name.starts_with("CU"))
    return true;
  // cuInit, cublasCreate, curandState, cufftPlan1d, cusparseHandle_t …
  for (std::string_view library :
       {"cublas", "curand", "cufft", "cusparse", "cusolver", "nvrtc", "nccl", "cudnn", "nvtx"})
    if (name.starts_with(library))
      return true;
  return name.size() > 2 && name.starts_with("cu") && std::isupper(name[2]);
}

} // namespace neuronify::rewrite
