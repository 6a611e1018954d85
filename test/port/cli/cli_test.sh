#!/usr/bin/env bash
# Tests of the command line, above all with bad input: each gives one clear message in Clang's form and
# the right exit code, crashes nothing, leaves no half-written file and overwrites nothing.
# usage: cli_test.sh NEURONIFY BUILD_FOLDER CASE
set -uo pipefail

neuronify=$1
build=$2
case=$3
here=$(cd "$(dirname "$0")" && pwd)
samples=$here/../../../samples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*"
  echo "--- standard output"
  cat out 2>/dev/null
  echo "--- standard error"
  cat err 2>/dev/null
  exit 1
}

# expect CODE PATTERN COMMAND...: runs a command; it must end with CODE, standard error (with standard
# output) must match PATTERN, and nothing may look like a crash.
expect() {
  local code=$1 pattern=$2 status=0
  shift 2
  timeout 100 "$@" >out 2>err </dev/null || status=$?
  [[ $status == "$code" ]] || fail "'$*' ended with $status, not $code"
  [[ -z $pattern ]] || cat out err | grep -Eq -- "$pattern" || fail "'$*' said nothing like '$pattern'"
  if grep -Eq 'Stack dump|PLEASE submit a bug|terminate called|Assertion .* failed|Sanitizer:' err; then
    fail "'$*' crashed"
  fi
}

# only FILES...: the work folder holds these and nothing else (no remains of an attempt).
only() {
  local found
  found=$(find . -mindepth 1 -maxdepth 1 ! -name out ! -name err -printf '%f\n' | sort | xargs)
  [[ $found == "$(printf '%s\n' "$@" | sort | xargs)" ]] || fail "left behind: $found"
}

# A program of one kernel: program NAME KERNEL_BODY HOST_STATEMENTS
program() {
  cat >"$1" <<PROGRAM
#include <cstdio>
#include <cstdlib>

__global__ void kernel(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  $2
}

int main() {
  int *a = nullptr;
  cudaMalloc(&a, 100 * sizeof(int));
  cudaMemset(a, 0, 100 * sizeof(int));
  $3
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
PROGRAM
}
good_body='if (i < n) a[i] += i;'
good_launch='kernel<<<2, 64>>>(a, 100);'

case $case in
version)
  expect 0 '^neuronify (version )?[0-9]+\.[0-9]+' "$neuronify" --version
  ;;
help)
  expect 0 'verify' "$neuronify" --help
  expect 0 '--json' "$neuronify" verify --help
  ;;
no_arguments)
  expect 2 'error: ' "$neuronify" verify
  expect 2 'error: |[Uu]sage' "$neuronify"
  ;;
unknown_option)
  expect 2 "[Uu]nknown .*--frobnicate" "$neuronify" port --frobnicate "$samples/saxpy.cu"
  only
  ;;
unknown_command)
  expect 2 "[Uu]nknown .*frobnicate" "$neuronify" frobnicate "$samples/saxpy.cu"
  ;;
missing_file)
  expect 1 "nowhere\.cu: error: .* \[NFY1001\]" "$neuronify" port -o ported nowhere.cu
  only
  expect 1 "nowhere\.cu: error: .* \[NFY1001\]" "$neuronify" verify nowhere.cu
  only
  ;;
unreadable_file)
  mkdir folder.cu
  expect 1 "folder\.cu: error: .* \[NFY1001\]" "$neuronify" port -o ported folder.cu
  only folder.cu
  if [[ $EUID != 0 ]]; then
    program secret.cu "$good_body" "$good_launch"
    chmod 000 secret.cu
    expect 1 "secret\.cu: error: .* \[NFY1001\]" "$neuronify" port -o ported secret.cu
  fi
  ;;
not_compiling)
  program broken.cu 'if (i < n) a[i] += undeclared;' "$good_launch"
  expect 1 "broken\.cu:6:[0-9]+: error: use of undeclared identifier 'undeclared'" \
    "$neuronify" port -o ported broken.cu
  only broken.cu
  expect 1 "broken\.cu:6:[0-9]+: error: " "$neuronify" verify broken.cu
  ;;
not_compiling_on_host)
  program broken.cu "$good_body" 'undeclared(a);'
  expect 1 "broken\.cu:13:[0-9]+: error: use of undeclared identifier 'undeclared'" \
    "$neuronify" port -o ported broken.cu
  only broken.cu
  ;;
