"""nki.dtype: the data types of nki.language, under the name that some kernels import them from."""

from .language._types import *  # noqa: F401,F403
