// Predicted time: what each instruction costs and when it can start.
#pragma once

namespace nki::chip {

class Timeline {};

} // namespace nki::chip