missing_include)
  printf '#include "not_there.cuh"\nint main() {}\n' >including.cu
  expect 1 "including\.cu:1:[0-9]+: (fatal )?error: 'not_there.cuh' file not found" \
    "$neuronify" port -o ported including.cu
  only including.cu
  ;;
unwritable_output)
  expect 1 'error: .*/dev/null/ported' "$neuronify" port -o /dev/null/ported "$samples/saxpy.cu"
  expect 1 'error: .*/dev/null/result' "$neuronify" verify --json /dev/null/result.json "$samples/saxpy.cu"
  only
  ;;
nonempty_output)
  mkdir ported
  echo precious >ported/saxpy.cpp
  expect 1 "error: .*ported.* (not empty|exists)" "$neuronify" port -o ported "$samples/saxpy.cu"
  [[ $(cat ported/saxpy.cpp) == precious && $(ls ported) == saxpy.cpp ]] || fail "ported/ was changed"
  ;;
no_kernels)
  printf 'int main() { return 0; }\n' >plain.cu
  expect 0 '' "$neuronify" port -o ported plain.cu
  [[ -f ported/plain.cpp ]] || fail "ported/plain.cpp is missing"
  ;;
program_crashes)
  program crash.cu "$good_body" "$good_launch cudaDeviceSynchronize(); abort();"
  expect 1 'error: .*(SIGABRT|abort|signal)' "$neuronify" verify crash.cu
  only crash.cu
  ;;
program_fails)
  program fail.cu "$good_body" "$good_launch cudaDeviceSynchronize(); exit(3);"
  expect 1 'error: .*(ended|exit).*3' "$neuronify" verify fail.cu
  ;;
program_loops)
  program loop.cu "$good_body" "$good_launch for (volatile int k = 0;; k = k + 1) {}"
  expect 1 'error: .*(time|second)' "$neuronify" verify --timeout 3 loop.cu
  only loop.cu
  ;;
kernel_loops)
  program loop.cu 'while (n > 0) a[i] ^= 1;' "$good_launch"
  expect 1 'error: .*(time|second)' "$neuronify" verify --timeout 3 loop.cu
  ;;
invalid_launch)
  program launch.cu "$good_body" 'kernel<<<1, 2048>>>(a, 100); if (cudaGetLastError() != cudaSuccess) return 1;'
  expect 1 '(invalid configuration|block.*2048|2048.*1024)' "$neuronify" verify launch.cu
  program launch.cu "$good_body" 'kernel<<<0, 32>>>(a, 100); if (cudaGetLastError() != cudaSuccess) return 1;'
  expect 1 '(invalid configuration|grid.*0)' "$neuronify" verify launch.cu
  program launch.cu "$good_body" 'kernel<<<1, 32, 100000>>>(a, 100); kernel<<<1, 1025>>>(a, 100);'
  expect 1 'launch\.cu:4: error: .*100000 bytes of dynamic shared memory' "$neuronify" verify launch.cu
  grep -Eq 'launch 2 .*block \(1025, 1, 1\)' err || fail "block of 1025 threads"
  ;;
out_of_bounds)
  program bounds.cu 'if (i < n) a[i] = a[i + 1000];' "$good_launch"
  expect 1 'bounds\.cu:.*(out of bounds|from the start of the allocation of 400 bytes)' \
    "$neuronify" verify bounds.cu
  expect 1 'bounds\.cu:6:.*out of bounds' "$neuronify" verify --check-original bounds.cu
  ;;
too_large)
  program large.cu 'int t[512];
    for (int k = 0; k < 512; ++k) t[k] = a[(i + k) % n];
    int sum = 0;
    for (int k = 0; k < 512; ++k) sum += t[t[k] & 511];
    __syncthreads();
    if (i < n) a[i] = sum;' 'kernel<<<1, 1024>>>(a, 100);'
  expect 1 "error: .*a block of 1024 threads .*'t' needs 2097152 .*262144.*\[NFY4011\]" "$neuronify" verify large.cu
  ;;
