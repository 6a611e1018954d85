#include "tile/text.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>

namespace neuronify::tile {
namespace {

class Parser {
public:
  Parser(std::string_view text, std::string &error) : text_(text), error_(error) {}

  std::optional<Program> run() {
    std::string shape, order;
    if (!word("kernel") || !quoted(p_.name) || !quoted(p_.identifier) || !quoted(p_.mangled) ||
        !quoted(p_.file) || !number(p_.line) || !name(shape) || !name(order))
      return fail("a kernel line");
    p_.waves_together = accept("together");
    if (!quoted(p_.mapping))
      return fail("a mapping");
    p_.block_per_partition = shape == "block_per_partition";
    p_.warps = shape == "warps";
    p_.sequential = order == "sequential";
    p_.one_core = order == "one_core";
    while (accept("variable"))
      if (!variable())
        return fail("a variable");
    while (accept("input"))
      if (!input())
        return fail("an input");
    while (accept("text"))
      if (!printed_text())
        return fail("a text");
    if (!word("body") || !word("{") || !block(p_.body))
      return fail("a statement");
    space();
    if (at_ != text_.size())
      return fail("the end");
    return std::move(p_);
  }

private:
  std::optional<Program> fail(const char *expected) {
    size_t line = 1;
    for (size_t i = 0; i < std::min(at_, text_.size()); ++i)
      line += text_[i] == '\n';
    error_ = fmt::format("line {}: expected {}", line, expected);
    return {};
  }

  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }
  bool accept(std::string_view token) {
    space();
    if (text_.substr(at_, token.size()) != token)
      return false;
    at_ += token.size();
    return true;
  }
  bool word(std::string_view token) { return accept(token); }
  bool name(std::string &out) {
    space();
    const size_t first = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    out = text_.substr(first, at_ - first);
    return !out.empty();
  }
  template <class T> bool number(T &out) {
    space();
    const size_t first = at_;
    if (at_ < text_.size() && text_[at_] == '-')
      ++at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
      ++at_;
    if (first == at_ || text_[at_ - 1] == '-')
      return false;
    out = T(std::strtoll(std::string(text_.substr(first, at_ - first)).c_str(), nullptr, 10));
    return true;
  }
  bool quoted(std::string &out) {
    if (!accept("\""))
      return false;
    out.clear();
    while (at_ < text_.size() && text_[at_] != '"') {
      const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
      at_ += escaped;
      if (escaped && text_[at_] >= '0' && text_[at_] <= '3' && at_ + 2 < text_.size()) {
        out += char(std::stoi(std::string(text_.substr(at_, 3)), nullptr, 8));
        at_ += 3;
        continue;
      }
      out += escaped && text_[at_] == 'n' ? '\n' : text_[at_];
      ++at_;
    }
    return accept("\"");
  }
  bool type(Type &out) {
    std::string text;
    if (!name(text))
      return false;
    auto bits = [&](size_t skip) { return uint8_t(std::atoi(text.c_str() + skip)); };
    if (text == "none")
      out = {};
    else if (text == "bool")
      out = {Kind::host_bool};
    else if (text == "f32")
      out = {Kind::host_float};
    else if (text == "f64")
      out = {Kind::host_float, 64};
    else if (text == "mask")
      out = {Kind::mask};
    else if (text == "place")
      out = {Kind::place};
    else if (text == "tile.f32")
      out = {Kind::tile_float};
    else if (text.starts_with("tile.i"))
      out = {bits(6) > 32 ? Kind::tile_wide : Kind::tile_int, bits(6)};
    else if (text.starts_with("index"))
      out = {Kind::index, bits(5)};
    else if (text == "pointer" && accept("<")) {
      out = {Kind::pointer};
      while (at_ < text_.size() && text_[at_] != '>')
        out.element += text_[at_++];
      return accept(">");
    } else if (text[0] == 'i' || text[0] == 'u')
      out = {Kind::host_int, bits(1), text[0] == 'i'};
    else
      return false;
    return true;
  }
  bool variable() {
    size_t index;
    Variable v;
    std::string origin;
    if (!word("%") || !number(index) || index != p_.variables.size() || !type(v.type) ||
        !quoted(v.name) || !name(origin))
      return false;
    v.named = origin == "named";
    p_.variables.push_back(std::move(v));
    return true;
  }
  bool input() {
    Input i;
    std::string origin;
    if (!word("%") || !number(i.variable) || !number(i.argument) || !number(i.offset) ||
        !quoted(i.symbol) || !name(origin) || !exists(i.variable))
      return false;
    i.is_parameter = origin == "parameter";
    if (origin == "memory" && !number(i.memory_bytes))
      return false;
    p_.inputs.push_back(std::move(i));
    return true;
  }
  bool printed_text() {
    PrintedText text;
    size_t values = 0;
    if (!quoted(text.format) || !number(values))
      return false;
    for (size_t i = 0; i < values; ++i) {
      size_t count = 0;
      if (!number(count))
        return false;
      std::vector<std::string> strings;
      for (size_t k = 0; k < count; ++k)
        if (strings.emplace_back(); !quoted(strings.back()))
          return false;
      text.choices.push_back(std::move(strings));
    }
    p_.texts.push_back(std::move(text));
    return true;
  }
  bool exists(int variable) const { return variable >= 0 && variable < int(p_.variables.size()); }

