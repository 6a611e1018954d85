"""NumPy's half of benchmark/instructions: what each row computes, in two ways (best, steps)."""