race)
  program race.cu '__shared__ int s[64]; s[threadIdx.x] = i; a[i % 100] = s[63 - threadIdx.x]; (void)n;' \
    'kernel<<<1, 64>>>(a, 100);'
  # Lanes that read without a barrier are kept in step, so that the results may match all the same.
  expect 0 'race\.cu:6:.*race' "$neuronify" verify --check-original race.cu
  ;;
not_ported_is_launched)
  program atomic.cu 'if (i < n) __atomic_fetch_or((unsigned short *)a, (unsigned short)1, __ATOMIC_RELAXED);' "$good_launch"
  expect 1 'atomic\.cu:6:[0-9]+: error: .*\[NFY4002\]' "$neuronify" verify atomic.cu
  ;;
instantiate)
  cat >template.cu <<'PROGRAM'
template <typename T, int N> __global__ void scale(T *x) { x[threadIdx.x] *= T(N); }
int main() { return 0; }
PROGRAM
  expect 0 'template\.cu:1:[0-9]+: warning: .*scale.*\[NFY1004\]' "$neuronify" port -o without template.cu
  expect 0 '' "$neuronify" port -o with "--instantiate=scale<float, 3>" template.cu
  grep -q 'scale' with/template_kernels.cpp || fail "no kernel in with/template_kernels.cpp"
  expect 1 '\[NFY1003\]' "$neuronify" port -o wrong "--instantiate=scale<nothing, 3>" template.cu
  expect 1 'write it with its arguments' "$neuronify" port -o wrong --instantiate=scale template.cu
  [[ ! -e wrong ]] || fail "wrong/ was written"
  ;;
