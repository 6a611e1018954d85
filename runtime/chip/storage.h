// One allocation: its bytes, which of them were ever written, and when it is free to use.
#pragma once

#include "nki/tensor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nki::chip {

class Core;
class CoreMemory;
class Hbm;

/// Which bytes of a storage hold values that the program wrote.
enum class Contents : uint8_t {
  unwritten, ///< none; the bytes are not even initialised on the host
  partly,    ///< Storage::poison tells which
  written,   ///< all: nothing needs to be looked up
};

struct PoisonOrigin;

/// What a storage got from an instruction that read bytes which nothing had written, and the box
/// of its own bytes that it lies in (see poison_origin.h).
struct SpreadPoison {
  std::shared_ptr<const PoisonOrigin> origin;
  int64_t first_partition = 0, partitions = 0, first_byte = 0, end_byte = 0;
};

/// On chip: `partitions` rows of `row_bytes`, `pitch` bytes apart on the host. In HBM: one row.
class Storage {
public:
  /// On-chip memory of `core`. Throws nki::Error with the sizes where the partition is full.
  static std::shared_ptr<Storage> on_chip(Core &core, Buffer buffer, DType type, int64_t partitions,
                                          int64_t row_bytes, std::string_view name);
  /// A window on existing device memory, which must outlive the storage.
  static std::shared_ptr<Storage> in_hbm(void *base, int64_t bytes, DType type);
  /// Scratch device memory that is released with the storage.
  static std::shared_ptr<Storage> scratch_hbm(Hbm &hbm, int64_t bytes, DType type,
                                              std::string_view name);
  /// A tile at an address of its own choice: a partition and a byte in it. It takes no capacity
  /// from others and really shares bytes with other placed tiles: what one writes is lost to those
  /// that lie there too, as if they had never been written. Throws nki::Error where it does not
  /// fit.
  static std::shared_ptr<Storage> placed(Core &core, Buffer buffer, DType type, int64_t partitions,
                                         int64_t row_bytes, std::string_view name,
                                         int64_t partition, int64_t byte);
  /// A tile that takes no capacity of a core: a direct copy of an operand for one instruction.
  static std::shared_ptr<Storage> temporary(Buffer buffer, DType type, int64_t partitions,
                                            int64_t row_bytes, std::string_view name);
  Storage() = default;
  ~Storage();
  Storage(const Storage &) = delete;
  Storage &operator=(const Storage &) = delete;

  uint8_t *row(int64_t partition) const { return base + partition * pitch; }
  bool on_chip() const { return buffer != Buffer::hbm; }
  /// HBM that other cores see.
  bool visible_to_all() const { return !on_chip() && (shared || !scratch_); }
  /// Device memory of the program, not scratch: what is written there stays.
  bool outlives_kernel() const { return !on_chip() && !scratch_; }

  /// Gives the bytes of an unwritten storage the values that fresh memory holds (NaN, or 4), and
  /// starts tracking which of them are written.
  void materialize();

  uint8_t *base = nullptr;
  int64_t pitch = 0;
  int64_t partitions = 1;
  int64_t row_bytes = 0;
  Buffer buffer = Buffer::hbm;
  DType type = DType::float32; ///< element type it was made with
  Contents contents = Contents::written;
  std::string name;
  bool shared = false; ///< in HBM: made by nl.ndarray for all cores of a logical core

  bool is_placed = false;
  int64_t placed_byte = 0; ///< of a placed tile: where its rows begin in their partitions

  /// One bit per byte, `poison_words` words per partition; set where nothing was written. Only
  /// while `contents` is `partly`.
  std::vector<uint64_t> poison;
  int64_t poison_words = 0;
  std::vector<SpreadPoison> spreads; ///< the newest last; empty without poison

  /// One bit per byte, as `poison`: set where a product of TensorE wrote last. Empty before the
  /// first one.
  std::vector<uint64_t> products;

  // Model time in seconds (see timeline.h).
  double written_at = 0;   ///< when the last instruction that wrote it ends
  double read_until = 0;   ///< when the last instruction that read it ends
  double available_at = 0; ///< when the memory it took over was free

  /// A box of bytes that a transfer writes: it orders transfers that overlap, not others.
  struct Landing {
    int64_t first_partition = 0, partitions = 0, first_byte = 0, bytes = 0;
    double at = 0; ///< when it ends
    bool overlaps(const Landing &other) const {
      return first_partition < other.first_partition + other.partitions &&
             other.first_partition < first_partition + partitions &&
             first_byte < other.first_byte + other.bytes && other.first_byte < first_byte + bytes;
    }
  };
  std::vector<Landing> landings; ///< the last transfers that wrote it since `settled_at`
  double settled_at = 0;         ///< when everything else that wrote it ends

  const std::shared_ptr<CoreMemory> &memory() const { return memory_; }

private:
  std::shared_ptr<CoreMemory> memory_; // on chip: where the bytes go back to
  Hbm *scratch_ = nullptr;             // in HBM: where scratch goes back to
  std::unique_ptr<uint8_t[]> own_;     // of a temporary
};

} // namespace nki::chip
