"""Does a kernel keep to the language that the NKI compiler reads?

    python -m neuronify_nki.lint FILE...

The compiler reads kernels' source, not Python's byte code, and knows a part of Python: the NKI language
guide (`nki/get-started/nki-language-guide.rst` of the Neuron documentation), and the restrictions in the
migration guide (`nki/migration/index.rst`, "Language restrictions"). On the chip model a kernel is ordinary
Python, so that it may use more without anybody noticing. This finds what: constructs that neither guide
shows, functions that are no public ones of `nki.language`, `nki.isa` and `nki.collectives`.

Whole files are checked, since functions that kernels call are compiled with them.
"""

import ast
import json
import pathlib
import sys

STATEMENTS = (
    ast.FunctionDef, ast.ClassDef, ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.While, ast.If,
    ast.Assert, ast.Import, ast.ImportFrom, ast.Expr, ast.Pass, ast.Break, ast.Continue,
)

WORDS = {
    ast.Lambda: "lambda expressions",
    ast.ListComp: "comprehensions",
    ast.SetComp: "comprehensions",
    ast.DictComp: "comprehensions",
    ast.GeneratorExp: "generator expressions",
    ast.Yield: "generators",
    ast.YieldFrom: "generators",
    ast.Await: "coroutines",
    ast.Set: "sets",
    ast.Starred: "starred arguments",
    ast.NamedExpr: "assignments inside of expressions",
    ast.Try: "try",
    ast.With: "with (but for nl.no_reorder)",
    ast.Raise: "raise",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Delete: "del",
    ast.AsyncFunctionDef: "coroutines",
    ast.Match: "match",
}

BUILTINS = {
    "range", "len", "min", "max", "abs", "int", "float", "bool", "str", "tuple", "list", "dict", "isinstance",
    "print", "enumerate", "zip", "super",
}

MODULES = {"nl": "nki.language", "nisa": "nki.isa", "ncc": "nki.collectives", "nki": "nki"}

EXTRA = {
    "nki": {"jit", "language", "isa", "collectives"},
    "nki.language": {
        "NKIObject", "NkiTensor", "sbuf", "psum", "hbm", "private_hbm", "shared_hbm", "tile_size", "bool_", "float32",
        "float16", "bfloat16", "tfloat32", "int32", "uint32", "int16", "uint16", "int8", "uint8", "float8_e4m3",
        "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float8_e4m3fn_x4", "float8_e5m2_x4", "float4_e2m1fn_x4",
        "is_sbuf", "is_psum", "is_hbm", "is_on_chip", "no_reorder", "prelu", "bypass",
    },
    "nki.isa": {"engine", "oob_mode", "dge_mode", "reduce_cmd", "matmul_perf_mode", "dma_engine", "nc_version",
                "VirtualRegister", "get_nc_version"},
    "nki.collectives": set(),
}


def _public_names():
    table = json.loads((pathlib.Path(__file__).parent / "api.json").read_text())
    return {module: set(table.get(module, {})) | names for module, names in EXTRA.items()}


