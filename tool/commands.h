// The subcommands. Each returns the exit code: 0 success, 1 mismatch or failure, 2 wrong usage.
#pragma once

#include "console.h"
#include "options.h"

namespace neuronify::tool {

int port(const Options &options, Console &console);
int verify(const Options &options, Console &console);
int assess(const Options &options, Console &console);
int query(const Options &options, Console &console);
int explain(const Options &options, Console &console);

} // namespace neuronify::tool
