#include "tile/space.h"

#include <algorithm>

namespace neuronify::tile {
namespace {

constexpr int64_t kTile = 4;             // bytes of a lane in a tile
constexpr int64_t kComparison = 4;       // tiles that comparing on the chip needs
constexpr int64_t kAddress = 3;          // tiles that an address computed on the chip needs
constexpr int64_t kShortLocalArray = 64; // elements, see runtime/lanes/on_chip.cpp

class Space {
public:
  explicit Space(const Program &program)
      : program_(program), local_bytes_(program.variables.size(), 0) {}

  int64_t run() {
    visit(program_.body, 0);
    return peak_;
  }

private:
  /// What evaluating an expression needs: predicates of masks, addresses.
  int64_t scratch(const Expr &e) const {
    if (!e || e->form != Expression::Form::operation)
      return 0;
    int64_t bytes = 0;
    if (e->type.kind == Kind::mask && !e->operands.empty())
      bytes = e->operation.starts_with("tile_") ? kComparison * kTile : kTile;
    if (e->type.kind == Kind::place && (e->operation == "plus" || e->operation == "at_address"))
      bytes = kAddress * kTile;
    for (const Expr &operand : e->operands)
      bytes += scratch(operand);
    return bytes;
  }

  /// Bytes per lane of the local array that a place lies in, or 0.
  int64_t local_bytes(const Expr &place) const {
    if (place->form == Expression::Form::variable)
      return local_bytes_[size_t(place->variable)];
    if (place->form == Expression::Form::operation && place->operation == "local_array")
      return (std::max<int64_t>(place->operands[0]->integer, 1) + 3) / 4 * 4;
    int64_t bytes = 0;
    for (const Expr &operand : place->operands)
      if (operand->type.kind == Kind::place)
        bytes = std::max(bytes, local_bytes(operand));
    return bytes;
  }

  /// Stores to long local arrays rewrite the whole array.
  int64_t rewriting(const Statement &store) const {
    const int64_t element = std::max<int64_t>(store.operands[2]->integer, 1);
    const int64_t count = local_bytes(store.operands[0]) / element;
    return count > kShortLocalArray ? count * (2 * kTile + element) : 0;
  }

  int64_t scratch(const Statement &statement) const {
    int64_t bytes = 0;
    for_each_expression(statement, [&](const Expr &e) { bytes += scratch(e); });
    if (statement.form != Statement::Form::issue)
      return bytes;
    bool is_wide = false;
    for (const Expr &operand : statement.operands)
      is_wide |= operand->type.kind == Kind::tile_wide;
    bytes += scratch_tiles(statement.operation, is_wide) * kTile;
    return statement.operation == "store" ? bytes + rewriting(statement) : bytes;
  }

  /// What a variable keeps as long as it is there. A tile that is only another name for one keeps
  /// the other alive.
  int64_t kept(const Statement &declaration) {
    switch (program_.variables[size_t(declaration.variable)].type.kind) {
    case Kind::tile_float:
    case Kind::tile_int:
    case Kind::mask:
      return kTile;
    case Kind::tile_wide:
      return 2 * kTile;
    case Kind::place: {
      if (!declaration.value)
        return kTile;
      int64_t &bytes = local_bytes_[size_t(declaration.variable)];
      bytes = local_bytes(declaration.value);
      return declaration.value->operation == "local_array" ? bytes : kTile;
    }
    default:
      return 0;
    }
  }

  void visit(const std::vector<Statement> &body, int64_t live) {
    for (const Statement &statement : body) {
      peak_ = std::max(peak_, live + scratch(statement));
      if (statement.form == Statement::Form::declare)
        live += kept(statement);
      peak_ = std::max(peak_, live);
      visit(statement.body, live);
      visit(statement.otherwise, live);
    }
  }

  const Program &program_;
  std::vector<int64_t> local_bytes_; // by variable
  int64_t peak_ = 0;
};

} // namespace

int64_t lane_bytes(const Program &program) { return Space(program).run(); }

} // namespace neuronify::tile
