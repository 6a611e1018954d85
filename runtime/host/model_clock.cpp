#include "host/model_clock.h"

#include <algorithm>

namespace neuronify {

namespace {

template <class T> T *find_in(const std::vector<std::unique_ptr<T>> &all, const T *wanted) {
  auto found =
      std::find_if(all.begin(), all.end(), [&](const auto &p) { return p.get() == wanted; });
  return found == all.end() ? nullptr : found->get();
}

template <class T> bool remove_from(std::vector<std::unique_ptr<T>> &all, const T *unwanted) {
  return std::erase_if(all, [&](const auto &p) { return p.get() == unwanted; }) != 0;
}

} // namespace

StreamState *ModelClock::find(Stream_t stream) {
  if (!stream || stream == StreamLegacy || stream == StreamPerThread)
    return &default_;
  return find_in(streams_, stream);
}

EventState *ModelClock::find(Event_t event) { return find_in(events_, event); }

Stream_t ModelClock::add_stream(unsigned flags, int priority) {
  streams_.push_back(std::make_unique<StreamState>(StreamState{flags, priority, 0}));
  return streams_.back().get();
}

Event_t ModelClock::add_event(unsigned flags) {
  events_.push_back(std::make_unique<EventState>(EventState{flags, false, 0}));
  return events_.back().get();
}

bool ModelClock::remove(Stream_t stream) {
  StreamState *state = find_in(streams_, stream);
  if (state && !(state->flags & StreamNonBlocking)) // its work still goes on
    destroyed_ = std::max(destroyed_, state->time);
  return remove_from(streams_, stream);
}
bool ModelClock::remove(Event_t event) { return remove_from(events_, event); }

void ModelClock::clear() { *this = ModelClock(); }

double ModelClock::ready(const StreamState &stream) const {
  double time = stream.time;
  if (&stream == &default_) {
    time = std::max(time, destroyed_);
    for (const auto &other : streams_)
      if (!(other->flags & StreamNonBlocking))
        time = std::max(time, other->time);
  } else if (!(stream.flags & StreamNonBlocking)) {
    time = std::max(time, default_.time);
  }
  return time;
}

double ModelClock::submit(StreamState &stream, double seconds, Resource resource) {
  double start = ready(stream);
  double *busy = resource == Resource::chip   ? &chip_free_
                 : resource == Resource::link ? &link_free_
                                              : nullptr;
  if (busy)
    start = std::max(start, *busy);
  stream.time = start + seconds;
  if (busy)
    *busy = stream.time;
  return start;
}

double ModelClock::synchronize() {
  double time = std::max({default_.time, destroyed_, chip_free_, link_free_});
  for (const auto &stream : streams_)
    time = std::max(time, stream->time);
  default_.time = time;
  for (const auto &stream : streams_)
    stream->time = time;
  return time;
}

} // namespace neuronify
