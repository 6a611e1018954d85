// Whole runs as a user starts them: the environment says how, the report says what became of them.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

class Verify : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "neuronify-XXXXXX").string();
    folder = mkdtemp(pattern.data());
    write("k.bc", "good");
    set("NEURONIFY_MODE", "verify");
    set("NEURONIFY_REPORT", folder / "report.json");
    set("NEURONIFY_DEVICE_IR", folder);
    set("NEURONIFY_REFERENCE", FAKE_REFERENCE);
    set("NEURONIFY_PROGRAM", "program");
  }
  void TearDown() override {
    for (const std::string &name : names)
      unsetenv(name.c_str());
    fs::remove_all(folder);
  }
  void set(const std::string &name, const std::string &value) {
    setenv(name.c_str(), value.c_str(), 1);
    names.push_back(name);
  }
  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder / name) << text;
  }
  static std::string read(const fs::path &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  /// Runs the program; its standard output, standard error and wait status are kept.
  void run(const std::string &scenario, const std::string &before = "") {
    std::string command = before + " " + VERIFY_PROGRAM + " " + scenario + " >" +
                          (folder / "out").string() + " 2>" + (folder / "err").string();
    status = std::system(command.c_str());
    out = read(folder / "out");
    err = read(folder / "err");
    report = read(folder / "report.json");
  }
  /// The lines of the report of one kind.
  std::vector<std::string> lines(const std::string &record) const {
    std::vector<std::string> result;
    std::istringstream text(report);
    for (std::string line; std::getline(text, line);)
      if (line.find("{\"record\":\"" + record + "\"") == 0)
        result.push_back(line);
    return result;
  }
  static bool has(const std::string &line, const std::string &part) {
    return line.find(part) != std::string::npos;
  }

  fs::path folder;
  std::vector<std::string> names;
  int status = 0;
  std::string out, err, report;
};

#define EXPECT_HAS(line, part) EXPECT_TRUE(has(line, part)) << (line)

TEST_F(Verify, EqualSidesMatch) {
  run("good");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(out, "3 2 cudaSuccess\n"); // the reference's values
  EXPECT_EQ(err, "");
  auto rows = lines("launch");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_HAS(
      rows[0],
      R"J("program":"program","kernel":"fill<float>","mangled":"fill","file":"k.cu","line":12,"launch":1,"grid":[8,1,1],"block":[128,1,1])J");
  EXPECT_HAS(rows[0], R"J("mapping":"flat","verdict":"match","message":"")J");
  EXPECT_HAS(rows[0], R"J("different":1001,"mismatches":0,"max_ulp":1,)J");
  EXPECT_HAS(rows[1], R"J("kernel":"count")J");
  EXPECT_HAS(lines("summary").at(0), R"J("end":"exit","launches":2,"ran":0,"match":2,)J");
  EXPECT_HAS(lines("summary").at(0), R"J("verdict":"match")J");
  EXPECT_FALSE(fs::exists(folder / "report.json.part"));
}

TEST_F(Verify, AMismatchNamesItsPlaceAndLeavesTheExitCodeAlone) {
  run("mismatch");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(out, "3 2 cudaSuccess\n");
  auto rows = lines("launch");
  EXPECT_HAS(
      rows.at(0),
      R"J("verdict":"mismatch","message":"fill<float>, launch 1, allocation 1 (4004 bytes), f32 700: reference 3, port 4 (1 of 1001 elements differ); written by thread (60,0,0) of block (5,0,0) at k.cu:14")J");
  EXPECT_HAS(
      rows.at(0),
      R"J("first_difference":{"buffer":"allocation 1 (4004 bytes)","allocation":1,"variable":"","bytes":4004,"offset":2800,"index":700,"type":"f32","reference":"3","port":"4","writer":{"block":[5,0,0],"thread":[60,0,0],"file":"k.cu","line":14,"writes":1}})J");
  EXPECT_HAS(rows.at(1), R"J("verdict":"match")J");
  EXPECT_HAS(lines("summary").at(0), R"J("verdict":"mismatch")J");
}

