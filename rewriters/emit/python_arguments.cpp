#include "emit/python_arguments.h"

#include "emit/cpp.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace neuronify::emit {

using tile::Input;
using tile::Kind;
using tile::Type;

namespace {

std::string without_const(const std::string &element) {
  return element.starts_with("const ") ? element.substr(6) : element;
}

/// How elements of a C type lie in an array of NumPy's; empty for structs and the like.
std::string number_type(const std::string &element) {
  static const std::map<std::string, const char *> names{{"float", "float32"},
                                                         {"int", "int32"},
                                                         {"unsigned", "uint32"},
                                                         {"unsigned int", "uint32"},
                                                         {"short", "int16"},
                                                         {"unsigned short", "uint16"},
                                                         {"int16_t", "int16"},
                                                         {"uint16_t", "uint16"},
                                                         {"char", "int8"},
                                                         {"signed char", "int8"},
                                                         {"int8_t", "int8"},
                                                         {"unsigned char", "uint8"},
                                                         {"uint8_t", "uint8"},
                                                         {"bool", "uint8"},
                                                         {"int32_t", "int32"},
                                                         {"uint32_t", "uint32"},
                                                         {"double", "float64"},
                                                         {"int64_t", "int64"},
                                                         {"uint64_t", "uint64"},
                                                         {"long", "int64"},
                                                         {"long long", "int64"},
                                                         {"unsigned long", "uint64"},
                                                         {"unsigned long long", "uint64"}};
  auto found = names.find(element);
  return found == names.end() ? "" : found->second;
}

/// What C++ calls the elements that have no number type, with a comma, where that tells something.
std::string for_people(std::string c_type) {
  if (c_type.starts_with("nki::"))
    c_type = c_type.substr(5); // float16
  return c_type.empty() || c_type.find(':') != std::string::npos ? "" : c_type + " elements, ";
}

/// A paragraph of a docstring; further lines are indented.
void paragraph(PyWriter &writer, const std::string &text) {
  constexpr size_t kColumns = 78; // 88 less the deepest indentation
  std::string line;
  bool first = true;
  auto put = [&] {
    writer.line((first ? "" : "    ") + line);
    first = false;
    line.clear();
  };
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && line.size() + 1 + word.size() > kColumns - (first ? 0 : 4))
      put();
    line += (line.empty() ? "" : " ") + word;
    start = end + 1;
  }
  put();
}

} // namespace

const Type &PythonArguments::type(const Input &input) const {
  return program_.variables[size_t(input.variable)].type;
}

bool PythonArguments::is_data_scalar(const Input &input) const {
  return facts_.is_int_data(input.variable) ||
         (type(input).kind == Kind::host_float && !facts_.is_structural(input.variable));
}

/// The NumPy type of an array's elements, or of a number.
std::string PythonArguments::element(const Input &input) const {
  const Type &type = this->type(input);
  if (type.kind == Kind::pointer) {
    const std::string number = number_type(without_const(type.element));
    return number.empty() ? "uint8" : number;
  }
  if (type.kind == Kind::host_bool)
    return "bool";
  if (type.kind == Kind::host_float)
    return type.bits == 64 ? "float64" : "float32";
  return fmt::format("{}int{}", type.is_signed ? "" : "u", int(type.bits));
}

bool PythonArguments::is_address(const Input &input) const {
  return facts_.uses_addresses() && type(input).kind == Kind::pointer && !input.memory_bytes &&
         !facts_.is_texture(input.variable);
}

std::string PythonArguments::stretches() const {
  return print_.fresh_name(print_.memory() + "_stretches");
}

std::string PythonArguments::modes(const Input &input) const {
  return print_.fresh_name(print_.name(input.variable) + "_modes");
}

std::vector<PyNode> PythonArguments::signature() const {
  std::vector<PyNode> list;
  for (const Input &input : program_.inputs) {
    list.push_back(PyNode(print_.name(input.variable)));
    if (facts_.is_texture(input.variable))
      list.push_back(PyNode(modes(input)));
  }
  if (facts_.uses_addresses()) {
    list.push_back(PyNode(print_.memory()));
    list.push_back(PyNode(stretches()));
  }
  for (const auto &[argument, words] : print_.words())
    list.push_back(PyNode(words.name));
  for (const char *word : {"grid_dim", "block_dim", "dynamic_shared_bytes=0", "precise_math=False"})
    list.push_back(PyNode(word));
  return list;
}

std::string PythonArguments::pointer_meaning(const Input &input) const {
  const std::string c_type = without_const(type(input).element);
  const std::string element = this->element(input);
  const bool reads = facts_.is_read(input.variable), writes = facts_.is_written(input.variable);
  const std::string use = reads && writes ? "read and written"
                          : writes        ? "written"
                          : reads         ? "read"
                                          : "used";
  std::string of = "tensor[elements], " + element;
  std::string note;
  if (element.ends_with("64")) {
    of = "tensor[2 * elements], int32";
    note = "the words of " + element + " elements, ";
  } else if (number_type(c_type).empty() && input.memory_bytes == 0) {
    of = "tensor[bytes], uint8";
    note = for_people(c_type);
  }
  if (input.memory_bytes) {
    of = fmt::format("tensor[{}], uint8", input.memory_bytes);
    note = "the struct's bytes, ";
  }
  if (!input.symbol.empty() || input.argument < 0)
    note = "a variable of the device, " + note;
  return "(" + of + "): " + note + use;
}

