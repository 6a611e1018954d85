#include "emit/python_text.h"

#include <fmt/format.h>

namespace neuronify::emit {

namespace {
constexpr size_t kColumns = 88;
}

PyNode PyNode::call(std::string callee, std::vector<PyNode> arguments) {
  PyNode node(std::move(callee));
  node.is_call = true;
  node.arguments = std::move(arguments);
  return node;
}

PyNode PyNode::list(std::vector<PyNode> elements) {
  PyNode node = call("", std::move(elements));
  node.open = '[';
  node.close = ']';
  return node;
}

PyNode PyNode::as(std::string name) const {
  PyNode node = *this;
  node.keyword = std::move(name);
  return node;
}

std::string PyNode::flat() const {
  std::string result = keyword.empty() ? text : keyword + "=" + text;
  if (!is_call)
    return result;
  result += open;
  for (size_t i = 0; i < arguments.size(); ++i)
    result += (i ? ", " : "") + arguments[i].flat();
  return result + close;
}

std::string PyNode::flat(PyBinding least) const {
  return binding < least ? "(" + flat() + ")" : flat();
}

void PyWriter::put(int indent, const std::string &text) {
  text_ += std::string(size_t(indent), ' ') + text + "\n";
}

void PyWriter::line(const std::string &prefix, const PyNode &node, const std::string &suffix) {
  split(indent_, prefix, node, suffix);
}

void PyWriter::split(int indent, const std::string &prefix, const PyNode &node,
                     const std::string &suffix) {
  const std::string flat = prefix + node.flat() + suffix;
  const bool fits = size_t(indent) + flat.size() <= kColumns;
  if (fits || (!node.is_call && prefix.find('=') == std::string::npos))
    return put(indent, flat);
  if (!node.is_call) { // the right side in parentheses, if that helps
    if (size_t(indent) + 4 + node.flat().size() > kColumns)
      return put(indent, flat);
    put(indent, prefix + "(");
    put(indent + 4, node.flat());
    return put(indent, ")" + suffix);
  }
  if (node.arguments.empty())
    return put(indent, flat);
  std::string list;
  for (size_t i = 0; i < node.arguments.size(); ++i)
    list += (i ? ", " : "") + node.arguments[i].flat();
  put(indent, prefix + (node.keyword.empty() ? "" : node.keyword + "=") + node.text + node.open);
  if (size_t(indent) + 4 + list.size() <= kColumns)
    put(indent + 4, list);
  else
    for (const PyNode &argument : node.arguments)
      split(indent + 4, "", argument, ",");
  put(indent, node.close + suffix);
}

void PyWriter::comment(const std::string &text) { put(indent_, "# " + text); }

std::string python_string(const std::string &text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      result += std::string("\\") + char(c);
    else if (c < 0x20)
      result += fmt::format("\\x{:02x}", c);
    else
      result += char(c);
  }
  return result + "\"";
}

} // namespace neuronify::emit
