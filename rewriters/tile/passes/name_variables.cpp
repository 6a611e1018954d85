#include "tile/passes/passes.h"

#include <map>
#include <set>

namespace neuronify::tile {
namespace {

std::string identifier(const std::string &name) {
  std::string result;
  for (char c : name)
    result += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  if (!result.empty() && result[0] >= '0' && result[0] <= '9')
    result.insert(result.begin(), 'v');
  return result;
}

const char *letter(Kind kind) {
  switch (kind) {
  case Kind::tile_float:
  case Kind::tile_int:
  case Kind::tile_wide:
    return "t";
  case Kind::mask:
    return "m";
  case Kind::index:
    return "i";
  case Kind::host_float:
    return "f";
  case Kind::host_bool:
    return "b";
  default:
    return "k";
  }
}

} // namespace

void name_variables(Program &program) {
  std::set<std::string> taken{"launch", "w",         "nki",      "nl",       "nisa",
                              "std",    "neuronify", "uint32_t", "int64_t",  "uint64_t",
                              "int8_t", "int16_t",   "uint8_t",  "uint16_t", "int32_t"};
  static const char *keywords[] = {
      "and",   "asm",      "auto",     "bool",    "break",     "case",     "catch",     "char",
      "class", "const",    "continue", "default", "delete",    "do",       "double",    "else",
      "enum",  "explicit", "export",   "extern",  "false",     "float",    "for",       "friend",
      "goto",  "if",       "inline",   "int",     "long",      "mutable",  "namespace", "new",
      "not",   "operator", "or",       "private", "protected", "public",   "register",  "return",
      "short", "signed",   "sizeof",   "static",  "struct",    "switch",   "template",  "this",
      "throw", "true",     "try",      "typedef", "union",     "unsigned", "using",     "virtual",
      "void",  "volatile", "while",    "xor",     "requires",  "concept",  "constexpr"};
  taken.insert(std::begin(keywords), std::end(keywords));
  std::map<std::string, int> next;
  auto name = [&](Variable &variable) {
    std::string base = identifier(variable.name);
    const bool numbered = !variable.named || base.empty();
    if (base.empty())
      base = letter(variable.type.kind);
    std::string result = numbered ? base + std::to_string(next[base]++) : base;
    while (!taken.insert(result).second)
      result = base + "_" + std::to_string(++next[base]);
    variable.name = result;
  };
  std::vector<bool> done(program.variables.size(), false);
  for (const Input &input : program.inputs) {
    name(program.variables[input.variable]);
    done[input.variable] = true;
  }
  for_each_statement(program.body, [&](const Statement &statement) {
    const bool declares = statement.form == Statement::Form::declare ||
                          (statement.form == Statement::Form::loop && statement.variable >= 0);
    if (declares && !done[statement.variable]) {
      name(program.variables[statement.variable]);
      done[statement.variable] = true;
    }
  });
}

} // namespace neuronify::tile