std::string PythonArguments::meaning(const Input &input) const {
  const Type &type = this->type(input);
  if (facts_.is_texture(input.variable))
    return std::string("(tensor[bytes], uint8): a texture or surface, ") +
           (facts_.is_written(input.variable) ? "read and written" : "read");
  if (is_address(input))
    return std::string("(int): the address of ") + element(input) + " elements" +
           (input.symbol.empty() && input.argument >= 0 ? "" : ", a variable of the device");
  if (type.kind == Kind::pointer)
    return pointer_meaning(input);
  if (is_data_scalar(input))
    return "(tensor[1], " + (element(input) == "float64" ? "float32" : element(input)) +
           "): a number that lanes compute with";
  if (facts_.is_bits(input.variable))
    return "(int, int64): the bits of a double, a compile-time number";
  const std::string python = type.kind == Kind::host_bool    ? "bool"
                             : type.kind == Kind::host_float ? "float"
                                                             : "int";
  return "(" + python + (python == "bool" ? "" : ", " + element(input)) +
         "): a compile-time number";
}

void PythonArguments::document(PyWriter &writer) const {
  writer.line(
      fmt::format("\"\"\"{}:{}  {}", base_name(program_.file), program_.line, program_.name));
  writer.blank();
  writer.line("Lanes: " + program_.mapping);
  writer.blank();
  writer.line("Args:");
  writer.open();
  for (const Input &input : program_.inputs) {
    paragraph(writer, print_.name(input.variable) + " " + meaning(input));
    if (facts_.is_texture(input.variable))
      paragraph(writer, modes(input) + " (list of 18 ints): size, format and modes, as run.Texture "
                                       "makes them");
  }
  if (facts_.uses_addresses()) {
    paragraph(writer,
              print_.memory() + " (tensor[bytes], uint8): all memory that addresses are of");
    paragraph(writer, stretches() + " (list of int): an address, where it is in " +
                          print_.memory() + ", and so on");
  }
  for (const auto &[argument, words] : print_.words())
    writer.line(fmt::format("{} (list of int): the struct's 32-bit words", words.name));
  writer.line("grid_dim (tuple of 3 ints): blocks in x, y, z");
  writer.line("block_dim (tuple of 3 ints): threads of a block in x, y, z");
  writer.line("dynamic_shared_bytes (int): what the launch asks for");
  writer.line("precise_math (bool): /, sqrtf and fmaf to the last bit");
  writer.close();
  if (const std::vector<std::string> written = results(); !written.empty()) {
    std::string list;
    for (const std::string &name : written) // the tensor of an object is its argument
      list += (list.empty() ? "" : ", ") + name.substr(0, name.find('.'));
    writer.blank();
    writer.line("Returns:");
    writer.open();
    paragraph(writer, list + ", written in place");
    writer.close();
  }
  writer.line("\"\"\"");
}

std::vector<std::string> PythonArguments::results() const {
  std::vector<std::string> list;
  if (facts_.uses_addresses() && facts_.writes())
    list.push_back(print_.memory() + ".tensor");
  for (const Input &input : program_.inputs) {
    if (is_address(input))
      continue;
    const bool texture = facts_.is_texture(input.variable);
    if ((texture || type(input).kind == Kind::pointer) && facts_.is_written(input.variable))
      list.push_back(print_.name(input.variable) + (texture ? ".memory" : ""));
  }
  return list;
}

/// Where a launch has the argument.
std::string PythonArguments::where(const Input &input) const {
  if (!input.symbol.empty() || input.argument < 0)
    return ", symbol=" + python_string(input.symbol);
  return fmt::format(", {}", input.argument) +
         (input.offset ? fmt::format(", {}", input.offset) : "");
}

std::string PythonArguments::texture_parameter(const Input &input, const std::string &name) const {
  return fmt::format("run.texture({}{})", name, where(input));
}

std::string PythonArguments::parameter(const Input &input) const {
  const std::string form = type(input).kind == Kind::pointer ? "array"
                           : facts_.is_bits(input.variable)  ? "bits"
                           : is_data_scalar(input)           ? "scalar"
                                                             : "number";
  const std::string element = this->element(input);
  const std::string name = python_string(print_.name(input.variable));
  if (facts_.is_texture(input.variable))
    return texture_parameter(input, name);
  if (is_address(input))
    return fmt::format("run.address({}, \"{}\"{})", name, element, where(input));
  if (!input.symbol.empty() || input.argument < 0)
    return fmt::format("run.symbol({}, \"{}\", {})", name, element, python_string(input.symbol));
  if (input.memory_bytes)
    return fmt::format("run.copied({}, \"{}\", {}, {})", name, element, input.argument,
                       input.memory_bytes);
  const std::string offset = input.offset ? fmt::format(", {}", input.offset) : "";
  return fmt::format("run.{}({}, \"{}\", {}{})", form, name, element, input.argument, offset);
}

std::string PythonArguments::description() const {
  std::string list;
  for (const Input &input : program_.inputs)
    list += "        " + parameter(input) + ",\n";
  if (facts_.uses_addresses())
    list += "        run.memory(" + python_string(print_.memory()) + "),\n";
  for (const auto &[argument, words] : print_.words())
    list += fmt::format("        run.words({}, {}, {}),\n", python_string(words.name), argument,
                        words.bytes);
  std::string shape = program_.precise_math ? ",\n    precise_math=True" : "";
  const std::string parameters = list.empty() ? "[]" : "[\n" + list + "    ]";
  return fmt::format("{0} = run.Kernel(\n    {{module}}.{0},\n    mangled={1},\n    "
                     "source={2},\n    parameters={3}{4},\n)\n",
                     print_.function_name(), python_string(program_.mangled),
                     python_string(program_.file), parameters, shape);
}

} // namespace neuronify::emit
