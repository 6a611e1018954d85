#include "run_report.h"

#include "llvm/Support/MemoryBuffer.h"

namespace neuronify::tool {

namespace {

using llvm::json::Object;

std::string text(const Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

double number(const Object &object, llvm::StringRef key) {
  if (std::optional<double> value = object.getNumber(key))
    return *value;
  // What JSON has no numbers for ("inf", "nan") is text.
  double value = 0;
  llvm::StringRef(text(object, key)).getAsDouble(value);
  return value;
}

uint64_t whole(const Object &object, llvm::StringRef key) {
  const llvm::json::Value *value = object.get(key);
  if (!value)
    return 0;
  if (std::optional<uint64_t> exact = value->getAsUINT64())
    return *exact;
  return static_cast<uint64_t>(value->getAsNumber().value_or(0));
}

std::array<uint64_t, 3> dimensions(const Object &object, llvm::StringRef key) {
  std::array<uint64_t, 3> out{};
  if (const llvm::json::Array *list = object.getArray(key))
    for (size_t i = 0; i < std::min<size_t>(3, list->size()); ++i)
      out[i] = (*list)[i].getAsUINT64().value_or(0);
  return out;
}

std::string difference(const Object &first) {
  std::string out = "first difference in " + text(first, "buffer") + " at index " +
                    std::to_string(whole(first, "index"));
  out += ": original " + text(first, "reference") + ", port " + text(first, "port") + " (" +
         text(first, "type") + ")";
  if (const Object *writer = first.getObject("writer"))
    out += ", written at " + text(*writer, "file") + ":" + std::to_string(whole(*writer, "line"));
  return out;
}

std::string finding(const Object &object) {
  std::string place = text(object, "file");
  if (uint64_t line = whole(object, "line"))
    place += ":" + std::to_string(line);
  return (place.empty() ? "" : place + ": ") + text(object, "kind") + ": " +
         text(object, "message");
}

LaunchResult launch(const Object &row) {
  LaunchResult out;
  out.kernel = text(row, "kernel");
  out.mapping = text(row, "mapping");
  out.verdict = text(row, "verdict");
  out.message = text(row, "message");
  out.bound = text(row, "bound");
  out.nki = text(row, "nki");
  out.file = text(row, "file");
  out.line = static_cast<unsigned>(whole(row, "line"));
  out.launch = whole(row, "launch");
  out.grid = dimensions(row, "grid");
  out.block = dimensions(row, "block");
  out.max_ulp = whole(row, "max_ulp");
  out.near_zero = whole(row, "near_zero");
  out.max_relative = number(row, "max_relative");
  out.predicted = number(row, "predicted_one_core");
  if (const Object *first = row.getObject("first_difference"))
    out.difference = difference(*first);
  if (const llvm::json::Array *findings = row.getArray("findings"))
    for (const llvm::json::Value &one : *findings)
      if (const Object *object = one.getAsObject())
        out.findings.push_back(finding(*object));
  return out;
}

void add(RunReport &report, const Object &record) {
  const std::string kind = text(record, "record");
  if (kind == "launch") {
    report.launches.push_back(launch(record));
    report.rows.push_back(Object(record));
    report.running.clear();
  } else if (kind == "begin") {
    report.running = text(record, "kernel");
  } else if (kind == "message") {
    report.messages.push_back(text(record, "text"));
  } else if (kind == "summary") {
    report.end = text(record, "end");
  }
}

} // namespace

RunReport read_report(const std::string &path) {
  RunReport report;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    buffer = llvm::MemoryBuffer::getFile(path + ".part");
  if (!buffer)
    return report;
  report.present = true;
  llvm::SmallVector<llvm::StringRef, 64> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value)
      llvm::consumeError(value.takeError());
    else if (const Object *record = value->getAsObject())
      add(report, *record);
  }
  return report;
}

} // namespace neuronify::tool
