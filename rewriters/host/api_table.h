// The CUDA host API and its counterparts: one data table, api.json, read once.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace neuronify::rewrite {

/// One name of the CUDA host API. The rule: drop `cuda`, go to namespace neuronify, and lower the
/// first letter of functions; what CUDA spells without a prefix (`dim3`, `float4`) keeps its name.
struct ApiEntry {
  enum class Kind { function, type, class_template, enumerator, macro };
  std::string cuda;      ///< "cudaMemcpyAsync"
  std::string neuronify; ///< "neuronify::memcpyAsync"
  Kind kind = Kind::function;
  std::string family; ///< "memory", "stream", ...
  std::string note;   ///< what differs; may be empty

  bool renamed() const { return cuda != neuronify; }
};

/// A CUDA header and the one that takes its place; empty: the header is dropped.
struct ApiHeader {
  std::string cuda, neuronify, note;
  bool missing = false; ///< what it declares has no counterpart, so that a use has to be reported
};

class ApiTable {
public:
  /// The table that is built into the program.
  static const ApiTable &get();

  /// The entry of a CUDA name, or null.
  const ApiEntry *find(std::string_view cuda) const;
  /// The entry of a header as it is included ("cuda_runtime.h"), or null.
  const ApiHeader *find_header(std::string_view name) const;
  const std::vector<ApiEntry> &entries() const { return entries_; }
  const std::vector<ApiHeader> &headers() const { return headers_; }

private:
  ApiTable();
  std::vector<ApiEntry> entries_;
  std::vector<ApiHeader> headers_;
  std::map<std::string, size_t, std::less<>> by_name_, header_by_name_;
};

/// "function", "type", "template", "enumerator" or "macro".
std::string_view to_string(ApiEntry::Kind kind);

/// Whether a name that the CUDA headers declare belongs to NVIDIA's host API (`cuda…`, `cu…`,
/// `CU…`), so that a use of it without a counterpart has to be reported.
bool looks_like_cuda_api(std::string_view name);

} // namespace neuronify::rewrite