TEST_F(Verify, TheProgramsOwnExitCodeStays) {
  run("exit3");
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_HAS(lines("summary").at(0), R"J("end":"exit")J");
}

TEST_F(Verify, CanContinueFromThePort) {
  set("NEURONIFY_VERIFY_CONTINUE", "port");
  run("mismatch");
  EXPECT_EQ(out, "4 2 cudaSuccess\n");
}

TEST_F(Verify, TolerancesComeFromTheEnvironment) {
  set("NEURONIFY_TOLERANCE", "exact");
  run("good");
  EXPECT_HAS(lines("launch").at(0), R"J("mismatches":1001)J");
  EXPECT_HAS(lines("summary").at(0), R"J("verdict":"mismatch")J");
}

TEST_F(Verify, AFailingPortIsReportedAndTheProgramGoesOn) {
  run("fail");
  EXPECT_EQ(out, "3 2 cudaSuccess\n");
  EXPECT_HAS(lines("launch").at(0),
             R"J("verdict":"failed","message":"nisa.memset: the port fails)J");
  EXPECT_HAS(lines("summary").at(0), R"J("verdict":"failed")J");
}

TEST_F(Verify, AKernelWithoutPortIsReportedAndRunsOnTheReference) {
  run("missing");
  EXPECT_EQ(out, "5 2 cudaSuccess\n");
  EXPECT_HAS(lines("launch").at(1),
             R"J("kernel":"missing","mangled":"missing","file":"k.cu","line":30)J");
  EXPECT_HAS(lines("launch").at(1),
             R"J("verdict":"not ported","message":"NFY4001: cannot be ported")J");
}

