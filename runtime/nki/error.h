// What a broken rule throws.
#pragma once

#include <exception>
#include <string>

namespace nki {

/// A rule of the chip or of NKI was broken. what() is
/// "INSTRUCTION: RULE (OPERANDS)", for example
/// "nisa.tensor_tensor: data1 and data2 may not both be in PSUM (data1 float32[128,512] in psum,
/// ...)".
class Error : public std::exception {
public:
  Error(std::string instruction, std::string rule, std::string operands = {});

  const char *what() const noexcept override { return text_.c_str(); }
  const std::string &instruction() const { return instruction_; }
  const std::string &rule() const { return rule_; }
  const std::string &operands() const { return operands_; }

private:
  std::string instruction_, rule_, operands_, text_;
};

/// An allocation that does not fit the on-chip memory. what() is in bytes per partition.
class NoSpace : public Error {
public:
  using Error::Error;
};

} // namespace nki
