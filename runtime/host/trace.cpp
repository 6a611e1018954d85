#include "host/trace.h"

#include "chip/timeline.h"
#include "host/json.h"

namespace neuronify {

using nki::chip::kUnits;
using nki::chip::Unit;

Trace::Trace(const std::string &path, int cores) {
  if (path.empty())
    return;
  out_.open(path, std::ios::trunc);
  if (!out_) {
    error_ = "cannot write the trace '" + path + "'";
    return;
  }
  out_ << "[\n";
  auto name = [&](const char *what, int process, int thread, std::string_view text) {
    out_ << "{\"name\":\"" << what << "\",\"ph\":\"M\",\"pid\":" << process << ",\"tid\":" << thread
         << ",\"args\":{\"name\":\"" << text << "\"}},\n";
  };
  for (int core = 0; core < cores; ++core) {
    name("process_name", core, 0, "core " + std::to_string(core));
    for (int unit = 0; unit < kUnits; ++unit)
      name("thread_name", core, unit, nki::chip::name_of(Unit(unit)));
  }
  name("process_name", cores, 0, "launches");
  close_array();
}

/// Ends the JSON array; the next event is written over the end.
void Trace::close_array() {
  const auto here = out_.tellp();
  out_ << "{}]\n";
  out_.flush();
  out_.seekp(here);
}

void Trace::append(const Executor &executor, const std::string &kernel, uint64_t launch,
                   double start, double seconds) {
  if (!out_)
    return;
  JsonObject event;
  event.add("name", kernel + " #" + std::to_string(launch)).add("cat", "launch").add("ph", "X");
  event.add("ts", start * 1e6).add("dur", seconds * 1e6).add("pid", executor.cores()).add("tid", 0);
  out_ << event.str() << ",\n";
  executor.write_events(out_, start);
  close_array();
}

} // namespace neuronify
