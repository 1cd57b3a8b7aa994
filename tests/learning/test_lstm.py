"""Reference: loops in float64. Learning: a tiny LSTM overfits. Product: it answers after a round trip."""

from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from neural_programmer.data.paper.draws import draw_test, draw_train
from neural_programmer.data.paper.settings import task
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.front import load, saved
from neural_programmer.learning import lstm
from neural_programmer.learning.config import LstmConfig
from neural_programmer.learning.lstm import CELL, END, LONGEST_ANSWER, QUESTION, TABLE, LstmLearner, LstmModel, tokens
from neural_programmer.network.weights import Trained
from neural_programmer.tables.table import Table

TASK = task("single-column-scalars")
VOCABULARY = lstm.vocabulary_of(TASK.words_read(pointers=False))
HIDDEN = 5
PLAIN = LstmConfig(hidden=HIDDEN, layers=2)
ATTENTION = LstmConfig(hidden=HIDDEN, layers=3, heads=2)
CONFIGS = pytest.mark.parametrize("config", [PLAIN, ATTENTION], ids=["plain", "attention"])
SEQUENCE = lstm.Sequences(np.array([3, 7, 1, 9]), np.asarray(4), np.array([5, 2, 8]), np.asarray(3))


def parameters_of(config, seed=0):
    """Weights in float64, with every bias drawn as well, so that none can be forgotten."""
    generator = np.random.default_rng(seed)
    initial = lstm.initial(config, len(VOCABULARY), generator)
    return jax.tree.map(lambda array: array.astype(np.float64) + 0.3 * generator.normal(size=array.shape), initial)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


def naive_cell(layer, state, inputs):
    """i, f, o = sigmoid(W [x; h] + b), c' = f c + i tanh(W [x; h] + b), h' = o tanh(c'), one unit at a time"""
    hidden, memory = state
    both = np.concatenate([inputs, hidden])
    d = len(hidden)
    new_hidden, new_memory = np.zeros(d), np.zeros(d)
    for unit in range(d):
        gates = [layer.weights[gate * d + unit] @ both + layer.bias[gate * d + unit] for gate in range(4)]
        let_in, keep, let_out = (1 / (1 + np.exp(-gate)) for gate in gates[:3])
        new_memory[unit] = keep * memory[unit] + let_in * np.tanh(gates[3])
        new_hidden[unit] = let_out * np.tanh(new_memory[unit])
    return new_hidden, new_memory


def naive_layers(layers, states, inputs):
    following = []
    for layer, state in zip(layers, states, strict=True):
        following.append(naive_cell(layer, state, inputs))
        inputs = following[-1][0]
    return inputs, following


def naive_encode(parameters, words):
    """The last states of all layers, and the states of the top one."""
    states = [(np.zeros(HIDDEN), np.zeros(HIDDEN)) for _ in parameters.encoder]
    tops = []
    for word in words:
        top, states = naive_layers(parameters.encoder, states, parameters.words[word])
        tops.append(top)
    return states, tops


def naive_next_scores(parameters, states, word, encoded):
    """U top; with attention top = tanh(W [c_1; ...; c_H; top]), c_h = sum_i softmax_i((Q_h top) . e_i) e_i"""
    top, states = naive_layers(parameters.decoder, states, parameters.words[word])
    if parameters.heads is not None:
        found = []
        for query in parameters.heads.queries:
            powers = [np.exp((query @ top) @ state) for state in encoded]
            found.append(sum(power * state for power, state in zip(powers, encoded, strict=True)) / sum(powers))
        top = np.tanh(parameters.heads.output @ np.concatenate([*found, top]))
    return states, parameters.output @ top


def naive_scores(parameters, words, before):
    """The scores after each of the tokens said before, question and table read first."""
    states, encoded = naive_encode(parameters, words)
    scores = []
    for word in before:
        states, score = naive_next_scores(parameters, states, word, encoded)
        scores.append(score)
    return scores


