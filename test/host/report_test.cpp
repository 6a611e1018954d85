// The text of a report.
#include "host/json.h"
#include "host/report.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace neuronify;

namespace {

TEST(Json, StringsAreEscaped) {
  EXPECT_EQ(json_string("a\"b\\c\n\t\x01"), R"("a\"b\\c\n\t\u0001")");
  EXPECT_EQ(json_string("größe €𝄞"), "\"größe €𝄞\"");
}

TEST(Json, BytesThatAreNotUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(json_string("a\xFFz"), R"("a\ufffdz")");
  EXPECT_EQ(json_string("\xC3"), R"("\ufffd")");                     // cut off
  EXPECT_EQ(json_string("\xC0\x80"), R"("\ufffd\ufffd")");           // overlong
  EXPECT_EQ(json_string("\xED\xA0\x80"), R"("\ufffd\ufffd\ufffd")"); // a surrogate
}

TEST(Json, NumbersThatJsonHasNotAreNull) {
  EXPECT_EQ(json_number(NAN), "null");
  EXPECT_EQ(json_number(INFINITY), "null");
  EXPECT_EQ(json_number(0.25), "0.25");
  EXPECT_EQ(JsonObject().str(), "{}");
  EXPECT_EQ(JsonArray().str(), "[]");
}

TEST(ReportRow, HoldsEveryFieldOfItsSchema) {
  LaunchRow row;
  row.kernel = "k<int>";
  row.grid = dim3(3, 2);
  row.block = dim3(64);
  row.launch = 7;
  row.prediction = {1e-5, 8e-5, "VectorE", 123};
  row.outcome.verdict = Verdict::not_ported;
  std::string line = to_json(row, "p");
  for (const char *part : {R"("record":"launch")",
                           R"("program":"p")",
                           R"("kernel":"k<int>")",
                           R"("mangled":"")",
                           R"("file":"")",
                           R"("line":0)",
                           R"("launch":7)",
                           R"("grid":[3,2,1])",
                           R"("block":[64,1,1])",
                           R"("dynamic_shared":0)",
                           R"("mapping":"")",
                           R"("verdict":"not ported")",
                           R"("message":"")",
                           R"("compared_bytes":0)",
                           R"("different":0)",
                           R"("mismatches":0)",
                           R"("max_ulp":0)",
                           R"("max_relative":0)",
                           R"("ulp_histogram":[0,0,0,0,0,0,0,0])",
                           R"("findings":[])",
                           R"("start":0)",
                           R"("predicted_one_core":8e-05)",
                           R"("predicted_chip":1e-05)",
                           R"("bound":"VectorE")",
                           R"("instructions":123)",
                           R"("wall_reference":0)",
                           R"("wall_port":0)",
                           R"("wall_compare":0)"})
    EXPECT_NE(line.find(part), std::string::npos) << part;
  EXPECT_EQ(line.find("first_difference"), std::string::npos);
}

} // namespace
