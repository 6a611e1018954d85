// One launch, twice from the same memory: reference in place, save, restore, port, compare.
#pragma once

#include "host/compare.h"
#include "host/device_memory.h"
#include "reference/reference.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neuronify {

enum class Verdict {
  ran,              ///< not compared (mode run)
  match,            ///< every allocation within the tolerances
  mismatch,         ///< some value is not
  failed,           ///< the port could not run to its end, or the launch is invalid
  not_ported,       ///< the kernel has no port; only the reference ran
  reference_failed, ///< the original could not be run, so nothing was compared
};
std::string_view name_of(Verdict verdict);

/// What each live allocation holds, as far as launches have told by their parameter types.
///
/// A pointer says what lies from its address on, up to the next pointer of the same launch; what
/// earlier launches said about an allocation is kept until one says something else. Pointers in
/// memory, as they are before a launch, say the same of what they point to.
class BufferTypes {
public:
  /// The pointers of one launch, read from its arguments.
  void note(const DeviceMemory &memory, std::span<const PointerHint> hints,
            std::span<void *const> arguments);
  /// What a variable holds.
  void note(const DeviceMemory &memory, const DeviceAllocation &variable, const Layout &layout);
  std::span<const Region> of(const DeviceAllocation &allocation) const;

  struct Entry {
    uint64_t number = 0; ///< of the allocation, since addresses are used again
    std::vector<Region> regions;
  };

private:
  void keep(std::map<const char *, Entry> told);
  std::map<const char *, Entry> entries_;
};

/// How a side of the comparison went.
struct SideResult {
  SideResult() = default;
  SideResult(std::string error) : error(std::move(error)) {}
  SideResult(const char *error) : error(error) {}
  std::string error;  ///< empty where it ran to its end
  std::string output; ///< what its threads printed, by block and thread
  /// A thread ended it, by a failed assertion or a trap; `error` says which.
  bool asserted = false, trapped = false;
  bool stopped() const { return asserted || trapped; }
};
/// A side of the comparison: runs in place.
using RunSide = std::function<SideResult()>;

/// Runs the reference once more from the memory before the launch, and says who wrote to an address
/// last; none: nobody.
using FindWriter = std::function<std::optional<reference::Writer>(const char *address, size_t)>;

class Snapshot;

struct SideBySide {
  DeviceMemory &memory;
  Snapshot &snapshot; ///< only for its buffers, which the next launch uses again
  const BufferTypes &types;
  Tolerances tolerances;
  bool continue_from_port = false;
  FindWriter find_writer{}; ///< for the first difference; may be empty
  /// Runs the port's NKI form in place; what went wrong, or "". Empty where there is none to run.
  std::function<std::string()> run_nki{};
};

struct Outcome {
  Verdict verdict = Verdict::match;
  std::string message;                    ///< what went wrong, or "" where nothing did
  Comparison comparison;                  ///< over the allocations that are not equal byte for byte
  uint64_t compared_bytes = 0;            ///< of all allocations
  std::optional<DeviceAllocation> buffer; ///< the one with the first difference
  bool writer_known = false;              ///< whether `writer` says something
  std::optional<reference::Writer> writer; ///< who wrote the reference's value there; none: nobody
  /// What its threads printed, and how it stopped: of the side that memory is from.
  SideResult side{};
  double reference_seconds = 0, port_seconds = 0, compare_seconds = 0; ///< wall time
  /// Of the NKI form: "match" where it left the same bytes as the port, "mismatch", "failed", "no
  /// form"; empty where nobody asked.
  std::string nki;
  double nki_seconds = 0;
};

/// Runs both sides. `port` may be empty: a kernel that was not ported.
///
/// What both print is compared as text, numbers in it with the tolerance of their digits
/// (compare_output.h). Where a thread ends both launches in the same way, that is a match.
///
/// Where there is an NKI form, it runs from the same memory once more, and every byte has to be the
/// port's; else the launch does not match.
///
/// Memory afterwards is the reference's result, so that one wrong kernel does not blame the next;
/// the port's where `continue_from_port` or where the reference failed (what a failed reference
/// wrote is undone first). A port that fails leaves the reference's result.
Outcome run_side_by_side(const SideBySide &setup, const RunSide &reference, const RunSide &port);

} // namespace neuronify
