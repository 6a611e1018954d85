"""Kernels of nki-library, each by one of its own tests."""

import nki.language as nl

from .library import dimensions, library_case, named, named_test

library_case(6, "rmsnorm_tkg", "core.subkernels.test_rmsnorm_tkg", "TestRmsNormTKGKernel.test_rmsnorm_tkg_unit", 0, 2)
library_case(28, "cumsum", "core.cumsum.test_cumsum", "TestCumsumKernel.test_cumsum_fast", 0, 1, 2)
library_case(29, "RoPE", "core.embeddings.test_rope", "TestRopeKernel.test_rope_fast",
             dict(d_head=64, B=2, n_heads=3, S=16, contiguous_layout=True, relayout_in_sbuf=False),
             dict(d_head=128, B=1, n_heads=2, S=128, contiguous_layout=False, relayout_in_sbuf=False),
             dict(d_head=128, B=1, n_heads=2, S=128, contiguous_layout=False, relayout_in_sbuf=True))
library_case(30, "rope_hf", "core.embeddings.test_rope_hf", "TestRopeHFKernel.test_rope_hf_lnc", 1,
             dict(batch_size=1, num_q_heads=4, num_kv_heads=2, seq_len=256, head_dim=128, dtype="bfloat16",
                  backward=True, lnc_count=2))
library_case(31, "tp_broadcast", "core.utils.test_tp_broadcast", "test_tp_broadcast", 0, 1, 2, 3)
library_case(32, "cross_partition_copy", "core.utils.test_cross_partition_copy",
             "TestCrossPartitionCopy.test_cross_partition_copy", *range(20))
library_case(33, "folded load and store", "core.max.test_cascaded_max_utils",
             "TestCascadedMaxUtils.test_folded_load_store_full_batch", 0, 1, 2)
library_case(34, "cascaded_max", "core.max.test_cascaded_max", "TestCascadedMaxKernel.test_cascaded_max_unit", 0, 1)
library_case(35, "find_nonzero_indices_with_count", "experimental.benchmark.test_find_nonzero_indices_with_count",
             "TestFindNonzeroIndicesWithCountKernel.test_find_nonzero_indices_unit", 0)
library_case(36, "indexed_flatten", "core.subkernels.test_indexed_flatten",
             "TestIndexedFlattenKernel.test_indexed_flatten_fast", 0, 1)
library_case(37, "find_nonzero_indices", "core.subkernels.test_find_nonzero_indices",
             "TestFindNonzeroIndicesKernel.test_find_nonzero_indices_fast", 0, 1)
library_case(38, "layernorm_tkg", "core.subkernels.test_layernorm_tkg",
             "TestLayerNormTKGKernel.test_layernorm_tkg_unit", 0, 2)
library_case(39, "dynamic_elementwise_add", "experimental.dynamic_shapes.test_dynamic_elementwise_add",
             "TestDynamicElementwiseAdd.test_dynamic_elementwise_add_fast", dict(m_dim=256, h_dim=512))
library_case(40, "gen_mask_tkg", "core.attention.test_gen_mask_tkg", "TestGenMaskTkgHbm.test_flat_kv", 0, 1, 2)
library_case(41, "rmsnorm_quant_kernel", "core.rmsnorm.test_rmsnorm_quant",
             "TestRmsNormQuantKernel.test_rmsnorm_quant_lnc_unit", 0, 2)
library_case(42, "router_topk", "core.router_topk.test_router_topk", "TestRouterTopkKernel.test_router_topk", 0,
             (lambda p: not p["x_input_in_sb"] and p["T"] <= 8, {}))
library_case(43, "rotational_topk", "core.topk.test_topk", "TestTopKKernel.test_topk_unit", 2)
library_case(44, "depthwise_conv1d_implicit_gemm", "experimental.conv.test_depthwise_conv1d",
             "TestDepthwiseConv1d.test_depthwise_conv1d_fast", 0)
library_case(45, "conv1d", "experimental.conv.test_conv1d", "TestConv1DKernel.test_conv1d_basic", 0, 1, 2)
library_case(46, "output_projection_tkg", "core.output_projection.test_output_proj_tkg",
             "TestOutputProjTkgKernel.test_output_proj_tkg_unit", 1, 2)
library_case(47, "output_projection_cte", "core.output_projection.test_output_proj_cte",
             "TestOutputProjCteKernel.test_output_proj_cte_bf16_unit", 1)
