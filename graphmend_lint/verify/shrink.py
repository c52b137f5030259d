"""Configs made small by what their attributes are called; no family is known here. In the worker only.

Widths are scaled by one factor over the whole config, and equal numbers stay equal, so that parts still fit together.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from graphmend_lint.verify.failures import FactoryError

LEVELS = ("all", "no widths", "depth", "nothing")  #: from most to least shrunk

WIDTH = re.compile(
    r"(.*_)?(hidden_size|hidden_dim|d_model|embed_dim|embedding_size|embedding_dim|n_embd|dim|emb_dim|projection_dim"
    r"|proj_dim|intermediate_size|ffn_dim|d_ff|mlp_dim|d_inner|n_inner|dim_feedforward|feedforward_dim"
    r"|ffn_hidden_size|hidden_channels|pooler_output_size|decoder_intermediate_size|bottleneck_size|lru_width"
    r"|time_step_rank|lora_rank|in_channels|fusion_hidden_size|output_hidden_size)"
)
HEADS = re.compile(r"(.*_)?(num_attention_heads|attention_heads|num_heads|n_heads?|kv_heads|key_value_heads|n_head_kv)")
HEAD_DIM = re.compile(r"(.*_)?(head_dim|d_kv|d_head|rotary_dim|kv_channels|head_size)")
DEPTH = re.compile(r"(.*_)?(num_hidden_layers|num_layers|n_layers?|layers|depth|num_blocks|decoder_layers)")
DEPTHS = re.compile(r"(.*_)?(depths|layers|num_blocks|num_layers)")
NOT_DEPTH = re.compile(r"num_(feat_extract|adapter|conv|residual)_layers|max_window_layers|.*postnet.*")
VOCAB = re.compile(r"(.*_)?vocab_size")
TOKEN = re.compile(r"(.*_)?(token_id|token_index|token_ids|pad_index|bos_index|eos_index|unk_index|mask_index)")
POSITIONS = re.compile(
    r"(.*_)?(max_position_embeddings|n_positions|max_source_positions|max_target_positions|n_ctx|max_seq_len"
    r"|max_seq_length|max_sequence_length|context_length|seq_length|max_text_len)"
)
IMAGE = re.compile(r"(.*_)?(image_size|img_size)")
QUERIES = re.compile(r"(.*_)?(num_queries|num_proposals|num_query_tokens|num_denoising|num_latents)")
EXPERTS = re.compile(r"(.*_)?(num_experts|num_local_experts|n_routed_experts)")
WINDOW = re.compile(r"attention_window")
TILE = re.compile(r"window_size")  #: of a grid of patches, which becomes small as well


@dataclass
class Shrinker:
    """One config made small."""

    level: str
    sizes: dict[str, int]
    factor: float  #: of widths
    tokens: dict[int, int] = field(default_factory=dict)  #: token ids that were too large, and what they are now

    def value(self, name: str, old: Any, config: Any) -> Any:
        """What an attribute becomes."""
        if isinstance(old, bool) or old is None or self.level == "nothing":
            return old
        if isinstance(old, (list, tuple)):
            return self._list(name, old)
        return self._number(name, old, config) if isinstance(old, int) else old

    def _number(self, name: str, old: int, config: Any) -> int:
        """A whole number made small by what its name says it counts."""
        if DEPTH.fullmatch(name) and not NOT_DEPTH.fullmatch(name):
            return min(old, self.sizes["layers"])
        if VOCAB.fullmatch(name):
            return min(old, self.sizes["vocab"])
        if TOKEN.fullmatch(name):
            return self._token(old)
        if self.level == "depth":
            return old
        if POSITIONS.fullmatch(name):
            return min(old, self.sizes["positions"])
        if IMAGE.fullmatch(name):
            return self._image(old, config)
        if QUERIES.fullmatch(name):
            return min(old, 16)
        if EXPERTS.fullmatch(name):
            return min(old, 8)
        if WINDOW.fullmatch(name):
            return min(old, 8)
        return old if self.level == "no widths" else self._width(name, old, config)

    def _width(self, name: str, old: int, config: Any) -> int:
        if HEADS.fullmatch(name):
            return self._heads(name, old, config)
        if HEAD_DIM.fullmatch(name):
            return min(old, max(8, self.sizes["hidden"] // self.sizes["heads"]))
        if TILE.fullmatch(name):
            return min(old, 2)
        if not WIDTH.fullmatch(name):
            return old
        return self._staged(old) if hasattr(config, "depths") else self._scaled(old)

    def _staged(self, old: int) -> int:
        """Widths that double from stage to stage keep their ratios."""
        return old // 3 if old % 96 == 0 else old

    def _heads(self, name: str, old: int, config: Any) -> int:
        """Fewer heads; of keys and values, fewer than of queries only where it was so before."""
        queries = getattr(config, "num_attention_heads", old)
        shared = ("kv" in name or "key_value" in name) and isinstance(queries, int) and old < queries
        return min(old, max(1, self.sizes["heads"] // 2) if shared else self.sizes["heads"])

    def _scaled(self, old: int) -> int:
        if old <= 16:
            return old
        step = 8 * self.sizes["heads"]
        least = max(step, self.sizes["hidden"] // 2 // step * step)
        return min(old, max(least, round(old * self.factor / step) * step))

    def _token(self, old: int) -> int:
        vocab = self.sizes["vocab"]
        if old < vocab:
            return old
        return self.tokens.setdefault(old, vocab - 1 - len(self.tokens))

    def _image(self, old: int, config: Any) -> int:
        patch = getattr(config, "patch_size", 1)
        patch = patch if isinstance(patch, int) and patch > 0 else 1
        return min(old, max(patch, self.sizes["image"] // patch * patch))

    def _list(self, name: str, old: list[Any] | tuple[Any, ...]) -> Any:
        if not old or not all(isinstance(each, int) and not isinstance(each, bool) for each in old):
            return old
        if DEPTHS.fullmatch(name) or (HEADS.fullmatch(name) and self.level == "all"):
            return type(old)(1 for _ in old)
        if TOKEN.fullmatch(name):
            return type(old)(map(self._token, old))
        if self.level != "depth" and IMAGE.fullmatch(name):
            return type(old)(min(each, self.sizes["image"]) for each in old)
        if self.level != "depth" and WINDOW.fullmatch(name):
            return type(old)(min(each, 8) for each in old)
        return old


def config(config_class: Any, level: str, sizes: dict[str, int], changes: dict[str, Any], who: str) -> Any:
    """The config of a tiny model.

    Raises:
        FactoryError: if a change names an attribute that the config has not.
    """
    default = config_class()
    shrinker = Shrinker(level, sizes, sizes["hidden"] / max(sizes["hidden"], _hidden(default)))
    values = _values(default, shrinker)
    for name, value in changes.items():
        _set(values, default, name, value, who)
    return config_class(**values)


def _hidden(default: Any) -> int:
    """The width that others are measured by: the largest hidden size in the config."""
    found = [getattr(each, "hidden_size", None) for each in (default, *_parts(default).values())]
    return max((each for each in found if isinstance(each, int)), default=768)


def _parts(default: Any) -> dict[str, Any]:
    """The configs within a config."""
    return {name: each for name, each in vars(default).items() if hasattr(each, "to_diff_dict")}


def _values(default: Any, shrinker: Shrinker) -> dict[str, Any]:
    """Arguments for a config class that make this config, but small: only those that its `__init__` names."""
    names = inspect.signature(type(default).__init__).parameters
    parts = _parts(default)
    values = {name: {**_values(part, shrinker), "model_type": part.model_type} for name, part in parts.items()}
    for name in names:
        if name not in parts and not isinstance(getattr(default, name, {}), dict):
            values[name] = shrinker.value(name, getattr(default, name), default)
    for name in ("pad_token_id", "bos_token_id", "eos_token_id", "decoder_start_token_id", "sep_token_id"):
        if name in vars(default):
            values[name] = shrinker.value(name, vars(default)[name], default)
    return {**values, **_own_backbone(default, values)}


def _own_backbone(default: Any, values: dict[str, Any]) -> dict[str, Any]:
    """No backbone from another library or from the net."""
    if not hasattr(default, "use_timm_backbone"):
        return {}
    off: dict[str, Any] = {
        "use_timm_backbone": False,
        "use_pretrained_backbone": False,
        "backbone": None,
        "backbone_kwargs": None,
    }
    if values.get("backbone_config") is None:
        off["backbone_config"] = {
            "model_type": "resnet",
            "embedding_size": 16,
            "hidden_sizes": [16, 32, 48, 64],
            "depths": [1, 1, 1, 1],
            "layer_type": "basic",
            "out_features": ["stage2", "stage3", "stage4"] if hasattr(default, "num_feature_levels") else ["stage4"],
        }
    return {name: value for name, value in off.items() if name == "use_timm_backbone" or hasattr(default, name)}


def _set(values: dict[str, Any], default: Any, path: str, value: Any, who: str) -> None:
    *heads, name = path.split(".")
    for head in heads:
        default = getattr(default, head, None)
        values = values.setdefault(head, {})
    known = [*vars(default), *getattr(default, "attribute_map", ())] if hasattr(default, "to_diff_dict") else []
    if name not in known:
        close = get_close_matches(name, known, n=1, cutoff=0.6)
        raise FactoryError(f"{who}: its config has no {path}" + (f"; did you mean {close[0]}?" if close else ""))
    values[name] = value