same_bytes)
  expect 0 '' "$neuronify" port --jobs 1 -o first "$samples"/*.cu
  expect 0 '' "$neuronify" port --jobs 2 -o second "$samples"/*.cu
  diff -r first second || fail "the output depends on the number of jobs"
  ;;
by_hand)
  cp "$samples/block_sum.cu" .
  expect 0 '' "$neuronify" port -o ported block_sum.cu
  expect 0 '' cmake -S ported -B made -G Ninja -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_PREFIX_PATH="$build"
  expect 0 '' cmake --build made
  program=$(find made -name block_sum -type f -perm -u+x)
  expect 0 'PASS' "$program"
  expect 0 'PASS' env NEURONIFY_MODE=verify NEURONIFY_REPORT="$work/report" "$program" 1234
  [[ -s report ]] || fail "NEURONIFY_MODE=verify left no report"
  expect 0 'neuronify: 2 of 2 launches match' env NEURONIFY_MODE=verify "$program" 1234
  ;;
all_of_compile_commands)
  cp "$samples/saxpy.cu" one.cu
  printf '[{"directory": "%s", "file": "one.cu", "command": "nvcc -c one.cu"}]' "$work" >compile_commands.json
  expect 0 'ported 2 kernels of 1 file' "$neuronify" port -p . -o ported
  expect 0 '1 program' "$neuronify" verify -p compile_commands.json
  expect 2 'nowhere/compile_commands.json|nowhere: ' "$neuronify" port -p nowhere -o never
  expect 2 'no input files' "$neuronify" port -o never
  ;;
openmp)
  (echo '#include <omp.h>' && sed '/^int main(/a if (omp_get_max_threads() < 1) return 2;' "$samples/saxpy.cu") >parallel.cu
  printf '[{"directory": "%s", "file": "parallel.cu", "command": "nvcc -Xcompiler -fopenmp -lm -lcublas parallel.cu"}]' \
    "$work" >compile_commands.json
  expect 0 '' "$neuronify" verify -p . parallel.cu
  expect 0 '' "$neuronify" port -p . -o ported parallel.cu
  grep -q '^link_libraries(neuronify::runtime OpenMP::OpenMP_CXX m)$' ported/CMakeLists.txt ||
    fail "CMakeLists.txt links something else"
  ;;
library_headers)
  printf '#include <cub/device/device_radix_sort.cuh>\n' >sort.cu
  expect 1 "sort.cu:1:10: error: 'cub/device/device_radix_sort.cuh' file not found; .*\[NFY1009\]" "$neuronify" port -o never sort.cu
  ;;
json)
  expect 0 '' "$neuronify" port -o ported --json port.json "$samples/saxpy.cu"
  expect 0 '' "$neuronify" verify --json verify.json "$samples/saxpy.cu"
  expect 1 '' "$neuronify" query --json query.json cudaMalloc cudaMallok cuda_runtime.h
  expect 1 '' "$neuronify" explain --json explain.json NFY4001 12
  expect 1 '' "$neuronify" port -o never --json failed.json nowhere.cu
  python3 - <<'PROGRAM' >out 2>err || fail "JSON"
import json
port, verify, query, explain, failed = (
    json.load(open(name + ".json")) for name in ("port", "verify", "query", "explain", "failed"))
for command, result in (("port", port), ("verify", verify), ("query", query), ("explain", explain)):
    assert result["version"] == 1 and result["command"] == command
assert (port["output"], port["ported"], port["not_ported"]) == ("ported", 2, 0)
assert port["files"][0]["stem"] == "saxpy" and port["files"][0]["launches"]
assert {"name", "identifier", "mangled", "line", "ported", "affine", "mapping"} <= set(port["kernels"][0])
assert (verify["verdict"], verify["launches"], verify["matched"]) == ("match", 2, 2)
launch = verify["programs"][0]["launches"][0]
assert launch["verdict"] == "match" and launch["near_zero"] == 0 and launch["grid"][0] > 0
assert [name["found"] for name in query["names"]] == [True, False, True]
assert query["names"][1]["near"] == "cudaMalloc" and query["names"][2]["kind"] == "header"
assert explain["codes"][0]["page"].startswith("# NFY4001: " + explain["codes"][0]["title"])
assert not explain["codes"][1]["found"]
assert failed["output"] == "" and failed["diagnostics"][0]["code"] == "NFY1001"
PROGRAM
  ;;
precise_by_hand)
  cp "$samples"/../test/port/verify/{float_division.cu,upload.h} .
  expect 0 '' "$neuronify" port --precise-math -o ported float_division.cu
  expect 0 '' cmake -S ported -B made -G Ninja -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_PREFIX_PATH="$build"
  expect 0 '' cmake --build made
  expect 0 'launches match' env NEURONIFY_MODE=verify NEURONIFY_TOLERANCE=exact \
    "$(find made -name float_division -type f -perm -u+x)"
  expect 0 'launches match' "$neuronify" verify --precise-math --rtol 0 --atol 0 --ulp 0 float_division.cu
  ;;
doubles_as_pairs)
  cat >doubles.cu <<'END'
__global__ void sum(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 3 + sin(x[i]);
}
__global__ void other(const double *x, double *y) { y[threadIdx.x] = erf(x[threadIdx.x]); }
int main() {
  double *x;
  cudaMalloc(&x, 200 * sizeof(double));
  cudaMemset(x, 0x3d, 200 * sizeof(double));
  sum<<<1, 128>>>(x, x + 100, 100);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
END
  expect 1 "doubles\.cu:4:17: note: .*with pairs of floats \[NFY2012\]" "$neuronify" port -v --fp64=df32 -o one doubles.cu
  expect 1 "doubles\.cu:6:.* call of '__nv_erf' \[NFY4006\]" "$neuronify" port --fp64=df32 -o two doubles.cu
  expect 0 '1 of 1 launches match' "$neuronify" verify --fp64=df32 --rtol=1e-13 --atol=0 doubles.cu
  ;;
notes)
  program notes.cu 'float f = float(i) / float(a[0]);
    if (i < n) a[i] = a[(a[i] & 63)] + int(f);' "$good_launch"
  expect 0 "notes\.cu:6:1: note: '/' is within a few ULP .*\[NFY2001\]" "$neuronify" port -v -o one notes.cu
  expect 0 "notes\.cu:7:1: note: the address in 'a' depends .*\[NFY3001\]" "$neuronify" port -v -o two notes.cu
  expect 0 '' "$neuronify" port -o three notes.cu
  ! grep -q 'NFY' out err || fail "notes without -v"
  expect 0 '' "$neuronify" port -v --precise-math -o four notes.cu
  ! grep -q 'NFY2001' out err || fail "a note on exactness under --precise-math"
  ;;
not_a_file)
  ln -s nowhere.cu dangling.cu
  mkfifo pipe.cu
  for file in dangling.cu pipe.cu; do
    expect 1 "$file: error: .* \[NFY1001\]" "$neuronify" port -o ported $file
  done
  only dangling.cu pipe.cu
  cp "$samples/saxpy.cu" .
  expect 1 "saxpy\.cu' exists and is not a folder" "$neuronify" port -o saxpy.cu saxpy.cu
  cmp -s saxpy.cu "$samples/saxpy.cu" || fail "saxpy.cu was changed"
  ;;
wrong_options)
  expect 2 'timeout' "$neuronify" verify --timeout=soon "$samples/saxpy.cu"
  expect 2 'timeout' "$neuronify" verify --timeout=0 "$samples/saxpy.cu"
  expect 2 'jobs' "$neuronify" port --jobs=-3 "$samples/saxpy.cu"
  expect 2 "dump" "$neuronify" port --dump=everything "$samples/saxpy.cu"
  expect 2 "fp64 knows demote, df32 and error" "$neuronify" port --fp64=exact "$samples/saxpy.cu"
  expect 2 "no CUDA toolkit in '/nowhere'" "$neuronify" port --cuda-path=/nowhere "$samples/saxpy.cu"
  expect 1 'NFY1002' "$neuronify" port -p nowhere "$samples/saxpy.cu"
  expect 1 "c\+\+99" "$neuronify" port -std=c++99 "$samples/saxpy.cu"
  expect 1 "unknown argument: '-fnonsense'" "$neuronify" port --extra-arg=-fnonsense "$samples/saxpy.cu"
  expect 1 "'nowhere' \(from --compiler\) cannot be found" "$neuronify" verify --compiler=nowhere "$samples/saxpy.cu"
  only
  ;;
file_too_large)
  # limited BLOCKS COMMAND...: no file may become larger than so many KiB
  printf '#!/bin/bash\nulimit -f "$1"\nshift\nexec "$@"\n' >limited
  chmod +x limited
  for blocks in 1 4 16; do
    expect 1 'error: cannot write .*: File too large' ./limited $blocks "$neuronify" port -o ported "$samples/softmax.cu"
    only limited
  done
  expect 1 'error: cannot write .*: File too large' ./limited 1 "$neuronify" port -o fits --json big.json "$samples"/*.cu
  only limited
  expect 1 'error: linking saxpy failed' ./limited 100 "$neuronify" verify "$samples/saxpy.cu"
  only limited
  expect 1 'error: cannot write to standard output: No space left' \
    sh -c "'$neuronify' query cudaMalloc >/dev/full"
  ;;
interrupted)
  program loop.cu "$good_body" "$good_launch for (volatile int k = 0;; k = k + 1) {}"
  mkdir temporary
  TMPDIR=$work/temporary "$neuronify" verify loop.cu >out 2>err &
  process=$!
  for ((i = 0; i < 600; ++i)); do
    pgrep -f "$work/temporary/.*/loop\$" >child && break
    sleep 0.1
  done
  [[ -s child ]] || fail "the program never ran"
  kill -TERM $process
  wait $process
  [[ $? == 143 ]] || fail "an interrupted run ended with another code"
  [[ -z $(ls temporary) ]] || fail "left behind: $(ls temporary)"
  sleep 0.2
  # It may wait as a zombie for whoever it belongs to now.
  ! grep -Eq '^State:[[:space:]]+[^ZX[:space:]]' "/proc/$(cat child)/status" 2>/dev/null || fail "the program still runs"
  ;;