library_case(48, "cross_entropy_forward", "experimental.loss.test_cross_entropy_forward",
             "TestCrossEntropyForwardSweep.prepare_test_parametrized",
             dict(test_options=dimensions(ce_config=dict(B=2, T=64, V=4096, dtype="float32", PB=32, CS=2048))))
library_case(49, "cross_entropy_backward", "experimental.loss.test_cross_entropy_backward",
             "TestCrossEntropyBackwardSweep.prepare_test_parametrized",
             dict(test_options=dimensions(ce_config=dict(B=2, T=64, V=4096, dtype="float32", PB=32, CS=2048))))
library_case(50, "qkv_tkg", "core.qkv.test_qkv_tkg", "TestQkvTkgKernel.test_qkv_tkg_accuracy_unit", 7, 2)
library_case(51, "qkv_cte", "core.qkv.test_qkv_cte", "TestQkvCteKernel.test_qkv_cte_accuracy_unit", 0, 3)


def mlp_arguments(**changed):
    none = named("core.utils.common_types", "QuantizationType").NONE
    act_fn_type, norm_type = (named("core.utils.common_types", name) for name in ("ActFnType", "NormType"))
    common = dict(batch=1, dtype=nl.bfloat16, lnc_degree=2, act_fn_type=act_fn_type.SiLU, norm_type=norm_type.RMS_NORM,
                  fused_add=False, store_add=False, gate_bias=False, up_bias=False, down_bias=False, norm_bias=False)
    return none, {**common, **changed}


def mlp_tkg():
    none, arguments = mlp_arguments(seqlen=4, hidden=1024, intermediate=512)
    return dict(quant_dtype=None, quantization_type=none, skip_gate_proj=False, **arguments)


def mlp_cte():
    none, arguments = mlp_arguments(seqlen=512, hidden=1024, intermediate=512)
    return dict(quant_type=none, skip_gate=False, rtol=2e-2, **arguments)


library_case(52, "mlp_tkg", "core.mlp.test_mlp_tkg", "TestMlpTkgKernels.run_mlp_tkg_test", mlp_tkg)
library_case(53, "mlp_cte", "core.mlp.test_mlp_cte", "TestMlpCteKernel.run_mlp_cte_test", mlp_cte)
library_case(54, "moe_tkg", "core.moe.moe_tkg.test_moe_tkg", "TestMoeTkgKernel.test_moe_tkg_bfloat16", 2)
library_case(55, "moe_block_tkg", "core.moe_block.test_moe_block_tkg",
             "TestMoEBlockTkgKernel.test_moe_block_kernel_unit",
             (lambda p: "x4" not in str(p["moe_weight_dtype"]) and p["batch"] * p["seqlen"] <= 4,
              dict(num_global_experts=8, num_local_experts=8)))
library_case(56, "attention_tkg", "core.attention.test_attention_tkg", "TestAttentionTkgKernel.test_attn_tkg_fast", 0)
library_case(57, "attention_cte", "core.attention.test_attention_cte",
             "TestRangedAttentionCTEKernels.test_attention_cte_no_cp_unit",
             (0, dict(seqlen_kv=1024, seqlen_q=512, bs=1)), (3, dict(seqlen_kv=1024, seqlen_q=1024, bs=1)))
library_case(58, "attention_bwd", "core.attention.test_attention_bwd", "TestAttentionBwdKernel.test_attention_bwd_fast",
             (0, dict(seq_len=1024)))


def attention_block():
    config = named_test("experimental.transformer.test_attention_block_tkg_utils", "AttnBlkTestConfig")
    return dict(attn_blk_cfg=config(batch=4, q_heads=8, d_head=64, H=3072, H_actual=None, S_ctx=1024, S_max_ctx=1024,
                                    S_tkg=1))


library_case(59, "attention_block_tkg", "experimental.transformer.test_attention_block_tkg",
             "TestRangeAttnBlk.test_attn_blk_megakernel", attention_block)


def blockwise_matmul():
    mode = named("core.utils.common_types", "ExpertAffinityScaleMode")
    return dict(lnc_degree=2, test_options=dimensions(cfg=dict(
        tok=512, hid=1024, int=512, exp=4, bs=256, k=1, dt=nl.bfloat16, sk=0, sm=mode.POST_SCALE, ca=False)))


library_case(60, "blockwise_mm_baseline_shard_hidden", "experimental.moe.test_bwmm_shard_on_H",
             "TestMoeBlockwiseMatMulShardH.run_bwmm_h_test", blockwise_matmul)
