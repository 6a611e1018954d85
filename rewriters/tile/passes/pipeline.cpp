#include "tile/passes/passes.h"

namespace neuronify::tile {

void run_passes(Program &program,
                const std::function<void(std::string_view, const Program &)> &after) {
  struct Pass {
    const char *name;
    void (*run)(Program &);
  };
  static constexpr Pass passes[] = {
      {"settle-masks", settle_masks},         //
      {"remove-dead-code", remove_dead_code}, //
      {"fold-expressions", fold_expressions}, //
      {"form-while-loops", form_while_loops}, //
      {"settle-negations", settle_negations}, //
      {"remove-dead-code", remove_dead_code}, //
      {"join-versions", join_versions},       //
      {"form-for-loops", form_for_loops},     //
      {"reuse-tiles", reuse_tiles},           //
      {"name-variables", name_variables},     //
  };
  for (const Pass &pass : passes) {
    pass.run(program);
    if (after)
      after(pass.name, program);
  }
}

} // namespace neuronify::tile
