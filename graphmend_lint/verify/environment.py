"""The environment that child processes see: what Python, torch and compilers need, and no secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PASS: Final = "GRAPHMEND_LINT_PASS_ENV"  #: names more variables, separated by commas
NAMES: Final = frozenset(
    """
    APPDATA CC COMSPEC CPATH CXX HOME HOMEDRIVE HOMEPATH LANG LANGUAGE LIBRARY_PATH LOCALAPPDATA LOGNAME
    NUMBER_OF_PROCESSORS PATH PATHEXT PROGRAMDATA PWD SHELL SYSTEMROOT TEMP TERM TMP TMPDIR TZ USER USERNAME
    USERPROFILE VIRTUAL_ENV WINDIR HF_HOME HF_HUB_CACHE HF_HUB_OFFLINE TRANSFORMERS_OFFLINE TRANSFORMERS_CACHE
    """.split()
)
PREFIXES: Final = (
    *("CONDA_", "CUDA_", "CUDNN_", "DYLD_", "GOMP_", "KMP_", "LC_", "LD_", "MALLOC_", "MKL_", "NCCL_", "NUMBA_"),
    *("NUMEXPR_", "NVIDIA_", "OMP_", "OPENBLAS_", "PYTHON", "PYTORCH_", "ROCM_", "HIP_", "TORCH", "TRITON_", "XDG_"),
)
SECRET: Final = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY", "PRIVATE")
FIXED: Final = {"PYTHONHASHSEED": "0", "TOKENIZERS_PARALLELISM": "false"}


def scrubbed(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that a child gets: those that are known to be needed, those that are asked for, and ours."""
    asked = {each.strip() for each in environment.get(PASS, "").split(",")}
    kept = {name: value for name, value in environment.items() if name in asked or _is_needed(name.upper())}
    return kept | FIXED


def _is_needed(name: str) -> bool:
    known = name in NAMES or name.startswith(PREFIXES)
    return known and not any(word in name for word in SECRET)
