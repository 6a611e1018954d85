#include "host/stream.h"

#include "host/runtime.h"

#include <algorithm>

namespace neuronify {

namespace {

constexpr int kLeastPriority = 0, kGreatestPriority = -5;

Error_t with_stream(Stream_t stream, auto &&body) {
  return api([&](Runtime &runtime) {
    StreamState *state = runtime.clock.find(stream);
    return state ? body(runtime, *state) : ErrorInvalidResourceHandle;
  });
}

Error_t with_event(Event_t event, auto &&body) {
  return api([&](Runtime &runtime) {
    EventState *state = runtime.clock.find(event);
    return state ? body(runtime, *state) : ErrorInvalidResourceHandle;
  });
}

} // namespace

Error_t streamCreate(Stream_t *stream) {
  return streamCreateWithPriority(stream, StreamDefault, 0);
}

Error_t streamCreateWithFlags(Stream_t *stream, unsigned flags) {
  return streamCreateWithPriority(stream, flags, 0);
}

Error_t streamCreateWithPriority(Stream_t *stream, unsigned flags, int priority) {
  return api([&](Runtime &runtime) {
    if (!stream || flags > StreamNonBlocking)
      return ErrorInvalidValue;
    *stream =
        runtime.clock.add_stream(flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
    return Success;
  });
}

Error_t streamDestroy(Stream_t stream) {
  return api([&](Runtime &runtime) {
    return runtime.clock.remove(stream) ? Success : ErrorInvalidResourceHandle;
  });
}

Error_t streamSynchronize(Stream_t stream) {
  return with_stream(stream, [](Runtime &, StreamState &) { return Success; });
}

Error_t streamQuery(Stream_t stream) {
  return with_stream(stream, [](Runtime &, StreamState &) { return Success; });
}

Error_t streamWaitEvent(Stream_t stream, Event_t event, unsigned flags) {
  return with_stream(stream, [&](Runtime &runtime, StreamState &state) {
    EventState *waited = runtime.clock.find(event);
    if (!waited)
      return ErrorInvalidResourceHandle;
    if (flags > 1)
      return ErrorInvalidValue;
    if (waited->recorded) // an event that was never recorded holds nobody up
      state.time = std::max(state.time, waited->time);
    return Success;
  });
}

Error_t streamGetFlags(Stream_t stream, unsigned *flags) {
  return with_stream(stream, [&](Runtime &, StreamState &state) {
    if (!flags)
      return ErrorInvalidValue;
    *flags = state.flags;
    return Success;
  });
}

Error_t streamGetPriority(Stream_t stream, int *priority) {
  return with_stream(stream, [&](Runtime &, StreamState &state) {
    if (!priority)
      return ErrorInvalidValue;
    *priority = state.priority;
    return Success;
  });
}

Error_t deviceGetStreamPriorityRange(int *least, int *greatest) {
  return api([&](Runtime &) {
    if (least)
      *least = kLeastPriority;
    if (greatest)
      *greatest = kGreatestPriority;
    return Success;
  });
}

Error_t streamAddCallback(Stream_t stream, StreamCallback_t callback, void *user_data,
                          unsigned flags) {
  Error_t error = with_stream(stream, [&](Runtime &, StreamState &) {
    return callback && flags == 0 ? Success : ErrorInvalidValue;
  });
  if (error == Success) // outside of the lock: it is the program's code
    callback(stream, Success, user_data);
  return error;
}

Error_t launchHostFunc(Stream_t stream, HostFn_t function, void *user_data) {
  Error_t error = with_stream(
      stream, [&](Runtime &, StreamState &) { return function ? Success : ErrorInvalidValue; });
  if (error == Success)
    function(user_data);
  return error;
}

Error_t eventCreate(Event_t *event) { return eventCreateWithFlags(event, EventDefault); }
Error_t eventCreate(Event_t *event, unsigned flags) { return eventCreateWithFlags(event, flags); }

Error_t eventCreateWithFlags(Event_t *event, unsigned flags) {
  return api([&](Runtime &runtime) {
    constexpr unsigned known = EventBlockingSync | EventDisableTiming | EventInterprocess;
    // CUDA's rule: an event between processes keeps no time.
    bool conflict = (flags & EventInterprocess) && !(flags & EventDisableTiming);
    if (!event || (flags & ~known) || conflict)
      return ErrorInvalidValue;
    *event = runtime.clock.add_event(flags);
    return Success;
  });
}

Error_t eventDestroy(Event_t event) {
  return api([&](Runtime &runtime) {
    return runtime.clock.remove(event) ? Success : ErrorInvalidResourceHandle;
  });
}

Error_t eventRecord(Event_t event, Stream_t stream) {
  return with_event(event, [&](Runtime &runtime, EventState &state) {
    StreamState *in = runtime.clock.find(stream);
    if (!in)
      return ErrorInvalidResourceHandle;
    state.recorded = true;
    state.time = runtime.clock.ready(*in);
    return Success;
  });
}

Error_t eventRecordWithFlags(Event_t event, Stream_t stream, unsigned flags) {
  if (flags > 1)
    return api([](Runtime &) { return ErrorInvalidValue; });
  return eventRecord(event, stream);
}

Error_t eventSynchronize(Event_t event) {
  return with_event(event, [](Runtime &, EventState &) { return Success; });
}

Error_t eventQuery(Event_t event) {
  return with_event(event, [](Runtime &, EventState &) { return Success; });
}

Error_t eventElapsedTime(float *milliseconds, Event_t start, Event_t end) {
  return with_event(start, [&](Runtime &runtime, EventState &from) {
    EventState *to = runtime.clock.find(end);
    if (!milliseconds)
      return ErrorInvalidValue;
    if (!to || !from.recorded || !to->recorded || ((from.flags | to->flags) & EventDisableTiming))
      return ErrorInvalidResourceHandle;
    *milliseconds = float((to->time - from.time) * 1e3);
    return Success;
  });
}

} // namespace neuronify
