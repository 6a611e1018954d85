// Waves of one launch that wait for each other: barriers of the whole grid.
#pragma once

#include "lanes/launch.h"

#include <functional>

namespace nki {

/// Runs `body` for every wave of this core so that grid_sync() in it waits for all of them: wave
/// after wave up to the first barrier, then again up to the second, and so on. Their tiles are on
/// the chip at the same time, so all lanes of the grid have to fit.
///
/// Throws what a wave throws (the others end where they wait), and nki::Error where some waves come
/// to an end while others wait.
void run_together(const Waves &waves, const std::function<void(const Wave &)> &body);

/// All lanes of the grid have come here before any goes on. Only in a wave of run_together().
void grid_sync(const Wave &wave, const Mask &mask);

} // namespace nki