same_names)
  mkdir one two
  cp "$samples/saxpy.cu" one/program.cu
  cp "$samples/block_sum.cu" two/program.cu
  expect 0 '4 of 4 launches match in 2 programs' "$neuronify" verify -o ported one/program.cu two/program.cu
  [[ $(find ported -name '*_kernels.cpp' | wc -l) == 2 ]] || fail "not every file is there"
  expect 0 'ported 2 kernels of 1 file' "$neuronify" port -o once one/program.cu one/program.cu
  ;;
similar_names)
  cp "$samples/saxpy.cu" a-b.cu
  cp "$samples/block_sum.cu" a_b.cu
  expect 0 '4 of 4 launches match in 2 programs' "$neuronify" verify a-b.cu a_b.cu
  ;;
device_code_of_several_files)
  cat >shapes.cuh <<'END'
extern __device__ int scale;
extern __constant__ float weights[4];
__device__ int transformed(int x);
__device__ float weighted(float x, int i);
struct Sum {
  int value;
  __device__ void add(int x);
};
END
  cat >shapes.cu <<'END'
#include "shapes.cuh"
__device__ int scale = 3;
__constant__ float weights[4] = {1, 2.5f, -3, 0.125f};
static __device__ int helper(int x) { return x * 5 - 1; }
__device__ int transformed(int x) { return helper(x) + scale; }
__device__ float weighted(float x, int i) { return x * weights[i & 3]; }
__device__ void Sum::add(int x) { value += transformed(x) & 15; }
__global__ void other(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += transformed(i);
}
void run_other(int *x, int n) { other<<<(n + 31) / 32, 32>>>(x, n); }
END
  cat >main.cu <<'END'