  bool expression(Expr &out) {
    if (accept("%")) {
      int index;
      if (!number(index) || !exists(index))
        return false;
      out = tile::variable(index, p_.variables[index].type);
      return true;
    }
    int64_t value;
    Type t;
    if (number(value)) {
      if (!accept(":") || !type(t))
        return false;
      out = literal(t, value);
      return true;
    }
    std::string operation_name;
    if (!name(operation_name) || !accept(":") || !type(t) || !accept("("))
      return false;
    std::vector<Expr> operands;
    if (!list(operands))
      return false;
    out = operation(operation_name, t, std::move(operands));
    return true;
  }
  bool list(std::vector<Expr> &out) {
    if (accept(")"))
      return true;
    do {
      Expr e;
      if (!expression(e))
        return false;
      out.push_back(std::move(e));
    } while (accept(","));
    return accept(")");
  }
  bool line(Statement &s) { return accept("@") && number(s.line); }

  bool block(std::vector<Statement> &out) {
    while (!accept("}")) {
      Statement s;
      if (!statement(s))
        return false;
      out.push_back(std::move(s));
    }
    return true;
  }
  bool statement(Statement &s) {
    std::string first;
    if (!name(first))
      return false;
    if (first == "declare" || first == "set") {
      s.form = first == "set" ? Statement::Form::set : Statement::Form::declare;
      if (!accept("%") || !number(s.variable) || !exists(s.variable))
        return false;
      if (accept("=") && !expression(s.value))
        return false;
      return line(s);
    }
    if (first == "leave") {
      s.form = Statement::Form::leave;
      return line(s);
    }
    if (first == "for") {
      s.form = Statement::Form::loop;
      return accept("%") && number(s.variable) && exists(s.variable) && accept("=") &&
             expression(s.start) && accept("while") && expression(s.value) && accept("step") &&
             expression(s.step) && accept("{") && line(s) && block(s.body);
    }
    if (first == "if" || first == "while" || first == "loop") {
      s.form = first == "if" ? Statement::Form::branch : Statement::Form::loop;
      if (first != "loop" && !expression(s.value))
        return false;
      if (!accept("{") || !line(s) || !block(s.body))
        return false;
      return first != "if" || !accept("else") || (accept("{") && block(s.otherwise));
    }
    s.operation = first;
    return accept("(") && list(s.operands) && line(s);
  }

  std::string_view text_;
  std::string &error_;
  size_t at_ = 0;
  Program p_;
};

} // namespace

std::optional<Program> parse(std::string_view text, std::string &error) {
  return Parser(text, error).run();
}

} // namespace neuronify::tile
