"""Models of transformers families from their names alone: tiny, offline, called with inputs that were made up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphmend_lint.verify.target import TargetError, parse_target

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from graphmend_lint.verify import dummy, family
from graphmend_lint.verify.failures import FactoryError


def finished(text: str) -> tuple[dict[str, Any], torch.nn.Module]:
    given = parse_target(text).recipe
    return family._plan(given, family.wanted(given["family"], given["options"]), 0)


#: Text, speech, images, both, an encoder-decoder, a mixture of experts, a state-space model, a detector.
FAMILIES = "t5 bert mistral whisper vit resnet clip mixtral mamba detr segformer wav2vec2 llava"


@pytest.mark.torch
@pytest.mark.parametrize("name", FAMILIES.split())
def test_a_family_is_made_small_and_called(name: str) -> None:
    recipe, model = finished(f"hf:{name}")
    assert sum(each.numel() for each in model.parameters()) < 30_000_000
    assert not model.training
    first, args, kwargs = family.build(recipe)
    assert args == ()
    assert kwargs.keys() == recipe["inputs"].keys()
    with torch.no_grad():
        first(**kwargs)
        for _, more in family.more_inputs(recipe):
            first(**more)


@pytest.mark.torch
def test_a_recipe_gives_the_same_model_and_inputs_each_time() -> None:
    recipe, _ = finished("hf:bert")
    made = []
    for _ in range(2):
        torch.manual_seed(3)
        made.append(family.build(recipe))
    (a, _, x), (b, _, y) = made
    assert all(torch.equal(p, q) for p, q in zip(a.parameters(), b.parameters(), strict=True))
    assert torch.equal(x["input_ids"], y["input_ids"])
    assert family.more_inputs(recipe)[0][1]["input_ids"].shape == (1, 24)


@pytest.mark.torch
def test_sizes_class_and_config_can_be_chosen() -> None:
    _, model = finished("hf:t5?hidden=32&layers=1&vocab=100&class=T5EncoderModel&tie_word_embeddings=false")
    config: Any = model.config
    assert type(model).__name__ == "T5EncoderModel"
    assert (config.d_model, config.num_layers, config.vocab_size, config.tie_word_embeddings) == (32, 1, 100, False)
    _, model = finished("hf:clip?text_config.num_hidden_layers=1&seq=5")
    config = model.config
    assert config.text_config.num_hidden_layers == 1
    recipe, _ = finished("hf:bert?input.attention_mask=ones:1xseq")
    assert recipe["inputs"]["attention_mask"] == ["ones", [1, "seq"], 100]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hf:berd", r"hf:berd: transformers [\d.]+ has no such model family; did you mean hf:bert\?"),
        ("hf:bert?hiden_size=3", "hf:bert: its config has no hiden_size; did you mean hidden_size?"),
        ("hf:bert?class=T6Model", "hf:bert: transformers has no model class T6Model"),
        ("hf:bert?layers=no", "hf:bert: layers must be a positive number, not 'no'"),
        ("hf:bert?input.x=3", "input.x=3 is not KIND:SHAPE, such as float:1x3x64x64, ids:1xseq or bool:1x1"),
        ("hf:musicgen", "hf:musicgen: no tiny model of this family can be made and called: ValueError: Config has"),
    ],
)
def test_what_cannot_be_made_is_one_clear_line(text: str, reason: str) -> None:
    with pytest.raises(FactoryError, match=reason.replace("?", r"\?") if "\\" not in reason else reason) as caught:
        finished(text)
    assert "\n" not in str(caught.value)


def test_the_target_alone_is_read_without_transformers() -> None:
    target = parse_target('hf:phi3?layers=1&rope_scaling={"type":"longrope"}')
    assert target.recipe == {"family": "phi3", "options": {"layers": 1, "rope_scaling": {"type": "longrope"}}}
    assert str(target).startswith("hf:phi3?")
    for wrong in ("hf:", "hf:t5?layers"):
        with pytest.raises(TargetError):
            parse_target(wrong)


def test_inputs_are_drawn_as_their_specs_say() -> None:
    made = dummy.inputs({"a": ["ids", [2, "seq"], 7], "b": dummy.read("b", "bool:1x1"), "c": ["float", [2, 3], 0]}, 5)
    assert made["a"].shape == (2, 5)
    assert int(made["a"].max()) < 7
    assert made["b"].dtype is torch.bool
    assert made["c"].is_floating_point()


@pytest.mark.torch
def test_the_package_itself_is_never_written(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "graphmend_lint", "verify", "hf:bert", "--fix", "--backend", "eager"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("hf:bert: --fix would change transformers itself")


@pytest.mark.torch
def test_a_family_is_one_line_on_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "graphmend_lint", "verify", "hf:t5?layers=1&sets=1", "--backend", "eager"]
    done = subprocess.run(
        [*command, "--allow-lost-text"], capture_output=True, text=True, cwd=tmp_path, check=False, timeout=550
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "modeling_t5.py" in done.stdout
    assert "proven: 1 break, fullgraph fails before; 0 breaks, fullgraph passes after" in done.stdout