def test_cell():
    layer = parameters_of(PLAIN).encoder[0]
    generator = np.random.default_rng(1)
    state, inputs = (generator.normal(size=HIDDEN), generator.normal(size=HIDDEN)), generator.normal(size=HIDDEN)
    close(lstm.cell(layer, state, inputs), naive_cell(layer, state, inputs))


def test_a_planted_cell_keeps_what_it_remembers():
    """Input gate shut, forget and output gates open: the memory stays, the state is its tanh."""
    bias = np.repeat([-1000.0, 1000.0, 1000.0, 0.5], 3)
    layer = lstm.Layer(np.zeros((12, 6)), bias)
    memory = np.array([0.5, -2.0, 0.0])
    hidden, kept = lstm.cell(layer, (np.ones(3), memory), np.ones(3))
    np.testing.assert_array_equal(kept, memory)
    np.testing.assert_array_equal(hidden, np.tanh(memory))


@CONFIGS
@pytest.mark.parametrize("padding", [0, 3])
def test_encode_sequence(config, padding):
    parameters = parameters_of(config)
    inputs = np.concatenate([SEQUENCE.inputs, np.zeros(padding, int)])
    states, encoded = lstm.encode_sequence(parameters, SEQUENCE._replace(inputs=inputs))
    expected, tops = naive_encode(parameters, SEQUENCE.inputs)
    close(states, expected)
    close(encoded[:4], tops)


@CONFIGS
def test_next_scores(config):
    parameters = parameters_of(config)
    states, encoded = naive_encode(parameters, SEQUENCE.inputs)
    found = lstm.next_scores(parameters, tuple(states), parameters.words[6], np.array(encoded), np.ones(4, bool))
    expected = naive_next_scores(parameters, states, 6, encoded)
    close(found[0], expected[0])
    close(found[1], expected[1])


@CONFIGS
@pytest.mark.parametrize("count", [1, 2, 3])
def test_loss(config, count):
    """-log softmax of the right characters, a mean over those that are no padding; what was right is said before."""
    parameters = parameters_of(config)
    end = VOCABULARY.places[END]
    scores = naive_scores(parameters, SEQUENCE.inputs, [end, *SEQUENCE.outputs[: count - 1]])
    expected = 0.0
    for score, token in zip(scores, SEQUENCE.outputs, strict=False):
        expected -= np.log(np.exp(score[token]) / np.exp(score).sum()) / count
    close(lstm.loss(parameters, SEQUENCE._replace(output_count=np.asarray(count)), end), expected)


@CONFIGS
def test_padding_of_the_inputs_changes_nothing(config):
    parameters = parameters_of(config)
    end = VOCABULARY.places[END]
    padded = SEQUENCE._replace(inputs=np.concatenate([SEQUENCE.inputs, [0, 0, 4]]))
    close(lstm.loss(parameters, padded, end), lstm.loss(parameters, SEQUENCE, end))
    tight, wide = (lstm.generate(parameters, sequence, end, 6) for sequence in (SEQUENCE, padded))
    np.testing.assert_array_equal(wide, tight)


@CONFIGS
def test_generate_says_the_most_probable_token_again_and_again(config):
    end = VOCABULARY.places[END]
    said = set()
    for seed in range(5):
        parameters = parameters_of(config, seed)
        found = lstm.generate(parameters, SEQUENCE, end, 6)
        before = [end]
        for _ in range(6):
            before.append(int(np.argmax(naive_scores(parameters, SEQUENCE.inputs, before)[-1])))
        assert found.tolist() == before[1:]
        said.update(before[1:])
    assert len(said) > 4