#include "shapes.cuh"
__global__ void k(int *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Sum sum{i};
  sum.add(x[i]);
  x[i] = transformed(x[i]) * scale + sum.value;
  y[i] = weighted(y[i], i);
}
void run_other(int *x, int n);
int main() {
  int *x;
  float *y;
  cudaMalloc(&x, 4000);
  cudaMalloc(&y, 4000);
  cudaMemset(x, 1, 4000);
  cudaMemset(y, 62, 4000);
  for (int n : {1, 129, 1000}) {
    k<<<(n + 63) / 64, 64>>>(x, y, n);
    cudaMemcpyToSymbol(scale, &n, sizeof n);
    run_other(x, n);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
END
  expect 0 '6 of 6 launches match in 1 program' "$neuronify" verify main.cu shapes.cu
  expect 1 'whose code is in another file' "$neuronify" port -o alone main.cu
  # A variable of its own that the other file's function writes is there once: no copy of the function.
  sed -i 's/return x \* 5 - 1/static __device__ int calls; return x * 5 + calls++/' shapes.cu
  expect 1 'whose code is in another file' "$neuronify" port -o state main.cu shapes.cu
  ;;
odd_names)
  for name in 'with blanks' 'it'\''s' 'say "hi"' 'größe' '100%;$x#1' '3d-stencil' '-dash'; do
    mkdir "in $name"
    cp "$samples/saxpy.cu" "in $name/$name.cu"
    expect 0 '2 of 2 launches match' "$neuronify" verify -o "out $name" "in $name/$name.cu"
  done
  expect 0 '' cmake -S 'out with blanks' -B made -G Ninja -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_PREFIX_PATH="$build"
  expect 0 '' cmake --build made
  ;;
line_ends)
  sed 's/$/\r/' "$samples/block_sum.cu" >windows.cu
  expect 0 '2 of 2 launches match' "$neuronify" verify -o ported windows.cu
  [[ $(grep -c $'\r$' ported/windows.cpp) == $(wc -l <ported/windows.cpp) ]] || fail "line ends are mixed"
  head -c -1 "$samples/saxpy.cu" >open.cu
  expect 0 '2 of 2 launches match' "$neuronify" verify open.cu
  { printf '\xef\xbb\xbf' && cat "$samples/saxpy.cu"; } >marked.cu
  expect 0 '2 of 2 launches match' "$neuronify" verify marked.cu
  ;;
empty_files)
  : >empty.cu
  printf '\n' >line.cu
  printf '// nothing' >comment.cu
  expect 0 'ported 0 kernels of 3 files' "$neuronify" port -o ported empty.cu line.cu comment.cu
  expect 1 'none of the files has a main function' "$neuronify" verify empty.cu
  printf 'int main() { return 0; }\n' >plain.cu
  expect 1 'nothing was verified' "$neuronify" verify plain.cu
  head -c 5000 /dev/urandom >noise.cu
  expect 1 'error: ' "$neuronify" port -o never noise.cu
  [[ ! -e never ]] || fail "never/ was written"
  ;;
wrong_port)
  # A port that is wrong in one place: lanes beyond 20 of each block, a value that is tiny, a store too many.
  cat >wrong.cu <<'PROGRAM'
