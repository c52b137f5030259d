"""Functions that Dynamo does not trace, and why: measured on torch 2.13."""

from __future__ import annotations

from typing import Final

#: below `torch`
ANSWERS: Final = (
    "can_cast compiled_with_cxx11_abi cudnn_is_acceptable get_autocast_cpu_dtype get_device is_distributed is_signed "
    "is_storage result_type backends.cuda.cudnn_sdp_enabled backends.cuda.flash_sdp_enabled "
    "backends.cuda.math_sdp_enabled backends.cuda.mem_efficient_sdp_enabled backends.cuda.preferred_linalg_library "
    "cpu.current_device cpu.current_stream cpu.device_count cpu.is_available cpu.stream cuda.is_tf32_supported "
    "cuda.max_memory_allocated cuda.max_memory_cached cuda.max_memory_reserved cuda.memory_cached "
    "cuda.memory_reserved cuda.memory_stats mps.device_count mps.is_available"
)
STATES: Final = "get_rng_state initial_seed manual_seed seed set_rng_state"
SPARSE: Final = "dense_dim sparse_dim to_sparse_bsc to_sparse_bsr to_sparse_coo to_sparse_csc"
#: below `numpy`
NUMPY: Final = (
    "array_repr asanyarray asarray_chkfinite asfortranarray asmatrix base_repr binary_repr bitwise_count block bmat "
    "broadcast cumulative_prod cumulative_sum delete extract format_float_positional format_float_scientific "
    "get_printoptions histogram_bin_edges isfortran iterable matrix matrix_transpose matvec may_share_memory "
    "mintypecode nancumprod nancumsum nanquantile nditer poly poly1d polyadd polyder polyint polysub putmask require "
    "setxor1d shares_memory sort_complex trim_zeros unique_all unique_counts unique_inverse unique_values unstack "
    "vecdot vecmat"
)
NUMPY_LINALG: Final = "cross diagonal matmul matrix_norm matrix_transpose svdvals tensordot trace vecdot vector_norm"
CMATH: Final = (
    "acos acosh asin asinh atan atanh cos cosh exp isclose isfinite isinf isnan log log10 phase polar rect sin sinh "
    "sqrt tan tanh"
)
NUMPY_DRAWS: Final = (
    "beta binomial bytes chisquare default_rng dirichlet exponential f gamma geometric get_state gumbel hypergeometric "
    "laplace logistic lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare "
    "noncentral_f pareto permutation poisson power ranf rayleigh set_state standard_cauchy standard_exponential "
    "standard_gamma standard_normal standard_t triangular vonmises wald weibull zipf"
)
#: below `random`, and `statistics`
DRAWS: Final = "gammavariate getrandbits lognormvariate paretovariate randbytes vonmisesvariate weibullvariate"
OWN_DRAWS: Final = f"{DRAWS} choice choices expovariate gauss normalvariate sample shuffle triangular"
STATISTICS: Final = "geometric_mean harmonic_mean median_grouped mode pstdev pvariance stdev variance"
#: below `torchaudio`, measured with its version 2.11; a module breaks when it is called
AUDIO_MODULES: Final = (
    "FrequencyMasking InverseMelScale InverseSpectrogram MFCC MelSpectrogram Resample Spectrogram TimeMasking"
)
AUDIO: Final = "convolve melscale_fbanks pitch_shift resample spectrogram"
PROGRESS_BARS: Final = frozenset(
    f"tqdm{part}.{name}" for part in ("", ".auto", ".notebook") for name in ("tqdm", "trange")
)
#: below `torch_geometric`, measured with its version 2.8; the modules break when they are called
GRAPH_LAYERS: Final = (
    "AGNNConv APPNP AntiSymmetricConv ChebConv ClusterGCNConv EGConv FeaStConv GATConv GATv2Conv GCNConv "
    "HypergraphConv MFConv MixHopConv PointNetConv PointTransformerConv RGCNConv SGConv SSGConv SuperGATConv "
    "ASAPooling EdgePooling SAGPooling TopKPooling"
)
GRAPHS: Final = (
    "add_remaining_self_loops coalesce contains_self_loops dense_to_sparse dropout_adj dropout_edge get_laplacian "
    "is_undirected mask_to_index negative_sampling remove_self_loops segregate_self_loops subgraph to_dense_adj "
    "to_undirected unbatch"
)
POOLS: Final = "global_add_pool global_max_pool global_mean_pool"
#: settings of such a module that, if they are off, leave out what breaks
LOOPS: Final = frozenset({"add_self_loops", "normalize"})
SELECTIONS: Final = "unique where nonzero argwhere flatnonzero bincount linalg.lstsq"
READ: Final = "allclose array_equal array_equiv corrcoef cov pad linalg.eig linalg.eigvals"
ABOUT: Final = "ndim size isscalar iscomplexobj isrealobj result_type min_scalar_type common_type"

