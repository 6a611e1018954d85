"""NKI on neuronify's chip model: the public `nki` API, without a chip and without the Neuron SDK.

Where no other `nki` is installed, this package is importable as `nki`; where one is, it stays
`neuronify_nki`. See docs/nki.md.
"""

import neuronify_nki_finder

neuronify_nki_finder.install()

from . import isa  # noqa: E402  (first: nki.language is built on it)
from ._launch import Kernel, Profile, jit, profile, run_ranks, simulate  # noqa: E402
from . import collectives, language, typing  # noqa: E402
from . import dtype  # noqa: E402

__all__ = [
    "Kernel", "Profile", "collectives", "dtype", "isa", "jit", "language", "profile", "run_ranks", "simulate",
    "typing",
]
