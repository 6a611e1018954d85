# The case nki_python of cli_test.sh, which sources this: runners and emitted kernels as a user meets them.
# What is written is formatted as `ruff format` would, keeps to the language of NKI kernels, and runs.
python=$(sed -n 's/^NEURONIFY_PYTHON_EXECUTABLE:[^=]*=//p' "$build/CMakeCache.txt")
[[ -n $python ]] || { echo "no Python with the nki module"; exit 0; }
export PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1
expect 0 'ported [0-9]+ kernels' "$neuronify" port -o ported "$samples"/*.cu
expect 0 '' "$python" -m neuronify_nki.lint ported/*_nki.py \
  $(find ported/neuronify_lanes -name '*.py' ! -name 'run*.py')
! "$python" -m ruff --version >/dev/null 2>&1 ||
  expect 0 '' "$python" -m ruff format --check ported/*.py ported/neuronify_lanes
"$python" -c 'import numpy as np
np.save("x.npy", np.arange(1000, dtype=np.float32)); np.save("y.npy", np.ones(1000, np.float32))'
expect 0 'a=  float32 number' "$python" ported/saxpy_nki_run.py --help
expect 0 'x=  NAME.npy with int32 elements' "$python" ported/saxpy_nki_run.py saxpy_int --help
! grep -q float32 out || fail "help for another kernel"
expect 0 '' "$python" ported/saxpy_nki_run.py saxpy_float --grid 4 --block 256 n=1000 a=2.5 \
  x=x.npy y=y.npy --out results
"$python" -c 'import numpy as np
assert (np.load("results/y.npy") == 2.5 * np.arange(1000) + 1).all()' || fail "wrong result"
run=("$python" ported/saxpy_nki_run.py saxpy_float --grid 4 --block 256 --out refused)
expect 2 'n, a, x, y; missing: n' "${run[@]}" a=2.5 x=x.npy y=y.npy
expect 2 'name=value' "${run[@]}" n
expect 2 'x: cannot read nowhere.npy' "${run[@]}" n=1 a=1.0 x=nowhere.npy y=y.npy
expect 2 "a: 'much' is neither" "${run[@]}" n=1 a=much x=x.npy y=y.npy
expect 2 'n is an integer, not 1.5' "${run[@]}" n=1.5 a=1.0 x=x.npy y=y.npy
expect 2 'a is a number .float32., not an array' "${run[@]}" n=1 a=x.npy x=x.npy y=y.npy
expect 2 'y is a contiguous NumPy array' "${run[@]}" n=1 a=1.0 x=x.npy y=3
expect 2 "'4x' is not one to three positive" "${run[@]}" --grid 4x n=1 a=1.0 x=x.npy y=y.npy
[[ ! -e refused ]] || fail "results of a launch that was refused"
# There is no launch that nobody asked for, and no file is overwritten unasked.
expect 2 'required: --block' "$python" ported/saxpy_nki_run.py saxpy_float --grid 4 \
  n=1000 a=2.5 x=x.npy y=y.npy
cp y.npy before.npy
expect 2 'y.npy exists|x.npy exists' "${run[@]}" n=1000 a=2.5 x=x.npy y=y.npy --out .
cmp y.npy before.npy || fail "overwritten"
# Called as a function, a kernel says what is wrong with what it gets.
cat >call.py <<'END'
import sys
sys.path.insert(0, "ported")
import numpy as np
import neuronify_nki
from saxpy_nki import saxpy_float as kernel
x = np.ones(8, np.float32)
a = x[:1].copy()
launch = dict(grid_dim=(1, 1, 1), block_dim=(8, 1, 1))
for arguments, text in (
    ((8, 2.0, x, x), "is a tensor of one element"),
    ((8.0, a, x, x), "is an int of Python"),
    ((8, a, x.reshape(2, 4), x), "is a one-dimensional tensor or None"),
):
    try:
        kernel(*arguments, **launch)
        sys.exit("no error: " + text)
    except AssertionError as error:
        assert text in str(error), error
for grid in (1, (1, 1), (1, 0, 1)):
    try:
        kernel(8, a, x, x, grid_dim=grid, block_dim=(8, 1, 1))
        sys.exit("no error of a grid")
    except AssertionError as error:
        assert "grid_dim is three positive ints" in str(error), error
END
expect 0 '' "$python" call.py
# Two cores share the waves of a launch where those are independent, and leave the same.
"$python" -c 'import numpy as np
np.save("in.npy", np.arange(300, dtype=np.float32)); np.save("index.npy", np.arange(300, dtype=np.int32) // 3)
np.save("to.npy", np.zeros(300, np.float32))'
for cores in 1 2; do
  expect 0 '' "$python" ported/saxpy_nki_run.py saxpy_float --grid 300 --block 3 n=1000 a=2.5 \
    x=x.npy y=y.npy --cores $cores --out cores$cores
  expect 0 '' "$python" ported/permute_nki_run.py scatter_float --grid 150 --block 2 n=300 \
    in_=in.npy index=index.npy out=to.npy --cores $cores --out cores$cores
done
for name in y to out; do
  [[ ! -f cores1/$name.npy ]] || cmp "cores1/$name.npy" "cores2/$name.npy" || fail "$name on two cores"
done
"$python" -c 'import numpy as np
assert (np.load("cores2/y.npy") == 2.5 * np.arange(1000) + 1).all()
assert (np.load("cores2/out.npy")[:100] != 0).any()' || fail "wrong result on two cores"
expect 0 'predicted|us' "$python" ported/saxpy_nki_run.py saxpy_float --grid 4 --block 256 --profile \
  n=1000 a=2.5 x=x.npy y=y.npy --out results --force