#include <cstdio>
__global__ void scale(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 2.0f * y[i] + 1.0f;
}
int main() {
  float *x, *y, host[300];
  cudaMalloc(&x, 300 * sizeof(float));
  cudaMalloc(&y, 300 * sizeof(float));
  for (int i = 0; i < 300; ++i)
    host[i] = i == 200 ? -0.5f - 2e-8f : i + 1.0f;
  cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(x, 0, sizeof host);
  scale<<<3, 100>>>(x, y, 299);
  return cudaDeviceSynchronize() != cudaSuccess;
}
PROGRAM
  expect 0 '' "$neuronify" port -o ported wrong.cu
  grep -q 'nl::add' ported/wrong_kernels.cpp && grep -q '299' wrong.cu || fail "no addition in the port"
  run_wrong() { # run_wrong SED_EXPRESSION: builds the port with this change, leaves its report
    rm -rf changed && cp -r ported changed
    sed -i -E "$1" changed/wrong_kernels.cpp
    cmp -s ported/wrong_kernels.cpp changed/wrong_kernels.cpp && fail "'$1' changed nothing"
    expect 0 '' cmake -S changed -B made -G Ninja -DCMAKE_CXX_COMPILER=clang++-22 \
      -DCMAKE_PREFIX_PATH="$build"
    expect 0 '' cmake --build made
    expect 0 '' env NEURONIFY_MODE=verify NEURONIFY_REPORT="$work/report" "$(find made -name wrong -type f -perm -u+x)"
  }
  run_wrong 's/nl::add/nl::subtract/'
  grep -q '"verdict":"mismatch".*f32 0: reference 3, port 1 .*written by thread (0,0,0) of block (0,0,0) at [^"]*wrong.cu:5"' \
    report || fail "$(cat report)"
  run_wrong 's/nki::slt\(i, n\)/nki::slt(i, n - 1)/'
  grep -q '"index":298.*"writer":{"block":\[2,0,0\],"thread":\[98,0,0\].*"line":5,' report || fail "$(cat report)"
  run_wrong 's/nki::slt\(i, n\)/nki::slt(i, n + 1)/'
  grep -q '"index":299.*"writer":null' report || fail "$(cat report)"
  ;;
tolerances)
  cp "$samples/gelu.cu" .
  expect 0 'match' "$neuronify" verify gelu.cu
  expect 1 'mismatch.*written by thread \([0-9]+,0,0\) of block \([0-9]+,0,0\) at .*gelu\.cu:[0-9]+' \
    "$neuronify" verify --rtol 0 --atol 0 --ulp 0 gelu.cu
  expect 0 ' match' "$neuronify" verify --atol 1e-3 gelu.cu
  expect 2 'cannot be negative' "$neuronify" verify --atol=-1 gelu.cu
  expect 2 'invalid' "$neuronify" verify --rtol=little gelu.cu
  ;;
installed)
  expect 0 '' cmake --install "$build" --prefix "$work/prefix"
  expect 0 'neuronify' prefix/bin/neuronify --version
  cp "$samples/saxpy.cu" .
  expect 0 '' prefix/bin/neuronify port -o ported saxpy.cu
  expect 0 '' cmake -S ported -B made -G Ninja -DCMAKE_CXX_COMPILER=clang++-22 \
    -DCMAKE_PREFIX_PATH="$work/prefix"
  expect 0 '' cmake --build made
  expect 0 'PASS' "$(find made -name saxpy -type f -perm -u+x)" 1000
  expect 0 '' prefix/bin/neuronify verify saxpy.cu
  if grep -q '^NEURONIFY_PYTHON_EXECUTABLE:[A-Z]*=/' "$build/CMakeCache.txt"; then
    expect 0 'NKI form of [1-9]' prefix/bin/neuronify verify --emit=nki saxpy.cu
  fi
  ;;
assess)
  mkdir -p tree/sub tree/.hidden
  program tree/good.cu "$good_body" "$good_launch"
  echo '__global__ void shared_one(double *x) { x[threadIdx.x] *= 2.0; }' >tree/sub/shared.cuh
  echo '#include "shared.cuh"' >tree/sub/one.cu
  echo '#include "shared.cuh"' >tree/sub/two.cu
  echo 'garbage' >tree/.hidden/no.cu
  expect 0 '2 of 2 kernels port, 1 of them with results that may differ; 3 files' \
    "$neuronify" assess --json a.json --html a.html tree
  grep -q 'NFY2002' out || fail "the warning is not in the report"
  grep -q '"line": 1' a.json || fail "no kernel in a.json"
  grep -q '</html>' a.html || fail "the page is not whole"
  [[ ! -e ported ]] || fail "it wrote a project"
  # A compile database decides what is read, and how.
  cat >tree/compile_commands.json <<DATABASE
