// What the NKI Python form of a tile program has to know: which masks only the chip knows, which
// loops therefore run there, which float arguments decide what is traced.
#pragma once

#include "tile/program.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace neuronify::emit {

/// Why a kernel has no NKI form.
struct NoPython {
  std::string code, text;
  unsigned line = 0;
  int counter = -1; ///< the number that a loop on the chip would have to step, where that is why
};

/// A loop that ends when the chip says so: `nl.while_loop`.
struct ChipLoop {
  tile::Expr alive;         ///< the mask of the lanes that go on
  size_t check = 0;         ///< body statement that leaves where none does; those after it are
                            ///< harmless then. kAtTop: the loop's own condition
  std::vector<int> carried; ///< variables of outside that the body sets, in order
  static constexpr size_t kAtTop = size_t(-1);
};

/// A loop whose rounds may run on the chip (`nl.fori_loop`): its counter moves addresses and
/// nothing else.
struct Repeat {
  int counter = -1;
  tile::Expr start; ///< null: what the counter is when the loop is reached
  tile::Expr end;   ///< the first value that is not reached, or the last one where `inclusive`
  bool inclusive = false;
  int64_t step = 1;
  std::vector<int> carried;
  const tile::Statement *stepping =
      nullptr;          ///< the statement of the body that steps, if it is there
  int next = -1;        ///< the variable that it is stepped to, where nothing else reads that
  std::set<int> moving; ///< variables that depend on the counter
};

/// A loop that each lane counts by itself, `for (i = tid; i < n; i += stride)`: rounds in which the
/// same lanes are left may run on the chip, since their counters move addresses and nothing else.
struct LaneRounds {
  int counter = -1, active = -1; ///< launch-known integer and mask that the loop carries
  int lanes = -1;                ///< the lanes of a round
  size_t check = 0;              ///< the body statement that leaves where there are none
  tile::Expr step, end;     ///< of the counter: the same for all lanes, and what it stays below
  bool inclusive = false;   ///< it may also be the end
  std::vector<int> carried; ///< variables of outside that the round sets, in order
};

class PythonFacts {
public:
  explicit PythonFacts(const tile::Program &program);

  /// The first reason why the program has no NKI form, if there is one.
  const std::optional<NoPython> &problem() const { return problem_; }
  /// Is it a mask of which a part is computed on the chip?
  bool on_chip(const tile::Expr &mask) const;
  const ChipLoop *chip_loop(const tile::Statement &loop) const;
  const Repeat *repeat(const tile::Statement &loop) const;
  const LaneRounds *rounds(const tile::Statement &loop) const;
  /// Does this way out of a loop only save rounds? The launch ends the loop, too, and rounds
  /// without lanes change nothing.
  bool saves_rounds(const tile::Statement &leave) const { return saves_rounds_.count(&leave) != 0; }
  /// Is there such a way out of the loop?
  bool may_end_early(const tile::Statement &loop) const { return early_.count(&loop) != 0; }
  /// Does `e` compute with a float argument that is a tensor (a column on the chip)?
  bool is_column(const tile::Expr &e) const;
  /// Is the float argument in this variable a Python number?
  bool is_structural(int variable) const {
    return structural_.count(variable) != 0 ||
           (program_.variables[size_t(variable)].type.bits == 64 && !narrowed_.count(variable));
  }
  /// Is `e` the nearest float of a double argument, of which nothing else is used?
  bool is_narrowed(const tile::Expr &e) const;
  /// Is the variable a double argument of which only the bits are used: an integer?
  bool is_bits(int variable) const { return bits_.count(variable) != 0; }
  /// Is the variable an integer argument that lanes compute with and nothing else: a tensor?
  bool is_int_data(int variable) const { return int_data_.count(variable) != 0; }
  /// Is the variable assigned under a mask somewhere?
  bool is_assigned(int variable) const { return assigned_.count(variable) != 0; }
  /// Does the kernel compute with addresses, or follow some that it computed or loaded? Pointers
  /// are numbers then, and all memory is one tensor.
  bool uses_addresses() const { return uses_addresses_; }
  /// Does something read device memory through this pointer?
  bool is_read(int pointer) const { return read_.count(pointer) != 0; }
  /// Is the variable an argument that is the handle of a texture or surface, or a reference to one?
  bool is_texture(int variable) const { return textures_.count(variable) != 0; }
  /// Does something write to device memory through this pointer, or to this surface?
  bool is_written(int pointer) const { return written_.count(pointer) != 0; }
  /// Does something write to memory at all?
  bool writes() const { return writes_; }

private:
  void find_chip_masks();
  void find_columns();
  void find_narrowed();
  void make_structural(const tile::Expr &e);
  void find_structural();
  void find_used();
  void find_int_data();
  void find_textures();
  void visit(const std::vector<tile::Statement> &body);
  void study_loop(const tile::Statement &loop);
  bool asks_chip(const tile::Expr &condition, tile::Expr &mask) const;
  void fail(std::string code, unsigned line, std::string text, int counter = -1);
  int pointer_of(const tile::Expr &place) const;

  const tile::Program &program_;
  std::map<int, int> reads_; ///< how many expressions of the program read a variable
  std::optional<NoPython> problem_;
  std::set<int> chip_, columns_, structural_, assigned_, read_, written_, int_data_, textures_,
      narrowed_, bits_;
  bool uses_addresses_ = false, writes_ = false;
  std::map<int, tile::Expr> places_;
  bool find_counter(const tile::Statement &loop, Repeat &repeat) const;
  bool moves_addresses_only(const std::vector<tile::Statement> &body, Repeat &repeat) const;
  bool moves_addresses_only(const tile::Statement &statement, Repeat &repeat) const;
  bool is_affine(const tile::Expr &e, const Repeat &repeat) const;
  bool is_affine_place(const tile::Expr &e, const Repeat &repeat) const;
  void study_counted(const tile::Statement &loop);
  bool study_lanes(const std::vector<tile::Statement> &body);
  bool find_lanes(const tile::Statement &loop, LaneRounds &rounds) const;
  bool may_count(const tile::Expr &place, int64_t bytes, const Repeat &repeat) const;
  bool may_count_accesses(const tile::Statement &statement, const Repeat &repeat) const;

  bool ends_by_launch(const tile::Statement &loop);

  std::set<const tile::Statement *> saves_rounds_, early_;
  std::map<const tile::Statement *, ChipLoop> loops_;
  std::map<const tile::Statement *, Repeat> repeats_;
  std::map<const tile::Statement *, LaneRounds> rounds_;
};

/// Does a loop's own level hold a `leave` (not of a loop inside)?
bool leaves(const std::vector<tile::Statement> &body);

/// The operand of a texture fetch or surface access that is the handle; null for other statements.
tile::Expr texture_handle(const tile::Statement &s);

/// Operations on columns {P, 1}: float arithmetic with a data scalar.
bool is_column_operation(const std::string &name);

} // namespace neuronify::emit