def test_tokens_before_and_after_the_question():
    table = Table(("A",), (np.array([-10.0, 7.0, 2.5]),))
    cells = [TABLE, "-", "1", "0", CELL, "7", CELL, "2", ".", "5", CELL]
    asked = [QUESTION, "greater", "-", "3", "and", "lesser", "1", "2", "sum"]
    assert tokens("greater -3 and lesser 12 sum", table, table_first=True) == cells + asked
    assert tokens("greater -3 and lesser 12 sum", table, table_first=False) == asked + cells


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0, "0"), (-7.0, "-7"), (100.0, "100"), (0.5, "0.5"), (-20.25, "-20.25"), (30.1, "30.1"), (9.999, "10")],
)
def test_numbers_are_said_as_a_person_writes_them(value, said):
    assert tokens("sum", Table(("A",), (np.array([value]),)), table_first=True)[1:-3] == list(said)


@pytest.mark.parametrize("number", ["5", "-5", "5.25", "-0.5", "5.", "+5", ".5", "-.5"])
def test_a_number_that_the_question_parser_knows_is_spelt(number):
    asked = tokens(f"greater {number} sum", Table(("A",), (np.array([1.0]),)), table_first=False)
    VOCABULARY.encode(asked)
    assert float("".join(asked[2 : asked.index("sum")])) == float(number)


def learner_of(**changes):
    return LstmLearner(LstmConfig(**{"hidden": HIDDEN, "layers": 1} | changes), VOCABULARY)


@pytest.mark.parametrize(("table_first", "count"), [(True, 5000), (False, 200)])
def test_every_triple_of_the_task_fits(table_first, count):
    """5,000 random triples have room; tokens and answers come back whole, with nothing but padding behind them."""
    dataset = draw_train(TASK, count, seed=1)
    sequences = learner_of(table_first=table_first).encode(dataset)
    assert sequences.inputs.shape == (count, lstm.longest_input(TASK))
    assert sequences.outputs.shape == (count, LONGEST_ANSWER)
    words = np.array(VOCABULARY.words)
    for place in range(200):
        triple = dataset.triple(place)
        heard, length = sequences.input_count[place], sequences.output_count[place]
        said = tokens(triple.question, triple.table, table_first)
        assert words[sequences.inputs[place, :heard]].tolist() == said
        *characters, last = words[sequences.outputs[place, :length]].tolist()
        assert last == END
        assert float("".join(characters)) == triple.answer.scalar
        assert not sequences.inputs[place, heard:].any()
        assert not sequences.outputs[place, length:].any()
    assert sequences.input_count.max() > sequences.input_count.min() + 10


def test_the_longest_triple_fits():
    """Seven rows of -10, and every question with -10 for its numbers; the longest input differs in words alone."""
    dataset = draw_test(TASK, seed=0, count=200)
    full = replace(
        dataset,
        rows=np.full(len(dataset), 7),
        values=np.full((len(dataset), 7, 1), -10.0),
        numbers=np.full((len(dataset), 2), -10.0),
    )
    sequences = learner_of().encode(full)
    assert lstm.longest_input(TASK) - 4 <= sequences.input_count.max() <= lstm.longest_input(TASK)


@pytest.mark.parametrize("name", ["single-column", "five-columns", "words-one-column"])
def test_a_task_with_look_ups_is_refused(name):
    asked = task(name)
    learner = LstmLearner(PLAIN, lstm.vocabulary_of(asked.words_read(pointers=False)))
    with pytest.raises(
        NeuralProgrammerError, match=f"{name} also asks for look-ups; train it on single-column-scalars"
    ):
        learner.encode(draw_train(asked, 30, seed=0))


def test_a_task_with_text_is_refused():
    """Also where the first question is about a number."""
    asked = task("text-two-columns")
    learner = LstmLearner(PLAIN, lstm.vocabulary_of(asked.words_read(pointers=False)))
    drawn = (draw_train(asked, 1, seed) for seed in range(100))
    scalar = next(dataset for dataset in drawn if dataset.triple(0).answer.kind == "scalar")
    with pytest.raises(NeuralProgrammerError):
        learner.encode(scalar)


def test_a_table_of_text_is_refused():
    model = LstmModel(PLAIN, VOCABULARY, lstm.initial(PLAIN, len(VOCABULARY), np.random.default_rng(0)))
    with pytest.raises(NeuralProgrammerError):
        model.answer("sum", Table(("A",), (np.array(["word:1"]),)))


