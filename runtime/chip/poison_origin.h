// Where poison came from: errors show up long after the instruction that read too much.
#pragma once

#include "chip/view.h"

#include <cstdint>
#include <memory>
#include <string>

namespace nki::chip {

/// The instruction that first read bytes which nothing had written.
struct PoisonOrigin {
  const char *instruction; ///< without "nisa."
  std::string place;       ///< "FILE:LINE" of the program; empty where that is not known
  std::string tile;        ///< the name of what it read
  int64_t partition, element;

  /// "nisa.INSTRUCTION (PLACE) made it of TILE, which was never written at partition P, element E"
  std::string text() const;
};

/// Call when an instruction starts: what it reads from now on is its own. `name` must live on.
void begin_instruction(const char *name);

/// Notes that the current instruction reads element `index` of `view` (partition-major), which is
/// poison. Only the first one of an instruction counts.
void note_poisoned_read(const View &view, int64_t index);
/// Notes that the current instruction wrote `view`, poison among it.
void note_poisoned_write(const View &view);
/// Where the poison of element `index` of `view` came from; null where nothing was ever written
/// there.
std::shared_ptr<const PoisonOrigin> origin_of(const View &view, int64_t index);

/// Tells the line of the program that runs, as "FILE:LINE". For a language that knows better than
/// nki::SourceLine; null for that one.
void set_place_of_program(std::string (*place)());

} // namespace nki::chip
