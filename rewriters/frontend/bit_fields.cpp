#include "frontend/bit_fields.h"

namespace neuronify::frontend {

namespace {

using llvm::IRBuilder;
using llvm::Value;

Value *number(const Value *like, uint64_t n) { return llvm::ConstantInt::get(like->getType(), n); }

unsigned bits_of(const Value *value) { return value->getType()->getIntegerBitWidth(); }

/// The low eight bits, as an integer of the type of `like`, or of `most` where that is less.
Value *at_most(IRBuilder<> &builder, Value *count, const Value *like, uint64_t most) {
  Value *low = builder.CreateAnd(count, 0xff);
  Value *limit = builder.getInt32(uint32_t(most));
  Value *less = builder.CreateSelect(builder.CreateICmpULT(low, limit), low, limit);
  return builder.CreateZExtOrTrunc(less, like->getType());
}

/// `length` ones, up to all of them. No shift is by all bits, whatever is not chosen.
Value *ones(IRBuilder<> &builder, Value *length) {
  const unsigned bits = bits_of(length);
  Value *near = builder.CreateAnd(length, bits - 1);
  Value *some = builder.CreateSub(builder.CreateShl(number(length, 1), near), number(length, 1));
  return builder.CreateSelect(builder.CreateICmpEQ(length, number(length, bits)),
                              llvm::Constant::getAllOnesValue(length->getType()), some);
}

} // namespace

Value *extract_field(IRBuilder<> &builder, Value *value, Value *start, Value *length,
                     bool is_signed) {
  const unsigned bits = bits_of(value);
  Value *from = at_most(builder, start, value, bits), *near = builder.CreateAnd(from, bits - 1);
  Value *size = at_most(builder, length, value, bits);
  Value *beyond = builder.CreateICmpEQ(from, number(value, bits)), *zero = number(value, 0);
  if (!is_signed) {
    Value *moved = builder.CreateSelect(beyond, zero, builder.CreateLShr(value, near));
    return builder.CreateAnd(moved, ones(builder, size));
  }
  Value *sign = builder.CreateAShr(value, bits - 1);
  Value *moved = builder.CreateSelect(beyond, sign, builder.CreateAShr(value, near));
  // What of it goes: all but `size` bits, to the left and back.
  Value *empty = builder.CreateICmpEQ(size, zero);
  Value *rest = builder.CreateAnd(builder.CreateSub(number(value, bits), size), bits - 1);
  Value *field = builder.CreateAShr(builder.CreateShl(moved, rest), rest);
  Value *all = builder.CreateICmpUGE(builder.CreateAdd(from, size), number(value, bits));
  return builder.CreateSelect(empty, zero, builder.CreateSelect(all, moved, field));
}

Value *insert_field(IRBuilder<> &builder, Value *field, Value *base, Value *start, Value *length) {
  const unsigned bits = bits_of(field);
  Value *from = at_most(builder, start, field, bits), *near = builder.CreateAnd(from, bits - 1);
  Value *size = at_most(builder, length, field, bits);
  Value *beyond = builder.CreateICmpEQ(from, number(field, bits));
  Value *place =
      builder.CreateSelect(beyond, number(field, 0), builder.CreateShl(ones(builder, size), near));
  Value *inside = builder.CreateAnd(builder.CreateShl(field, near), place);
  return builder.CreateOr(inside, builder.CreateAnd(base, builder.CreateNot(place)));
}

Value *find_highest(IRBuilder<> &builder, Value *value, bool is_signed, bool from_top) {
  if (is_signed)
    value = builder.CreateXor(value, builder.CreateAShr(value, bits_of(value) - 1));
  Value *none = builder.CreateICmpEQ(value, number(value, 0));
  Value *zeros = builder.CreateZExtOrTrunc(
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, builder.getFalse()),
      builder.getInt32Ty());
  Value *place = from_top ? zeros : builder.CreateSub(builder.getInt32(bits_of(value) - 1), zeros);
  return builder.CreateSelect(none, builder.getInt32(~0u), place);
}

} // namespace neuronify::frontend