#: what a name begins with, if it ends in a dot; else the whole name
UNTRACED: Final[dict[str, str]] = {
    "time.": "reads a clock",
    "datetime.": "reads a clock",
    "random.random": "draws from Python's random numbers",
    "random.choice": "draws from Python's random numbers",
    "random.choices": "draws from Python's random numbers",
    "random.sample": "draws from Python's random numbers",
    "random.shuffle": "draws from Python's random numbers",
    "numpy.random.choice": "draws from NumPy's random numbers",
    "numpy.random.RandomState": "draws from NumPy's random numbers",
    "numpy.setdiff1d": "is not part of torch's NumPy",
    "numpy.intersect1d": "is not part of torch's NumPy",
    "numpy.union1d": "is not part of torch's NumPy",
    "inspect.currentframe": "looks at the interpreter's frames or code",
    "inspect.stack": "looks at the interpreter's frames or code",
    "inspect.getsource": "looks at the interpreter's frames or code",
    "traceback.": "looks at the interpreter's frames or code",
    "builtins.globals": "looks at the interpreter's frames or code",
    "builtins.eval": "runs code that cannot be seen",
    "builtins.exec": "runs code that cannot be seen",
    "builtins.open": "opens a file",
    "builtins.input": "waits for input",
    "os.path.exists": "asks the file system",
    "os.path.isfile": "asks the file system",
    "os.listdir": "asks the file system",
    "subprocess.": "starts a process",
    "multiprocessing.": "starts a process",
    "threading.": "uses threads",
    "socket.": "uses the network",
    "hashlib.": "is written in C",
    "zlib.": "is written in C",
    "json.": "is written in C",
    "pickle.": "is written in C",
    "uuid.": "draws from the system's random numbers",
    "gc.": "changes the interpreter's state",
    "importlib.import_module": "imports a module",
    "logging.getLogger": "looks up a logger",
    "scipy.": "computes outside torch",
    "numba.jit": "computes outside torch",
    "numba.njit": "computes outside torch",
    "numba.vectorize": "computes outside torch",
    "numba.guvectorize": "computes outside torch",
    "numba.cuda.jit": "computes outside torch",
    "warnings.catch_warnings": "changes the interpreter's state",
    **dict.fromkeys(PROGRESS_BARS, "draws a progress bar"),
    "torch.get_default_device": "returns something else than a tensor",
    "torch.manual_seed": "changes the state of the random numbers",
    "torch.seed": "changes the state of the random numbers",
    "torch.get_rng_state": "reads the state of the random numbers",
    "torch.set_rng_state": "changes the state of the random numbers",
    "torch.random.fork_rng": "changes the state of the random numbers",
    "torch.Generator": "makes a random number generator",
    "torch.save": "writes a file",
    "torch.load": "reads a file",
    "torch.is_inference_mode_enabled": "reads the state of autograd",
    "torch.Tensor.data_ptr": "reads a memory address",
    "torch.cuda.memory_allocated": "asks the device",
    "torch.cuda.device_count": "asks the device",
    "torch.backends.cudnn.flags": "changes torch's settings",
    "torch.backends.mkldnn.flags": "changes torch's settings",
    "torch.cuda.nvtx.": "marks a range for a profiler",
    "torch.autograd.Variable": "is a class of torch before 0.4",
    "torch.autograd.set_detect_anomaly": "changes the state of autograd",
    "torch.Tensor.resize_": "changes the storage of a tensor",
    "torch.Tensor.to_sparse": "makes a sparse tensor",
    "contextlib.ExitStack": "enters contexts that cannot be seen",
    "torch.Tensor.apply_": "calls Python for each element",
    "torch.Tensor.map_": "calls Python for each element",
    "torch.Tensor.random_": "draws random numbers in place",
    "torch._dynamo.graph_break": "asks for a graph break",
    "torch.nn.utils.rnn.pack_padded_sequence": "makes a ragged batch",
    "torch.nn.utils.rnn.pad_packed_sequence": "takes a ragged batch apart",
    "torch.sparse_coo_tensor": "makes a sparse tensor",
    "torch.Tensor.to_sparse_csr": "makes a sparse tensor",
    "torch.nested.nested_tensor": "makes a nested tensor",
    "torch.nested.as_nested_tensor": "makes a nested tensor",
    "torch.Tensor.as_subclass": "makes a tensor of another class",
    "torch.Tensor.to_mkldnn": "makes an opaque tensor",
    "torch.Tensor.share_memory_": "changes the storage of a tensor",
    "torch.Tensor.is_shared": "asks for the storage of a tensor",
    "torch.Tensor.storage": "asks for the storage of a tensor",
    "torch.Tensor.storage_offset": "asks for the storage of a tensor",
    "torch.Tensor.is_conj": "asks how a tensor is kept in memory",
    "torch.is_conj": "asks how a tensor is kept in memory",
    "torch.Tensor.is_neg": "asks how a tensor is kept in memory",
    "torch.is_neg": "asks how a tensor is kept in memory",
    "torch.Tensor.is_pinned": "asks how a tensor is kept in memory",
    "torch.Tensor.is_set_to": "asks how a tensor is kept in memory",
    "torch.Tensor.is_signed": "asks for the sign of a dtype",
    "torch.Tensor.is_same_size": "compares sizes outside the graph",
    "torch.is_same_size": "compares sizes outside the graph",
    "torch.Tensor.is_inference": "reads the state of autograd",
    "torch.initial_seed": "reads the state of the random numbers",
    "torch.get_num_threads": "asks the interpreter",
    "torch.set_num_threads": "changes the interpreter's state",
    "torch.jit.isinstance": "looks into containers",
    "torch.jit.trace": "compiles in another way",
    "torch.jit.script": "compiles in another way",
    "torch.autograd.functional.jacobian": "runs autograd",
    "torch.autograd.graph.saved_tensors_hooks": "changes the state of autograd",
    "torch.utils.data.DataLoader": "loads data",
    "torch.library.Library": "defines operators",
    "os.getpid": "asks the system",
    "os.getcwd": "asks the system",
    "os.cpu_count": "asks the system",
    "os.urandom": "draws from the system's random numbers",
    "os.path.abspath": "asks the file system",
    "os.path.isdir": "asks the file system",
    "os.path.getsize": "asks the file system",
    "os.makedirs": "asks the file system",
    "os.stat": "asks the file system",
    "shutil.which": "asks the file system",
    "glob.glob": "asks the file system",
    "sys.getsizeof": "looks at the interpreter's memory",
    "sys.getrefcount": "looks at the interpreter's memory",
    "sys._getframe": "looks at the interpreter's frames or code",
    "secrets.": "draws from the system's random numbers",
    "heapq.heappush": "is written in C",
    "heapq.heappop": "is written in C",
    "bisect.bisect": "is written in C",
    "base64.b64encode": "is written in C",
    "io.StringIO": "is written in C",
    "decimal.Decimal": "is written in C",
    "array.array": "is written in C",
    "ctypes.": "is written in C",
    "types.SimpleNamespace": "is written in C",
    "weakref.proxy": "is written in C",
    "atexit.register": "changes the interpreter's state",
    "contextlib.closing": "enters contexts that cannot be seen",
    "torch.jit.fork": "starts a task",
    "torch.futures.Future": "waits for a task",
    "torch.autograd.detect_anomaly": "changes the state of autograd",
    "re.finditer": "is written in C",
    "re.Pattern().finditer": "is written in C",
    "re.Match().groupdict": "is written in C",
    "statistics.mean": "is not traced",
    "numpy.copyto": "is not part of torch's NumPy",
    "builtins.dir": "looks at the interpreter's objects",
    "builtins.memoryview": "is written in C",
    "builtins.compile": "compiles code",
    "os.path.islink": "asks the file system",
    "os.path.ismount": "asks the file system",
    "os.path.lexists": "asks the file system",
    "os.path.samefile": "asks the file system",
    "os.path.realpath": "asks the file system",
    "os.path.getmtime": "asks the file system",
    "os.path.getctime": "asks the file system",
    "os.path.getatime": "asks the file system",
    "os.scandir": "asks the file system",
    "os.access": "asks the file system",
    "shutil.disk_usage": "asks the file system",
    "pathlib.Path().exists": "asks the file system",
    "pathlib.Path().is_file": "asks the file system",
    "pathlib.Path().is_dir": "asks the file system",
    "pathlib.Path().resolve": "asks the file system",
    "pathlib.Path().absolute": "asks the file system",
    "pathlib.Path.cwd": "asks the file system",
    "os.uname": "asks the system",
    "os.getuid": "asks the system",
    "os.getppid": "asks the system",
    "os.sched_getaffinity": "asks the system",
    "os.getloadavg": "asks the system",
    "os.times": "asks the system",
    "getpass.getuser": "asks the system",
    "locale.getlocale": "asks the system",
    "resource.getrusage": "asks the system",
    "multiprocessing.cpu_count": "asks the system",
    "sys.gettrace": "asks the interpreter",
    "sys.getdefaultencoding": "asks the interpreter",
    "sys.getfilesystemencoding": "asks the interpreter",
    "torch.get_num_interop_threads": "asks the interpreter",
    "torch.get_float32_matmul_precision": "asks the interpreter",
    "torch.is_anomaly_enabled": "asks the interpreter",
    "torch.get_deterministic_debug_mode": "asks the interpreter",
    "torch.is_deterministic_algorithms_warn_only_enabled": "asks the interpreter",
    "torch.is_warn_always_enabled": "asks the interpreter",
    "torch.utils.data.get_worker_info": "asks the interpreter",
    "torch.backends.mps.is_available": "asks the device",
    "torch.backends.mps.is_built": "asks the device",
    "torch.backends.cuda.is_built": "asks the device",
    "torch.backends.cudnn.is_available": "asks the device",
    "torch.backends.mkldnn.is_available": "asks the device",
    "torch.backends.mkl.is_available": "asks the device",
    "torch.backends.openmp.is_available": "asks the device",
    "torch.backends.opt_einsum.is_available": "asks the device",
    "torch.cuda.is_bf16_supported": "asks the device",
    "torch.accelerator.device_count": "asks the device",
    "random.gauss": "draws from Python's random numbers",
    "random.getstate": "draws from Python's random numbers",
    "random.betavariate": "draws from Python's random numbers",
    "random.triangular": "draws from Python's random numbers",
    "random.expovariate": "draws from Python's random numbers",
    "random.normalvariate": "draws from Python's random numbers",
    "numpy.interp": "is not part of torch's NumPy",
    "numpy.unwrap": "is not part of torch's NumPy",
    "numpy.digitize": "is not part of torch's NumPy",
    "numpy.nanmean": "is not part of torch's NumPy",
    "numpy.nansum": "is not part of torch's NumPy",
    "numpy.nanmax": "is not part of torch's NumPy",
    "numpy.nanmin": "is not part of torch's NumPy",
    "numpy.nanstd": "is not part of torch's NumPy",
    "numpy.nanvar": "is not part of torch's NumPy",
    "numpy.nanprod": "is not part of torch's NumPy",
    "numpy.nanargmax": "is not part of torch's NumPy",
    "numpy.nanargmin": "is not part of torch's NumPy",
    "numpy.nanmedian": "is not part of torch's NumPy",
    "numpy.nanpercentile": "is not part of torch's NumPy",
    "numpy.lexsort": "is not part of torch's NumPy",
    "numpy.partition": "is not part of torch's NumPy",
    "numpy.argpartition": "is not part of torch's NumPy",
    "numpy.apply_along_axis": "is not part of torch's NumPy",
    "numpy.vectorize": "is not part of torch's NumPy",
    "numpy.piecewise": "is not part of torch's NumPy",
    "numpy.select": "is not part of torch's NumPy",
    "numpy.polyfit": "is not part of torch's NumPy",
    "numpy.polyval": "is not part of torch's NumPy",
    "numpy.roots": "is not part of torch's NumPy",
    "numpy.packbits": "is not part of torch's NumPy",
    "numpy.unpackbits": "is not part of torch's NumPy",
    "numpy.isin": "is not part of torch's NumPy",
    "numpy.trapezoid": "is not part of torch's NumPy",
    "numpy.trapz": "is not part of torch's NumPy",
    "numpy.ediff1d": "is not part of torch's NumPy",
    "numpy.ix_": "is not part of torch's NumPy",
    "numpy.place": "is not part of torch's NumPy",
    "numpy.unravel_index": "is not part of torch's NumPy",
    "numpy.ravel_multi_index": "is not part of torch's NumPy",
    "numpy.ndenumerate": "is not part of torch's NumPy",
    "numpy.ndindex": "is not part of torch's NumPy",
    "numpy.spacing": "is not part of torch's NumPy",
    "numpy.frexp": "is not part of torch's NumPy",
    "numpy.array2string": "is not part of torch's NumPy",
    "numpy.array_str": "is not part of torch's NumPy",
    "numpy.datetime64": "is not part of torch's NumPy",
    "torch.sparse.": "takes sparse tensors",
    "torch.spmm": "takes sparse tensors",
    "warnings.simplefilter": "changes the interpreter's state",
    "warnings.filterwarnings": "changes the interpreter's state",
    "warnings.resetwarnings": "changes the interpreter's state",
    "fnmatch.": "is written in C",
    "unicodedata.": "is written in C",
    "shlex.split": "is not traced",
    "random.seed": "changes the state of the random numbers",
    "random.SystemRandom": "draws from the system's random numbers",
    "os.path.normpath": "is written in C",
    "os.path.relpath": "asks the file system",
    "tempfile.": "asks the file system",
    "io.BytesIO": "is written in C",
    "functools.cmp_to_key": "is written in C",
    "itertools.combinations_with_replacement": "is written in C",
    "types.MappingProxyType": "is written in C",
    "pprint.pformat": "makes text of objects",
    "contextlib.redirect_stdout": "enters contexts that cannot be seen",
    "contextlib.redirect_stderr": "enters contexts that cannot be seen",
    "numpy.errstate": "changes NumPy's settings",
    "numpy.seterr": "changes NumPy's settings",
    "numpy.geterr": "reads NumPy's settings",
    "numpy.printoptions": "changes NumPy's settings",
    "torch.backends.cuda.sdp_kernel": "makes a context in Python",
    "torch.autograd.graph.save_on_cpu": "changes the state of autograd",
    "torch.autograd.graph.allow_mutation_on_saved_tensors": "changes the state of autograd",
    "torch.autograd.profiler.emit_nvtx": "marks a range for a profiler",
    "torch.jit.optimized_execution": "compiles in another way",
    "torch.jit.fuser": "compiles in another way",
    "torch.compiler.cudagraph_mark_step_begin": "has to be called outside the graph",
    "torch.nn.utils.rnn.pack_sequence": "makes a ragged batch",
    "torch.Tensor.resize_as_": "changes the storage of a tensor",
    "torch.Tensor.is_distributed": "returns something else than a tensor",
    "torch.resize_as_": "changes the storage of a tensor",
    "torch.lobpcg": "is an algorithm in Python",
    "torch.to_dlpack": "hands out memory",
    "torch.from_dlpack": "takes memory from elsewhere",
    "torch.typename": "names a class",
    "torch._C._is_tracing": "returns something else than a tensor",
    **dict.fromkeys((f"torch.{name}" for name in ANSWERS.split()), "returns something else than a tensor"),
    **dict.fromkeys((f"torch.random.{name}" for name in STATES.split()), "is about the state of the random numbers"),
    **dict.fromkeys((f"numpy.{name}" for name in NUMPY.split()), "is not part of torch's NumPy"),
    **dict.fromkeys((f"numpy.linalg.{name}" for name in NUMPY_LINALG.split()), "is not part of torch's NumPy"),
    **dict.fromkeys((f"numpy.random.{name}" for name in NUMPY_DRAWS.split()), "draws from NumPy's random numbers"),
    **dict.fromkeys((f"random.{name}" for name in DRAWS.split()), "draws from Python's random numbers"),
    **dict.fromkeys((f"random.Random().{name}" for name in OWN_DRAWS.split()), "draws from Python's random numbers"),
    **dict.fromkeys((f"torch.Tensor.{name}" for name in SPARSE.split()), "is about sparse tensors"),
    **dict.fromkeys((f"torchaudio.transforms.{name}()" for name in AUDIO_MODULES.split()), "breaks inside"),
    **dict.fromkeys((f"torchaudio.functional.{name}" for name in AUDIO.split()), "breaks inside"),
    **dict.fromkeys((f"torch_geometric.nn.{name}()" for name in GRAPH_LAYERS.split()), "breaks inside"),
    **dict.fromkeys((f"torch_geometric.nn.conv.{name}()" for name in GRAPH_LAYERS.split()), "breaks inside"),
    **dict.fromkeys((f"torch_geometric.utils.{name}" for name in GRAPHS.split()), "breaks inside"),
    "torch_geometric.data.Data": "makes an object in its own way",
    "torch_geometric.nn.conv.gcn_conv.gcn_norm": "breaks inside",
    "opt_einsum.contract": "plans in Python",
    **dict.fromkeys((f"statistics.{name}" for name in STATISTICS.split()), "is not traced"),
    **dict.fromkeys((f"cmath.{name}" for name in CMATH.split()), "is written in C"),
    **dict.fromkeys((f"bisect.{name}" for name in "bisect_left bisect_right insort".split()), "is written in C"),
    **dict.fromkeys((f"heapq.{name}" for name in "heapify heappushpop heapreplace".split()), "is written in C"),
}
#: what reads how many graphs or nodes there are, if it is not told: the place and the name of that argument
UNSIZED: Final[dict[str, tuple[int, str]]] = {
    **dict.fromkeys((f"torch_geometric.nn.{name}" for name in POOLS.split()), (2, "size")),
    "torch_geometric.utils.add_self_loops": (3, "num_nodes"),
    "torch_geometric.utils.degree": (1, "num_nodes"),
    "torch_geometric.utils.index_to_mask": (1, "size"),
    "torch_geometric.utils.scatter": (3, "dim_size"),
    "torch_geometric.utils.softmax": (3, "num_nodes"),
    "torch_geometric.utils.to_dense_batch": (4, "batch_size"),
}
#: what breaks if it is given an array, and why; `numpy.where` of a condition alone
OF_ARRAYS: Final[dict[str, str]] = {
    **dict.fromkeys((f"numpy.{name}" for name in SELECTIONS.split()), "gives a shape that depends on data"),
    **dict.fromkeys((f"numpy.{name}" for name in READ.split()), "reads the values of an array"),
    **dict.fromkeys((f"numpy.{name}" for name in ABOUT.split()), "returns something else than an array"),
}
