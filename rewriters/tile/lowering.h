// The state of one lowering. Private to tile/lower_*.cpp.
#pragma once

#include "kernel/calls.h"
#include "tile/lower.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <utility>

namespace neuronify::tile {

using kernel::Analysis;
using kernel::Known;

/// The tile operation of an integer instruction: "iadd" of "add".
std::string integer_operation(const std::string &opcode);
/// A type as a person would look for it in the source.
std::string type_name(const llvm::Type &type);

class Lowering {
public:
  Lowering(const frontend::Kernel &info, Analysis &analysis, std::vector<Diagnostic> &diagnostics);
  bool run();
  Program program;

private:
  // -- lower_control.cpp: blocks, masks, branches, loops
  void lower_nodes(const llvm::Loop *loop, llvm::ArrayRef<llvm::BasicBlock *> nodes);
  void lower_block(llvm::BasicBlock *block);
  void lower_loop(const llvm::Loop *loop);
  void lower_exits(const llvm::Loop *loop, llvm::BasicBlock *block);
  void leave_together(const llvm::Loop *loop, llvm::BasicBlock *from, llvm::BasicBlock *to);
  void emit_leave();
  void leave_without_lanes(const Expr &remaining);
  void leave_apart(const llvm::Loop *loop, llvm::BasicBlock *from, llvm::BasicBlock *to);
  void declare_exits(const llvm::Loop *loop);
  bool is_divergent(const llvm::Loop *loop) const;
  struct Diamond; // a two-way branch whose sides meet again
  bool find_diamond(const llvm::Loop *loop, llvm::BasicBlock *block, Diamond &diamond) const;
  void lower_latch(const llvm::Loop *loop);
  bool lower_diamond(const llvm::Loop *loop, llvm::BasicBlock *block);
  void enter(const llvm::Loop *loop, llvm::BasicBlock *block);
  void lower_join(const llvm::Loop *loop, llvm::BasicBlock *block);
  void join_phi(const llvm::Loop *loop, llvm::PHINode &phi);
  Expr mask_of(const llvm::BasicBlock *block) const;
  Expr edge_mask(llvm::BasicBlock *from, llvm::BasicBlock *to);
  Expr incoming_mask(const llvm::Loop *loop, llvm::BasicBlock *from, llvm::BasicBlock *to);
  Expr declare_phi(const llvm::PHINode &phi, Expr value);
  bool is_representable(const llvm::PHINode &phi);
  bool outlives(const llvm::Loop *loop, const llvm::Value *value) const;
  Expr deciding(const llvm::PHINode &phi, const Expr &mask) const;
  void assign_phi(const llvm::PHINode &phi, const llvm::Value *value, const Expr &mask);
  void set_phis(llvm::BasicBlock *from, llvm::BasicBlock *to);
  Expr value_for(const llvm::PHINode &phi, const llvm::Value *value);

  // -- lower_values.cpp: instructions that compute
  void lower_instruction(llvm::Instruction &instruction);
  void lower_known(llvm::Instruction &instruction);
  void lower_chip(llvm::Instruction &instruction);
  void lower_chip_form(llvm::Instruction &instruction);
  void lower_binary(llvm::BinaryOperator &binary);
  void lower_float_binary(llvm::BinaryOperator &binary);
  void lower_cast(llvm::CastInst &cast);
  void lower_select(llvm::SelectInst &select);
  void lower_compare(llvm::CmpInst &compare);
  Expr compare_integers(llvm::CmpInst &compare);
  Expr known_binary(llvm::BinaryOperator &binary);
  Expr known_cast(llvm::CastInst &cast);
  Expr known_compare(llvm::CmpInst &compare);
  Expr given_pointer(const llvm::Value *value);
  Expr compare_pointers(llvm::CmpInst &compare);

  // -- lower_wide.cpp: integers of more than 32 bits
  void lower_wide_binary(llvm::BinaryOperator &binary);
  bool lower_low_word(llvm::BinaryOperator &binary);
  bool lower_low_word_of_shift(llvm::BinaryOperator &shift);
  bool lower_words(llvm::BinaryOperator &binary);
  void lower_extension(llvm::CastInst &cast);
  Expr high_word(const llvm::Value *value, bool is_signed);
  Expr low_operand(const llvm::Value *value);
  Expr extended_wide(const llvm::Value *value, bool is_signed);
  Expr wide_to_float_source(const llvm::Value *value, bool &is_signed);

  // -- lower_calls.cpp
  void lower_call(llvm::CallInst &call);
  void lower_call_on_chip(llvm::CallInst &call);
  void lower_shuffle(llvm::CallInst &call, llvm::StringRef operation);
  void lower_vote(llvm::CallInst &call, llvm::StringRef operation);
  Expr known_call(llvm::CallInst &call);

  // -- lower_print.cpp
  void lower_print(llvm::CallInst &call);
  void lower_stop(llvm::CallInst &call, llvm::StringRef operation);

  // -- lower_texture.cpp
  void lower_texture(llvm::CallInst &call, llvm::StringRef operation);
  void lower_texture_handle(llvm::CallInst &call);

