"""Enumerations of nki.isa, under the name that published kernels import them from."""

from . import (  # noqa: F401
    dge_mode, dma_engine, engine, matmul_perf_mode, nc_version, oob_mode, reduce_cmd,
)
