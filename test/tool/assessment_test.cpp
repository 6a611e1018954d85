// Results of single files put together: what counts once, what stops what, and the page.
#include "assessment.h"

#include "gtest/gtest.h"

namespace neuronify::tool {

namespace {

llvm::json::Value parse(const std::string &text) {
  auto value = llvm::json::parse(text);
  if (!value)
    ADD_FAILURE() << llvm::toString(value.takeError()) << " in " << text;
  return value ? std::move(*value) : llvm::json::Value(nullptr);
}

std::string kernel(const std::string &name, const std::string &file, int line, bool ported,
                   const std::string &why = "") {
  return R"({"name":")" + name + R"(","mangled":"_)" + name + R"(","file":")" + file +
         R"(","line":)" + std::to_string(line) + R"(,"ported":)" + (ported ? "true" : "false") +
         R"(,"mapping":"m","diagnostic":")" + why + R"("})";
}

std::string diagnostic(const std::string &code, const std::string &kernel, int line,
                       const std::string &severity = "warning") {
  return R"({"code":")" + code + R"(","severity":")" + severity + R"(","file":"/a/k.cuh","line":)" +
         std::to_string(line) + R"(,"column":3,"kernel":")" + kernel +
         R"(","text":"what is wrong"})";
}

std::string results(const std::string &kernels, const std::string &diagnostics,
                    bool readable = true) {
  return R"({"files":[{"readable":)" + std::string(readable ? "true" : "false") +
         R"(}],"kernels":[)" + kernels + R"(],"diagnostics":[)" + diagnostics + "]}";
}

void add(Assessment &assessment, const std::string &path, const std::string &text) {
  const llvm::json::Value value = parse(text);
  assessment.add_file(path, &value, "", 1);
}

TEST(Assessment, a_kernel_in_a_header_of_several_files_counts_once) {
  Assessment all;
  const std::string one = results(kernel("k", "/a/k.cuh", 7, true), diagnostic("NFY2002", "k", 9));
  add(all, "/a/one.cu", one);
  add(all, "/a/two.cu", one);
  EXPECT_EQ(all.counts().kernels, 1u);
  EXPECT_EQ(all.counts().changed, 1u);
  EXPECT_EQ(all.totals().at("NFY2002").places.size(), 1u);
  EXPECT_EQ(all.totals().at("NFY2002").kernels.size(), 1u);
  EXPECT_NE(all.text().find("1 of 1 kernels port, 1 of them"), std::string::npos);
}

TEST(Assessment, a_template_ports_when_all_its_instances_do) {
  Assessment all;
  add(all, "/a/one.cu",
      results(kernel("k<int>", "/a/k.cuh", 7, true) + "," +
                  kernel("k<double>", "/a/k.cuh", 7, false, "NFY4001: double precision"),
              diagnostic("NFY4001", "k<double>", 8, "error")));
  ASSERT_EQ(all.kernels().size(), 1u);
  EXPECT_FALSE(all.kernels()[0]->ported);
  EXPECT_EQ(all.kernels()[0]->instances.size(), 2u);
  EXPECT_EQ(verdict_of(*all.kernels()[0]), "does not port");
  EXPECT_EQ(join(all.kernels()[0]->stops), "NFY4001");
  EXPECT_NE(all.text().find("NFY4001: double precision"), std::string::npos);
}

TEST(Assessment, what_stops_host_code_is_listed_with_its_places) {
  Assessment all;
  const std::string one =
      results("", diagnostic("NFY5001", "", 9, "error") + "," +
                      diagnostic("NFY5002", "", 4, "error") + "," + diagnostic("NFY5003", "", 5));
  add(all, "/a/one.cu", one);
  add(all, "/a/two.cu", one);
  ASSERT_EQ(all.host_blockers().size(), 2u);
  EXPECT_EQ(all.host_blockers().begin()->line, 4u);
  EXPECT_NE(all.text().find("/a/k.cuh:9"), std::string::npos);
  EXPECT_NE(all.html("page").find("/a/k.cuh:9"), std::string::npos);
  const llvm::json::Value json = all.json();
  EXPECT_EQ(json.getAsObject()->getArray("host")->size(), 2u);
}

TEST(Assessment, a_file_without_results_is_a_row) {
  Assessment all;
  all.add_file("/a/crash.cu", nullptr, "the translator was ended by signal 11", 1);
  add(all, "/a/broken.cu", results("", diagnostic("NFY1001", "", 4, "error"), false));
  add(all, "/a/good.cu", results(kernel("k", "/a/good.cu", 1, true), ""));
  EXPECT_EQ(all.counts().unread, 2u);
  EXPECT_EQ(all.counts().ported, 1u);
  EXPECT_NE(all.text().find("signal 11"), std::string::npos);
  EXPECT_NE(all.text().find("/a/k.cuh:4: what is wrong [NFY1001]"), std::string::npos);
}

TEST(Assessment, results_that_are_no_object_are_a_problem_of_the_file) {
  Assessment all;
  const llvm::json::Value list = llvm::json::Array{1, 2};
  all.add_file("/a/a.cu", &list, "", 1);
  EXPECT_EQ(all.counts().unread, 1u);
  EXPECT_FALSE(all.add_launches(list));
  EXPECT_FALSE(all.add_launches(parse(R"({"command":"port"})")));
}

TEST(Assessment, without_a_launch_there_is_no_time_and_no_picture) {
  Assessment all;
  add(all, "/a/one.cu", results(kernel("k", "/a/k.cuh", 7, true), ""));
  EXPECT_NE(all.text().find("not run"), std::string::npos);
  EXPECT_EQ(roofline(all.kernels()), "");
  EXPECT_EQ(all.html("t").find("<svg"), std::string::npos);
}

TEST(Assessment, launches_of_a_run_are_added_up_and_drawn) {
  Assessment all;
  add(all, "/a/one.cu", results(kernel("k<a&b>", "/a/k.cuh", 7, true), ""));
  const std::string launch =
      R"({"file":"/a/k.cuh","line":7,"verdict":"match","predicted_one_core":2e-6,)"
      R"("engine_busy":1e-6,"hbm_busy":1e-7,"bound":"VectorE"})";
  const std::string other = R"({"file":"/a/unknown.cu","line":7,"verdict":"match"})";
  EXPECT_TRUE(all.add_launches(
      parse(R"({"programs":[{"launches":[)" + launch + "," + launch + "," + other + "]}]}")));
  const Measured &measured = all.kernels()[0]->measured;
  EXPECT_EQ(measured.launches, 2u);
  EXPECT_EQ(measured.matched, 2u);
  EXPECT_DOUBLE_EQ(measured.predicted, 4e-6);
  EXPECT_EQ(measured.bound, "VectorE");
  const std::string page = all.html("<title>");
  EXPECT_NE(page.find("<circle"), std::string::npos);
  EXPECT_NE(page.find("k&lt;a&amp;b&gt;"), std::string::npos);
  EXPECT_EQ(page.find("k<a"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos); // needs no network
}

TEST(Assessment, points_outside_of_the_picture_stay_at_its_border) {
  AssessedKernel kernel;
  kernel.measured = {1, 1, 1e-3, 0, 0, "latency", 1e-3}; // no engine, no memory
  EXPECT_NE(roofline({&kernel}).find("<circle"), std::string::npos);
  EXPECT_EQ(roofline({&kernel}).find("nan"), std::string::npos);
  EXPECT_EQ(roofline({&kernel}).find("inf"), std::string::npos);
}

} // namespace

} // namespace neuronify::tool
