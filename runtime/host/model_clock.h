// The clock of the modelled device: when each stream's work would be done.
#pragma once

#include "host/stream.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace neuronify {

struct types::StreamState {
  unsigned flags = StreamDefault;
  int priority = 0;
  double time = 0; ///< model seconds at which its last work ends
};

struct types::EventState {
  unsigned flags = EventDefault;
  bool recorded = false;
  double time = 0;
};

/// What copies cost. Device figures are the generation's; the link to the host is an assumption of
/// this project (PCIe 5.0 x16), since the public documentation gives none.
struct CopyCosts {
  double hbm_bytes_per_second = 4.7e12;
  double link_bytes_per_second = 64e9;
  double start_seconds = 2e-6; ///< from trigger to first byte
  double on_device(size_t bytes) const {
    return start_seconds + 2 * double(bytes) / hbm_bytes_per_second;
  }
  double fill(size_t bytes) const { return start_seconds + double(bytes) / hbm_bytes_per_second; }
  double to_host(size_t bytes) const {
    return start_seconds + double(bytes) / link_bytes_per_second;
  }
};

/// What a piece of work keeps busy: it starts when both its stream and this are free.
enum class Resource { chip, link, none };

class ModelClock {
public:
  /// The state of a handle, also of the default stream's names; null for an unknown handle.
  StreamState *find(Stream_t stream);
  EventState *find(Event_t event);
  Stream_t add_stream(unsigned flags, int priority);
  Event_t add_event(unsigned flags);
  bool remove(Stream_t stream); ///< not the default stream
  bool remove(Event_t event);
  void clear(); ///< drops all streams and events, and starts at time 0

  /// Work of `seconds` on a stream. Returns when it starts.
  ///
  /// The default stream waits for every blocking stream and they wait for it, as CUDA's legacy
  /// default stream does; non-blocking streams keep to themselves.
  double submit(StreamState &stream, double seconds, Resource resource);
  /// When everything is done; all streams are at that time afterwards, as the host has waited.
  double synchronize();
  /// When work submitted now would find its stream free, see submit().
  double ready(const StreamState &stream) const;

private:
  StreamState default_;
  std::vector<std::unique_ptr<StreamState>> streams_;
  std::vector<std::unique_ptr<EventState>> events_;
  double destroyed_ = 0; ///< when the last work of blocking streams that are gone ends
  double chip_free_ = 0, link_free_ = 0;
};

} // namespace neuronify