TEST_F(Verify, TheTraceHasTheLaunchesThatRanOnTheChip) {
  set("NEURONIFY_TRACE", folder / "trace.json");
  run("missing");
  std::string trace = read(folder / "trace.json");
  EXPECT_EQ(trace.find("[\n"), 0u);
  EXPECT_TRUE(trace.ends_with("{}]\n"));
  EXPECT_HAS(trace, R"J("name":"fill<float> #1","cat":"launch")J");
  EXPECT_HAS(trace, R"J("name":"count #3")J");
  EXPECT_FALSE(has(trace, "missing #2"));
}

TEST_F(Verify, AnInvalidLaunchIsARowOfItsOwn) {
  run("invalid");
  EXPECT_EQ(status, 0);
  EXPECT_HAS(out, "cudaErrorInvalidConfiguration");
  EXPECT_HAS(lines("launch").at(0),
             R"J("verdict":"failed","message":"invalid configuration: block (2000, 1, 1) is not)J");
}

TEST_F(Verify, AMissingOrBrokenReferenceIsSaidPerLaunch) {
  write("k.bc", "unreadable");
  run("good");
  EXPECT_HAS(lines("launch").at(0),
             R"J("verdict":"reference failed","message":"this is no bitcode")J");
  EXPECT_HAS(lines("summary").at(0), R"J("verdict":"failed")J");
  write("k.bc", "broken");
  run("good");
  EXPECT_HAS(lines("launch").at(0), R"J("message":"the bitcode is broken")J");
  fs::remove(folder / "k.bc");
  run("good");
  EXPECT_HAS(lines("launch").at(0), "cannot read the original's device IR 'k.bc'");
  set("NEURONIFY_REFERENCE", "/nowhere/reference.so");
  run("good");
  EXPECT_HAS(lines("launch").at(0), "cannot load the reference runner: ");
  EXPECT_HAS(out, "3.0000");
}

TEST_F(Verify, FindingsAboutTheOriginalAreInTheRow) {
  set("NEURONIFY_CHECK_ORIGINAL", "1");
  run("good");
  EXPECT_HAS(
      lines("launch").at(0),
      R"J("findings":[{"kind":"race","message":"threads 0 and 1","file":"k.cu","line":7,"block":[1,2,3],"thread":[4,5,6]}])J");
  EXPECT_HAS(lines("summary").at(0), R"J("findings":2)J");
}

TEST_F(Verify, ACrashInsideALaunchLeavesACompleteReport) {
  run("crash");
  EXPECT_NE(status, 0);
  EXPECT_HAS(lines("begin").at(0), R"J("launch":1,"kernel":"fill<float>")J");
  EXPECT_EQ(lines("launch").size(), 0u);
  EXPECT_EQ(lines("summary").at(0),
            R"J({"record":"summary","end":"signal 11","verdict":"failed"})J");
  run("abort");
  EXPECT_EQ(lines("summary").at(0),
            R"J({"record":"summary","end":"signal 6","verdict":"failed"})J");
}

TEST_F(Verify, TermEndsAHangWithAReportAndKillLeavesThePart) {
  run("hang", "timeout 1");
  EXPECT_EQ(lines("summary").at(0),
            R"J({"record":"summary","end":"signal 15","verdict":"failed"})J");
  fs::remove(folder / "report.json");
  run("hang", "timeout -s KILL 1");
  EXPECT_FALSE(fs::exists(folder / "report.json"));
  report = read(folder / "report.json.part");
  EXPECT_EQ(lines("begin").size(), 1u);
}

TEST_F(Verify, AReportThatCannotBeWrittenIsOneMessage) {
  set("NEURONIFY_REPORT", "/nowhere/report.json");
  run("good");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(out, "3 2 cudaSuccess\n");
  EXPECT_HAS(err, "neuronify: cannot write /nowhere/report.json.part: No such file or directory\n");
}

TEST_F(Verify, ValuesThatMakeNoSenseAreSaid) {
  set("NEURONIFY_CORES", "9");
  set("NEURONIFY_PRECISE", "yes");
  set("NEURONIFY_TOLERANCE", "f31=2");
  set("NEURONIFY_GENERATION", "trn9");
  run("good");
  EXPECT_HAS(err, "neuronify: NEURONIFY_CORES='9' is ignored: expected 1 to 8\n");
  EXPECT_HAS(err, "neuronify: NEURONIFY_PRECISE='yes' is ignored: expected 0 or 1\n");
  EXPECT_HAS(err, "NEURONIFY_TOLERANCE='f31=2' is ignored");
  EXPECT_HAS(err, "NEURONIFY_GENERATION='trn9' is ignored: expected trn1, trn2 or trn3");
  EXPECT_EQ(lines("message").size(), 4u);
  EXPECT_HAS(lines("summary").at(0), R"J("verdict":"match")J");
}

TEST_F(Verify, ModeRunNeedsNoReference) {
  set("NEURONIFY_MODE", "run");
  set("NEURONIFY_REFERENCE", "/nowhere/reference.so");
  set("NEURONIFY_CORES", "1");
  run("good");
  EXPECT_EQ(out, "3.00000024 2 cudaSuccess\n");
  EXPECT_HAS(lines("launch").at(0), R"J("verdict":"ran")J");
  EXPECT_HAS(lines("summary").at(0), R"J("verdict":"ran")J");
  run("fail");
  EXPECT_HAS(out, "cudaErrorLaunchFailure");
  EXPECT_HAS(err, "k.cu:12: launch 1 of 'fill<float>' failed: nisa.memset: the port fails");
  EXPECT_HAS(lines("summary").at(0), R"J("verdict":"failed")J");
}

#ifdef DEVICE_IR
TEST_F(Verify, TheReferenceIsFoundWhereItWasBuilt) {
  unsetenv("NEURONIFY_REFERENCE");
  set("NEURONIFY_DEVICE_IR", DEVICE_IR);
  run("good");
  EXPECT_EQ(status, 0) << err;
  EXPECT_EQ(out, "3 2 cudaSuccess\n");
  ASSERT_EQ(lines("launch").size(), 2u);
  EXPECT_HAS(lines("launch").at(0), R"J("verdict":"match","message":"")J");
  EXPECT_HAS(lines("launch").at(1), R"J("verdict":"match","message":"")J");
  run("mismatch");
  EXPECT_HAS(lines("launch").at(0), "f32 700: reference 3, port 4 (1 of 1001 elements differ)");
  set("NEURONIFY_CHECK_ORIGINAL", "1");
  run("good");
  EXPECT_HAS(lines("launch").at(0), R"J("verdict":"match","message":"")J");
}
#endif

} // namespace