@pytest.mark.parametrize("heads", [0, 1, 10])
def test_initial_weights(heads):
    """Small weights that depend on the generator; biases zero but those of the forget gates."""
    config = LstmConfig(hidden=8, layers=3, heads=heads)
    drawn = lstm.initial(config, 20, np.random.default_rng(0))
    shapes = lstm.shapes(config, 20)
    assert jax.tree.map(np.shape, drawn) == shapes
    assert len(drawn.encoder) == len(drawn.decoder) == 3
    assert shapes.heads == (lstm.Heads((heads, 8, 8), (8, (heads + 1) * 8)) if heads else None)
    for layer in (*drawn.encoder, *drawn.decoder):
        np.testing.assert_array_equal(layer.bias, np.repeat([0, 1, 0, 0], 8))
        assert 0.2 < np.abs(layer.weights).max() <= 16**-0.5
    other = lstm.initial(config, 20, np.random.default_rng(1))
    assert (other.words != drawn.words).all()


def test_without_a_number_there_is_no_answer():
    """Weights of zero say padding again and again, which is no number."""
    parameters = jax.tree.map(np.zeros_like, lstm.initial(PLAIN, len(VOCABULARY), np.random.default_rng(0)))
    answer = LstmModel(PLAIN, VOCABULARY, parameters).answer("sum", Table(("A",), (np.array([1.0]),)))
    assert answer.kind == "none"
    assert answer.reason == "the LSTM said '', which is not a number"


def overfit(learner, sequences, steps):
    """Adam on all sequences at once, every step of it in one compiled loop."""
    optimizer = optax.adam(1e-2)

    def objective(parameters):
        loss = partial(learner.loss, settings=None, now=None, key=None)
        return jnp.mean(jax.vmap(loss, (None, 0))(parameters, sequences))

    @jax.jit
    def run(parameters):
        def step(carry, _):
            parameters, state = carry
            loss, gradient = jax.value_and_grad(objective)(parameters)
            updates, state = optimizer.update(gradient, state)
            return (optax.apply_updates(parameters, updates), state), loss

        (parameters, _), losses = jax.lax.scan(step, (parameters, optimizer.init(parameters)), None, steps)
        return parameters, losses

    parameters, losses = run(jax.tree.map(jnp.asarray, learner.initial(np.random.default_rng(0))))
    return jax.tree.map(np.asarray, parameters), np.asarray(losses)


def test_a_tiny_lstm_learns_eight_triples_and_answers_after_a_round_trip(tmp_path):
    dataset = draw_train(TASK, 8, seed=5)
    learner = learner_of(hidden=32, heads=1)
    sequences = learner.encode(dataset)
    parameters, losses = overfit(learner, sequences, steps=350)
    assert losses[0] > 1
    assert losses[-1] < 0.05
    model = learner.model(parameters, Trained(TASK.name))
    model.save(tmp_path / "model.safetensors")
    loaded = saved(tmp_path)
    assert type(loaded) is LstmModel
    with pytest.raises(NeuralProgrammerError, match=r"holds an LSTM.*evaluate\(\) measures it"):
        load(tmp_path)
    assert (loaded.config, loaded.vocabulary, loaded.trained) == (model.config, model.vocabulary, model.trained)
    for one, other in zip(jax.tree.leaves(loaded.parameters), jax.tree.leaves(parameters), strict=True):
        assert one.tobytes() == other.tobytes()
    answers = [loaded.answer(triple.question, triple.table) for triple in dataset]
    assert [answer.scalar for answer in answers] == [triple.answer.scalar for triple in dataset]
    assert len({answer.scalar for answer in answers}) > 4
    untrained = learner.initial(np.random.default_rng(0))
    for place in range(8):
        one = jax.tree.map(lambda array, place=place: array[place], sequences)
        assert learner.correct(parameters, one)
        assert not learner.correct(untrained, one)
