"""A model small enough to be trained on a processor: at first it plays Classic at random, by calls of the tool.

Its vocabulary holds each call as one token. Its weights are random but for two directions: one makes it say nothing
else than calls, the other makes it end its turn after each.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from craftax_text_gym.games import CLASSIC
from craftax_text_gym.integrations import trl

_CALL = '<tool_call>\n{{"name": "act", "arguments": {{"action": "{}"}}}}\n</tool_call>'
_CALLS = {name: _CALL.format(name) for name in CLASSIC.actions}
_END, _PAD = "<|im_end|>", "<|endoftext|>"


def save(folder: Path) -> None:
    """Write the model and its tokenizer, as `from_pretrained` reads them."""
    tokenizer = _tokenizer()
    tokenizer.save_pretrained(folder)
    _model(tokenizer).save_pretrained(folder)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    """The weights of a model on disk."""
    state: dict[str, torch.Tensor] = Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32).state_dict()
    return state


def _tokenizer() -> PreTrainedTokenizerFast:
    (row,) = trl.rows("classic", [0])
    level = pre_tokenizers.ByteLevel
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = level(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=1000, initial_alphabet=sorted(level.alphabet()), show_progress=False)
    words.train_from_iterator([message["content"] for message in row["prompt"]], trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, eos_token=_END, pad_token=_PAD)
    tokenizer.add_tokens([AddedToken("<|im_start|>", special=True)])
    tokenizer.add_tokens([AddedToken(call, normalized=False) for call in _CALLS.values()])
    package = find_spec("trl")
    assert package is not None
    assert package.origin is not None
    tokenizer.chat_template = (Path(package.origin).parent / "chat_templates" / "qwen3.jinja").read_text()
    return tokenizer


def _model(tokenizer: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=16,
        tie_word_embeddings=False,
        max_position_embeddings=8192,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = Qwen3ForCausalLM(config)
    calls = tokenizer.convert_tokens_to_ids(list(_CALLS.values()))
    inward, outward = model.model.embed_tokens.weight.data, model.lm_head.weight.data
    inward[:, :2], outward[:, :2] = 0.0, 0.0
    inward[:, 0], outward[:, 0] = 1.0, -1.0  # rather a call than anything else
    outward[calls, 0] = 1.0
    inward[calls, 1], outward[tokenizer.eos_token_id, 1] = 1.0, 6.0  # after a call, the end of the turn
    outward[tokenizer.convert_tokens_to_ids(_CALLS["do"]), 0] = 1.3  # so that some episodes are rewarded
    return model
