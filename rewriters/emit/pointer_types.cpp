#include "emit/pointer_types.h"

#include <algorithm>

namespace neuronify::emit {

namespace {

bool is_known(const frontend::Field &field) { return field.is_pointer && !field.pointee.empty(); }

/// One entry per parameter, up to the last that is known.
std::string by_position(const frontend::Kernel &kernel) {
  std::vector<std::string> entries;
  for (const frontend::Parameter &parameter : kernel.parameters) {
    bool known = !parameter.fields.empty() && is_known(parameter.fields.front());
    entries.push_back(known ? parameter.fields.front().pointee : "-");
  }
  while (!entries.empty() && entries.back() == "-")
    entries.pop_back();
  std::string text;
  for (const std::string &entry : entries)
    text += (text.empty() ? "" : ",") + entry;
  return text;
}

std::string by_place(const frontend::Kernel &kernel) {
  std::string text;
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    for (const frontend::Field &field : kernel.parameters[i].fields)
      if (is_known(field))
        text += (text.empty() ? "" : ",") + std::to_string(i) +
                (field.offset ? "+" + std::to_string(field.offset) : "") + "=" + field.pointee;
  return text;
}

} // namespace

std::string pointer_types(const frontend::Kernel &kernel) {
  bool plain = std::ranges::all_of(kernel.parameters, [](const frontend::Parameter &parameter) {
    return parameter.is_pointer || std::ranges::none_of(parameter.fields, is_known);
  });
  return plain ? by_position(kernel) : by_place(kernel);
}

} // namespace neuronify::emit
