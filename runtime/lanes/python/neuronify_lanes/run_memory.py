"""Memory by address as an argument of ported kernels. Host code: ordinary Python."""

import numpy as np

_ALIGNMENT = 256


class Memory:
    """Bytes in which arrays have addresses: for kernels that load pointers from memory, or store or
    compute with them.

    >>> memory = run.Memory(1 << 20)
    >>> row = memory.array(100, np.float32)
    >>> rows = memory.array(1, np.uint64)
    >>> rows[0] = memory.address(row)
    >>> by_row(memory=memory, rows=rows, ...)
    """

    def __init__(self, size):
        size += -size % _ALIGNMENT
        raw = np.zeros(size + _ALIGNMENT, np.uint8)
        skipped = -raw.ctypes.data % _ALIGNMENT
        self.bytes = raw[skipped : skipped + size]
        self.stretches = [self.bytes.ctypes.data, 0]
        self._used = 0

    def array(self, shape, dtype):
        """A new array of zeros."""
        dtype = np.dtype(dtype)
        size = int(np.prod(shape)) * dtype.itemsize
        if size > len(self.bytes) - self._used:
            raise MemoryError(
                f"{size} bytes where {len(self.bytes) - self._used} are free"
            )
        part = self.bytes[self._used : self._used + size]
        self._used += size + -size % _ALIGNMENT
        return part.view(dtype).reshape(shape)

    def has(self, array):
        start = array.ctypes.data - self.bytes.ctypes.data
        return 0 <= start and start + array.nbytes <= len(self.bytes)

    def address(self, array):
        """What a pointer to the array is, as a number."""
        if array is None:
            return 0
        if not self.has(array):
            raise ValueError("the array is not in this memory")
        return self.stretches[0] + array.ctypes.data - self.bytes.ctypes.data


def from_stretches(tensor, stretches):
    """The memory of a program that runs side by side."""
    result = Memory.__new__(Memory)
    result.bytes = tensor
    result.stretches = stretches
    return result


def arguments_of(name, value):
    """The two arguments that a kernel takes for memory."""
    if not isinstance(value, Memory):
        raise TypeError(f"{name} is a run.Memory")
    if len(value.bytes) >= 1 << 31:
        raise ValueError(f"{name} has less than 2 GiB")
    return [value.bytes, value.stretches]


def address_of(name, value, memory):
    """A pointer as a number: of an array in the memory, or a number already."""
    if not isinstance(memory, Memory):
        raise TypeError("what pointers point into is a run.Memory")
    if value is None or isinstance(value, (int, np.integer)):
        return int(value or 0)
    if not isinstance(value, np.ndarray) or not value.flags.c_contiguous:
        raise TypeError(
            f"{name} is a contiguous array in the memory, an address, or None"
        )
    if not memory.has(value):
        raise ValueError(f"{name} is not in the memory: make it with memory.array()")
    return memory.address(value)