[{"directory": "$PWD/tree", "file": "good.cu", "command": "nvcc -DX=1 -c good.cu"}]
DATABASE
  expect 0 '1 of 1 kernels port.* 1 file' "$neuronify" assess tree/compile_commands.json
  expect 0 '1 of 2 kernels port' "$neuronify" assess --fp64=error tree
  # Launches of a side-by-side run join by place.
  expect 0 'match' "$neuronify" verify --json v.json tree/good.cu
  expect 0 'good.cu:[0-9]+ +ports .* us ' "$neuronify" assess --results v.json --html b.html tree
  grep -q '<circle' b.html || fail "no picture"
  ;;
assess_bad_files)
  mkdir tree
  program tree/good.cu "$good_body" "$good_launch"
  echo 'int main() { return }' >tree/broken.cu
  echo '#pragma clang __debug crash' >tree/crash.cu
  echo '#include "nowhere.h"' >tree/include.cu
  mkfifo tree/never.h # reading it never ends
  echo '#include "never.h"' >tree/never.cu
  expect 0 '1 of 1 kernels port.*; 5 files, 4 without an answer' \
    "$neuronify" assess --timeout 5 --jobs 2 tree
  grep -q 'never.cu .*within 5 s' out || fail "no word about the one that never ends"
  grep -q 'nowhere.h' out || fail "no word about the header"
  ;;
assess_wrong_use)
  expect 1 'no file or folder' "$neuronify" assess nowhere
  mkdir empty
  expect 1 'no CUDA sources' "$neuronify" assess empty
  expect 2 'name a folder' "$neuronify" assess
  echo '{' >compile_commands.json
  expect 1 'not JSON' "$neuronify" assess compile_commands.json
  program good.cu "$good_body" "$good_launch"
  expect 1 'no results' "$neuronify" assess --results good.cu good.cu
  expect 1 'nowhere' "$neuronify" assess --json nowhere/a.json good.cu
  only compile_commands.json empty good.cu
  ;;
emit)
  program good.cu "$good_body" "$good_launch"
  expect 0 'ported 1 kernel' "$neuronify" port --emit=cpp -o cpp good.cu
  [[ -z $(find cpp -name '*.py') ]] || fail "Python that nobody asked for"
  expect 0 'ported 1 kernel.*, 1 of them as NKI Python too$' "$neuronify" port -o both good.cu
  grep -q 'python3 good_nki_run.py --help' both/README.md || fail "no word of the runner"
  ! grep -q nki cpp/README.md || fail "a runner that is not there"
  # What has no NKI form is counted, and told with -v and in the JSON results.
  cat >shape.cu <<'END'
__global__ void shape(const int *x, int *y, int n) {
  int k = 0;
  for (int limit = x[threadIdx.x]; k < limit; k += 2)
    for (int j = 0; j < k; ++j)
      y[threadIdx.x] += __shfl_sync(~0u, j, k);
}
int main() { shape<<<1, 32>>>(nullptr, nullptr, 1); }
END
  expect 0 'none of them as NKI Python too; 1 kernel without NKI form, -v says why' \
    "$neuronify" port -o without --json why.json shape.cu
  grep -q '"no_nki": "NFY600' why.json || fail "no reason"
  grep -Eq '"no_nki_line": [1-9]' why.json || fail "no line"
  expect 0 'shape.cu:[0-9]+:.*NFY600.*' "$neuronify" port -v -o without --force shape.cu
  rm -r without why.json shape.cu
  [[ -f both/good_nki.py && -f both/good_nki_run.py && -f both/neuronify_lanes/__init__.py ]] ||
    fail "no Python"
  cmp cpp/good_kernels.cpp both/good_kernels.cpp || fail "C++ differs"
  expect 2 "emit knows cpp and nki, not 'rust'" "$neuronify" port --emit=rust -o rust good.cu
  # A Python that is not there is told; the launch does not count as verified.
  expect 1 'NKI form cannot be run' env NEURONIFY_PYTHON=/nonexistent/python3 \
    "$neuronify" verify --emit=nki good.cu
  expect 0 '1 of 1 launches match' "$neuronify" verify good.cu
  only good.cu cpp both
  ;;
nki_python)
  source "$here/nki_python.sh"
  ;;
*)
  fail "no such case"
  ;;
esac