class _Checker(ast.NodeVisitor):
    def __init__(self, public, imports):
        self.public = public
        self.imports = imports
        self.problems = []
        self.defined = set()
        self.modules = {}

    def say(self, node, text):
        self.problems.append((getattr(node, "lineno", 0), text))

    def collect(self, tree):
        """Names that the file defines or imports."""
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.defined.add(node.name)
            elif isinstance(node, ast.arg):
                self.defined.add(node.arg)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.defined.add(node.id)
            elif isinstance(node, ast.alias):
                name = node.asname or node.name
                self.defined.add(name)
                if node.name.partition(".")[0] == "numpy":
                    self.modules[name] = "numpy"

    def generic_visit(self, node):
        if type(node) in WORDS and not self._is_no_reorder(node):
            self.say(node, f"the language has no {WORDS[type(node)]}")
        elif isinstance(node, ast.stmt) and not isinstance(node, STATEMENTS + (ast.With,)):
            self.say(node, f"the language has no {type(node).__name__}")
        super().generic_visit(node)

    @staticmethod
    def _is_no_reorder(node):
        return isinstance(node, ast.With) and all(
            isinstance(item.context_expr, ast.Call)
            and isinstance(item.context_expr.func, ast.Attribute)
            and item.context_expr.func.attr == "no_reorder"
            for item in node.items
        )

    def visit_FunctionDef(self, node):
        for decorator in node.decorator_list:
            text = ast.unparse(decorator)
            if text.partition("(")[0] not in ("nki.jit", "jit"):
                self.say(node, f"the language has no decorators but nki.jit: @{text}")
        arguments = node.args
        if arguments.vararg or arguments.kwarg:
            self.say(node, "the language has no starred parameters")
        if arguments.kwonlyargs or arguments.posonlyargs:
            self.say(node, "the language has no * or / between parameters")
        self.generic_visit(node)

    def visit_ClassDef(self, node):
        bases = [ast.unparse(base) for base in node.bases]
        if not all(base.split(".")[-1] in ("NKIObject", "Enum") for base in bases) or not bases:
            self.say(node, "classes of kernels derive from NKIObject and nothing else")
        for decorator in node.decorator_list:
            if ast.unparse(decorator).partition("(")[0].split(".")[-1] != "dataclass":
                self.say(node, "classes of kernels have no decorator but dataclass")
        for inner in node.body:
            special = isinstance(inner, ast.FunctionDef) and inner.name.startswith("__")
            if special and inner.name not in ("__init__", "__post_init__"):
                self.say(inner, f"the guide shows no {inner.name} of classes")
        self.generic_visit(node)

    def _check_import(self, node, module):
        if self.imports is not None and module not in self.imports:
            self.say(node, f"import of {module}")

    def visit_Import(self, node):
        for name in node.names:
            self._check_import(node, name.name)

    def visit_ImportFrom(self, node):
        if node.level == 0:  # others are of the package itself
            self._check_import(node, node.module)

    def visit_Assign(self, node):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                self.say(node, "the guide shows no assignment to a slice")
        self.generic_visit(node)

    def visit_For(self, node):
        if node.orelse:
            self.say(node, "the guide shows no else of loops")
        self.generic_visit(node)

    visit_While = visit_For

    def visit_Compare(self, node):
        if any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            self.say(node, "the language has no 'is': compare with == or !=")
        self.generic_visit(node)

    def visit_BinOp(self, node):
        if isinstance(node.op, ast.MatMult):
            self.say(node, "the language has no @")
        self.generic_visit(node)

    def visit_Dict(self, node):
        if not all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in node.keys):
            self.say(node, "keys of dictionaries are strings")
        self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, (bytes, complex)):
            self.say(node, f"the language has no {type(node.value).__name__} values")

    def visit_Call(self, node):
        if any(keyword.arg is None for keyword in node.keywords):
            self.say(node, "the language has no starred arguments")
        if isinstance(node.func, ast.Name) and node.func.id not in self.defined | BUILTINS:
            self.say(node, f"the language has no function {node.func.id}")
        self.generic_visit(node)

    def visit_Attribute(self, node):
        if isinstance(node.value, ast.Name):
            name = node.value.id
            if self.modules.get(name) == "numpy":
                self.say(node, "kernels do not compute with NumPy")
            module = MODULES.get(name)
            if module and node.attr not in self.public[module]:
                self.say(node, f"{module} has no public {node.attr}")
        self.generic_visit(node)


def check(text, name="<kernel>", imports=None):
    """What a file's text has that the language has not, as (line, sentence), in order.

    `imports`: the modules that it may import by their full names; None: any.
    """
    checker = _Checker(_public_names(), imports)
    tree = ast.parse(text, name)
    checker.collect(tree)
    checker.visit(tree)
    return sorted(set(checker.problems))


def main(paths):
    """Prints the problems of files; 1 where there are some, 2 without files."""
    asks = bool(paths) and paths[0] in ("-h", "--help")
    if not paths or asks:
        print("usage: python -m neuronify_nki.lint FILE...", file=sys.stdout if asks else sys.stderr)
        return 0 if asks else 2
    found = False
    for path in paths:
        try:
            problems = check(pathlib.Path(path).read_text(), path)
        except (OSError, SyntaxError, UnicodeDecodeError) as error:
            problems = [(getattr(error, "lineno", 0) or 0, str(error))]
        for line, text in problems:
            print(f"{path}:{line}: {text}")
            found = True
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
