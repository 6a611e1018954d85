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

PyNode PyNode::infix(const PyNode &a, const std::string &sign, const PyNode &b, PyBinding binding) {
  const PyBinding tighter = PyBinding(int(binding) + 1);
  PyNode node(a.flat(binding) + " " + sign + " " + b.flat(tighter), binding);
  auto add = [&](const PyNode &part, PyBinding least) {
    node.parts.push_back(part.binding < least ? PyNode(part.flat(least)) : part);
  };
  if (a.binding == binding && !a.parts.empty())
    node.parts = a.parts;
  else
    add(a, binding);
  add(b, tighter);
  node.parts.back().sign = sign;
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
  if (!fits && prefix.empty() && node.keyword.empty() && !node.parts.empty())
    return split_parts(indent, node, suffix); // inside of brackets
  if (fits || (!node.is_call && prefix.find('=') == std::string::npos))
    return put(indent, flat);
  if (!node.is_call) { // the right side in parentheses, if that helps
    if (split_last_call(indent, prefix, node, suffix))
      return;
    const bool is_short = size_t(indent) + 4 + node.flat().size() <= kColumns;
    if (!is_short && node.parts.empty())
      return put(indent, flat);
    put(indent, prefix + "(");
    is_short ? put(indent + 4, node.flat()) : split_parts(indent + 4, node, "");
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

/// A line for each operand.
void PyWriter::split_parts(int indent, const PyNode &node, const std::string &suffix) {
  for (size_t i = 0; i < node.parts.size(); ++i)
    put(indent, (i ? node.parts[i].sign + " " : "") + node.parts[i].flat() +
                    (i + 1 == node.parts.size() ? suffix : ""));
}

/// `x = a + f(...)` splits at the brackets of the last operand.
bool PyWriter::split_last_call(int indent, const std::string &prefix, const PyNode &node,
                               const std::string &suffix) {
  if (node.parts.size() != 2 || !node.parts[1].is_call || node.parts[1].arguments.empty())
    return false;
  const std::string head = prefix + node.parts[0].flat() + " " + node.parts[1].sign + " ";
  if (size_t(indent) + head.size() + node.parts[1].text.size() + 1 > kColumns)
    return false;
  split(indent, head, node.parts[1], suffix);
  return true;
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
