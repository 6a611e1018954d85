#include "emit/notes.h"

#include <map>
#include <set>
#include <string>

namespace neuronify::emit {

using tile::Expr;
using tile::Expression;
using tile::Kind;
using tile::Program;
using tile::Statement;

namespace {

/// Places of statements, seen through the variables that hold them.
class Places {
public:
  explicit Places(const Program &program) : program_(program) {
    tile::for_each_statement(program.body, [&](const Statement &statement) {
      if (statement.form == Statement::Form::declare && statement.value &&
          statement.value->type.kind == Kind::place)
        values_[statement.variable] = statement.value;
    });
  }

  /// The name of the array in device memory that `place` finds by an index from data, or "".
  std::string indexed_array(const Expr &place) const {
    bool from_data = false;
    const std::string name = base_of(place, from_data, 0);
    return from_data ? name : "";
  }

private:
  std::string base_of(const Expr &e, bool &from_data, int depth) const {
    constexpr int kDeepest = 16;
    if (!e || depth > kDeepest)
      return "";
    if (e->type.kind == Kind::pointer)
      return e->form == Expression::Form::variable ? program_.variables[size_t(e->variable)].name
                                                   : "memory";
    if (e->form == Expression::Form::variable) {
      auto found = values_.find(e->variable);
      return found == values_.end() ? "" : base_of(found->second, from_data, depth + 1);
    }
    from_data |= e->operation == "plus";
    for (const Expr &operand : e->operands)
      if (operand->type.kind == Kind::place || operand->type.kind == Kind::pointer)
        return base_of(operand, from_data, depth + 1);
    return "";
  }

  const Program &program_;
  std::map<int, Expr> values_;
};

std::string list(const std::set<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// "line 7" or "lines 7, 9"; nothing where the only line is the note's own.
std::string other_lines(const std::set<unsigned> &lines) {
  std::string text;
  for (unsigned line : lines)
    text += (text.empty() ? "" : ", ") + std::to_string(line);
  return lines.size() > 1 ? " (lines " + text + ")" : "";
}

/// Lines, and words to say about them.
struct Finding {
  std::set<unsigned> lines;
  std::set<std::string> words;
  Diagnostic note(const Program &program, const char *code, const std::string &text) const {
    Diagnostic note{code, Severity::note, program.file, *lines.begin(), 1, program.name, text};
    if (note.line == 0)
      note.line = program.line;
    note.text += other_lines(lines);
    return note;
  }
};

} // namespace

std::vector<Diagnostic> notes_of(const Program &program, bool precise_math) {
  static const std::map<std::string, const char *> inexact{
      {"fdiv", "'/'"}, {"sqrt", "'sqrtf'"}, {"fma", "'fmaf'"}, {"reciprocal", "'1/x'"}};
  const Places places(program);
  Finding rounded, indexed;
  tile::for_each_statement(program.body, [&](const Statement &statement) {
    if (statement.form != Statement::Form::issue)
      return;
    if (auto found = inexact.find(statement.operation); found != inexact.end() && !precise_math) {
      rounded.lines.insert(statement.line);
      rounded.words.insert(found->second);
    }
    for (const Expr &operand : statement.operands)
      if (operand->type.kind == Kind::place)
        if (const std::string name = places.indexed_array(operand); !name.empty()) {
          indexed.lines.insert(statement.line);
          indexed.words.insert("'" + name + "'");
        }
  });
  std::vector<Diagnostic> notes;
  if (!rounded.lines.empty())
    notes.push_back(
        rounded.note(program, "NFY2001",
                     list(rounded.words) + (rounded.words.size() == 1 ? " is" : " are") +
                         " within a few ULP of the original; --precise-math computes bit for bit"));
  if (!indexed.lines.empty())
    notes.push_back(indexed.note(program, "NFY3001",
                                 "the address in " + list(indexed.words) +
                                     " depends on loaded data: one DMA descriptor for each lane"));
  return notes;
}

} // namespace neuronify::emit
