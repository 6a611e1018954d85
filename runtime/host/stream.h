// Host API: streams and events.
//
// Work runs when it is submitted, so streams are always idle; what they keep is a clock of the
// modelled device. Time passes on it by what the chip model predicts for launches and copies,
// never by what the host does. Events record that clock.
#pragma once

#include "host/error.h"
#include "host/types.h"

namespace neuronify {

using StreamCallback_t = void (*)(Stream_t stream, Error_t status, void *user_data);
using HostFn_t = void (*)(void *user_data);

Error_t streamCreate(Stream_t *stream);
Error_t streamCreateWithFlags(Stream_t *stream, unsigned flags);
/// `priority` has no effect on results or on model time.
Error_t streamCreateWithPriority(Stream_t *stream, unsigned flags, int priority);
Error_t streamDestroy(Stream_t stream);
Error_t streamSynchronize(Stream_t stream);
Error_t streamQuery(Stream_t stream);
Error_t streamWaitEvent(Stream_t stream, Event_t event, unsigned flags = EventWaitDefault);
Error_t streamGetFlags(Stream_t stream, unsigned *flags);
Error_t streamGetPriority(Stream_t stream, int *priority);
/// Both run the function at once, on the calling thread.
Error_t streamAddCallback(Stream_t stream, StreamCallback_t callback, void *user_data,
                          unsigned flags);
Error_t launchHostFunc(Stream_t stream, HostFn_t function, void *user_data);

Error_t eventCreate(Event_t *event);
Error_t eventCreate(Event_t *event, unsigned flags);
Error_t eventCreateWithFlags(Event_t *event, unsigned flags);
Error_t eventDestroy(Event_t event);
Error_t eventRecord(Event_t event, Stream_t stream = 0);
Error_t eventRecordWithFlags(Event_t event, Stream_t stream = 0,
                             unsigned flags = EventRecordDefault);
Error_t eventSynchronize(Event_t event);
Error_t eventQuery(Event_t event);
/// Model time between two events, in milliseconds. ErrorInvalidResourceHandle where one was not
/// recorded or was made with EventDisableTiming.
Error_t eventElapsedTime(float *milliseconds, Event_t start, Event_t end);

} // namespace neuronify