  // -- lower_memory.cpp
  void lower_load(llvm::LoadInst &load);
  void lower_store(llvm::StoreInst &store);
  Expr place(const llvm::Value *pointer, const llvm::Type *accessed, const llvm::Instruction &at);
  bool fail_element(const llvm::Instruction &at, const llvm::Type *type, const char *done);
  std::pair<Expr, int64_t> in_elements_of(const llvm::Type *accessed, const llvm::Value *index,
                                          Expr which, int64_t scale);
  Expr at_address(const llvm::IntToPtrInst &pointer);
  Expr base_of(const llvm::Value *pointer, const llvm::Instruction &at);
  Expr input(const llvm::Value *value, unsigned argument, uint64_t offset);
  Expr parameter_in_memory(const llvm::Argument &parameter);
  Expr host_element(const llvm::LoadInst &load);
  void declare_arrays();

  // -- lower_alternatives.cpp
  struct Alternative {
    llvm::Value *pointer;
    Expr lanes;
    Expr place = {}; ///< instead of the pointer: of an array that a number names
    bool in_array = false;
  };
  std::optional<int64_t> number_of_array(const llvm::Value *array);
  std::vector<Alternative> arrays_or_memory(llvm::IntToPtrInst &pointer, const Expr &lanes,
                                            const llvm::Type *accessed);
  Expr place(const Alternative &alternative, const llvm::Type *accessed,
             const llvm::Instruction &at);
  std::vector<Alternative> alternatives(llvm::Value *pointer, const Expr &lanes,
                                        llvm::Instruction &at, const llvm::Type *accessed);

  // -- lower_atomic.cpp
  void lower_atomic(llvm::AtomicRMWInst &atomic);
  void lower_compare_swap(llvm::AtomicCmpXchgInst &swap);
  Expr number_operand(const llvm::Value *value);
  Expr found_by(llvm::Instruction &at, const std::string &name, llvm::Value *pointer,
                llvm::Type *type, const std::vector<Expr> &operands, bool wanted);

  // -- values in the forms that operations want
  Expr known(const llvm::Value *value);    ///< host scalar, index, mask
  Expr tile(const llvm::Value *value);     ///< a tile variable
  Expr operand(const llvm::Value *value);  ///< host scalar, else a tile
  Expr mask(const llvm::Value *value);     ///< mask or host bool, of an i1
  Expr low_word(const llvm::Value *value); ///< int32 tile with the low 32 bits of an integer
  Expr constant(const llvm::Constant &constant);
  Type type_of(const llvm::Value &value) const;
  Expr wide(const llvm::Value *value); ///< a pair of tiles, of an integer of more than 32 bits
  Expr wide_operand(const llvm::Value *value); ///< host scalar, else a pair
  /// As `operand` or `wide_operand`, whichever a variable of `type` takes.
  Expr operand_for(const Type &type, const llvm::Value *value);
  /// Does the chip hold this integer as a pair of tiles?
  bool is_pair(const llvm::Instruction &instruction) const;
  Expr recompute(const llvm::Instruction &instruction);

  // -- emission
  Statement &emit(Statement statement);
  Expr declare(const std::string &name, const Type &type, Expr value, bool named = false);
  Expr declare_for(const llvm::Instruction &instruction, Expr value);
  Expr new_tile(const llvm::Instruction *instruction, Kind kind);
  static Expr fresh(const Type &type);                 ///< a tile nobody has written yet
  std::string name_of(const llvm::Value &value) const; ///< the original's name, or empty
  void issue(std::string operation, std::vector<Expr> operands);
  void set(const Expr &variable, Expr value);
  bool fail(const llvm::Instruction &at, const char *code, const std::string &text);
  enum class Form : uint8_t { known, tile, pair };
  void remember(const llvm::Value *value, Expr expression, bool as_tile) {
    remember(value, std::move(expression), as_tile ? Form::tile : Form::known);
  }
  void remember(const llvm::Value *value, Expr expression, Form form);
  llvm::DenseMap<const llvm::Value *, Expr> &values_as(Form form) {
    return form == Form::known ? known_ : form == Form::tile ? tiles_ : pairs_;
  }
  struct Scope; // remembers what to forget at the end of a C++ block

  const frontend::Kernel &info_;
  Analysis &a_;
  std::vector<Diagnostic> &diagnostics_;
  bool failed_ = false;
  unsigned line_ = 0;
  std::vector<Statement> *out_ = nullptr;
  /// Values by their form. A pair that is not a value's only form on the chip is in `pairs_`.
  llvm::DenseMap<const llvm::Value *, Expr> known_, tiles_, pairs_;
  std::vector<std::pair<const llvm::Value *, Form>> log_;
  llvm::DenseMap<const llvm::BasicBlock *, Expr> masks_;
  llvm::DenseMap<const llvm::Loop *, Expr> entry_masks_, active_;
  std::map<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, Expr> edge_masks_;
  std::map<std::tuple<const llvm::Loop *, const llvm::BasicBlock *, const llvm::BasicBlock *>, Expr>
      exits_;                                     ///< lanes that have left a loop by an edge
  llvm::DenseSet<const llvm::BasicBlock *> done_; ///< lowered inside a branch already
  llvm::DenseSet<const llvm::PHINode *> set_;     ///< phis whose edges assign them
  /// Exit phis that are a variable of their loop.
  std::vector<std::pair<const llvm::PHINode *, const llvm::Value *>> lasting_;
  std::map<std::pair<const llvm::Value *, uint64_t>, Expr> inputs_;
  llvm::DenseMap<const llvm::Value *, Expr> arrays_;
  /// Shared and local arrays by the numbers that stand for their addresses.
  llvm::DenseMap<const llvm::Value *, int64_t> array_numbers_;
  std::vector<const llvm::Value *> arrays_with_addresses_;
  int64_t next_array_number_ = int64_t(1) << 61;
  Expr all_;
};

} // namespace neuronify::tile
