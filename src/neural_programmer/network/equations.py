"""The network of section 2: question RNN, selectors, arguments, text match and history RNN, one example at a time.

Every function is written over the array API: NumPy runs it to answer, JAX traces it to train. None has biases, as the
paper's equations have none. A product with a concatenation, W[a; b], is computed as W_a a + W_b b.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neural_programmer.base.arrays import Array, inside, masked, namespace, scan, sigmoid, softmax
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import ELSEWHERE, Example
from neural_programmer.network.features import COLUMN_FEATURES, LINK_FEATURES, feature_places
from neural_programmer.network.weights import map_tree

INNER = 64  # the width of what features of a program say together
FARTHEST = 8  # words: a longer distance counts as this one


class Parameters(NamedTuple):
    """All that is learnt."""

    words: Float[Array, "vocabulary hidden"]  # V
    forward: Float[Array, "gates_of_state state+hidden"]  # W^question
    backward: Float[Array, "gates_of_state state+hidden"] | None  # the same from the other end
    attention: Float[Array, "hidden hidden"] | None
    operations: Float[Array, "operations hidden"]  # U
    operation_selector: Float[Array, "hidden 2*hidden"]  # W^op
    column_selector: Float[Array, "hidden 2*hidden"]  # W^col
    argument_selector: Float[Array, "hidden 3*hidden"] | None  # W^arg
    operation_column: Float[Array, "hidden hidden"] | None  # W^op,col
    column_argument: Float[Array, "hidden hidden"] | None  # W^col,arg
    history: Float[Array, "hidden parts_of_hidden"]  # W^history
    names: Float[Array, "hidden hidden"] | None = None  # W^name
    features: Float[Array, "features hidden"] | None = None  # F
    meanings: Float[Array, "dimensions hidden"] | None = None  # W^vector, of words
    name_meanings: Float[Array, "dimensions hidden"] | None = None  # and of columns' names
    distances: Float[Array, "distances"] | None = None  # of an argument from where its column is mentioned
    within: Float[Array, "one"] | None = None  # what it counts that a number lies within the column's range
    remaining: Float[Array, "hidden hidden"] | None = None  # W^remaining
    held: Float[Array, "hidden hidden"] | None = None  # W^held
    again: Float[Array, "one"] | None = None  # what it counts that an argument was used before
    results: Float[Array, "features hidden+1"] | None = None  # R, what the features of a program's result count
    inner: Float[Array, "features_and_operations inner"] | None = None  # I, of these together
    outer: Float[Array, "inner hidden+1"] | None = None  # O
    links: Float[Array, "link_features hidden"] | None = None  # L, of how a text is mentioned
    contents: Float[Array, "dimensions hidden"] | None = None  # W^content, of what columns hold


class History(NamedTuple):
    """What the controller remembers: h_t and, of linked questions, which arguments it has not used yet."""

    state: Float[Array, "hidden"]
    unused: Float[Array, "candidates"] | None = None


class Reading(NamedTuple):
    """The question as the question module leaves it."""

    question: Float[Array, "hidden"]  # q
    states: Float[Array, "words hidden"]  # z_1 ... z_Q
    mask: Bool[Array, "words"]  # True where there is a word


class Asked(NamedTuple):
    """The question as the selectors of operation, column and argument see it: multiplied by their weights."""

    question: Float[Array, "selectors hidden"]  # W_q q
    states: Float[Array, "selectors words hidden"] | None  # W_q z_i, with attention
    keys: Float[Array, "words hidden"] | None  # z_i W


class Belonging(NamedTuple):
    """What goes together in a question, beyond the paper: a column is chosen for the operation, its argument for both.

    alpha^col_t(j | op) = softmax_j(P_j . (tanh(W^col [q; h_t]) + W^op,col U(op)))
    beta_t(n | op, j)   = softmax_n(G_n . (tanh(W^arg [q; h_t; U(op)]) + W^col,arg P_j))

    Of linked questions, the score of an argument has three terms more: how near it stands to its column (`nearness`),
    whether it lies within the column's range, and `again` where it was used before.
    """

    operations: Float[Array, "conditions hidden"]  # W_u U(op) of the argument selector
    columns: Float[Array, "acting columns"]  # P_j . W^op,col U(op)
    arguments: Float[Array, "columns candidates"]  # G_n . W^col,arg P_j


def shapes(config: NetworkConfig, vocabulary: int) -> Parameters:
    """Return the shape of every parameter, in the places of the parameters."""
    if config.members > 1:
        return map_tree(lambda shape: (config.members, *shape), shapes(replace(config, members=1), vocabulary))
    d = config.hidden
    state = d if config.reader == "rnn" else d // 2
    gates = 3 if config.reader == "gated" else 1
    linked = config.columns == "linked"
    return Parameters(
        words=(vocabulary, d),
        forward=(gates * state, state + d),
        backward=None if config.reader == "rnn" else (gates * state, state + d),
        attention=(d, d) if config.attention else None,
        operations=(len(config.entries), d),
        operation_selector=(d, 2 * d),
        column_selector=(d, 2 * d),
        argument_selector=(d, 3 * d) if config.arguments == "step" else None,
        operation_column=(d, d) if config.arguments == "step" else None,
        column_argument=(d, d) if config.arguments == "step" else None,
        history=(d, 4 * d if config.arguments == "step" else 3 * d),
        names=(d, d) if linked else None,
        features=(len(config.column_features), d) if linked else None,
        meanings=(config.vectors, d) if config.vectors else None,
        name_meanings=(config.vectors, d) if linked and config.vectors else None,
        distances=(2 * FARTHEST + 1,) if linked else None,
        within=(1,) if linked else None,
        remaining=(d, d) if linked else None,
        held=(d, d) if linked else None,
        again=(1,) if linked else None,
        results=(len(config.features), d + 1) if config.chooses == "programs" else None,
        inner=(len(config.features) + len(config.operations), INNER) if config.chooses == "programs" else None,
        outer=(INNER, d + 1) if config.chooses == "programs" else None,
        links=(len(config.link_features), d) if config.link_features else None,
        contents=(config.vectors, d) if config.cells == "written" and config.vectors else None,
    )


def member(parameters: Parameters, place: int) -> Parameters:
    """Return the weights of one of several networks, which stand one after the other in every array."""
    return Parameters(*(None if array is None else array[place] for array in parameters))


def recurrent_states(
    weights: Float[Array, "gates_of_state state_and_hidden"],
    inputs: Float[Array, "words hidden"],
    mask: Bool[Array, "words"],
) -> Float[Array, "words state"]:
    """Return the states of a simple RNN.

    z_i = tanh(W [z_{i-1}; V(w_i)]),  z_0 = 0        (section 2.1)

    Where the mask is False, the state stays as it was: the last state is that of the last word.

    Beyond the paper, with three times as many weights the RNN is gated (Cho et al., 2014):

    r = sigmoid(W_r [z_{i-1}; V(w_i)]),  u = sigmoid(W_u [z_{i-1}; V(w_i)])
    z_i = u * z_{i-1} + (1 - u) * tanh(W_z [r * z_{i-1}; V(w_i)])
    """
    xp = namespace(weights, inputs)
    state = weights.shape[1] - inputs.shape[1]
    recurrent, projected = weights[:, :state].T, inputs @ weights[:, state:].T

    def step(z, word):
        projection, there = word
        z = xp.where(there, xp.tanh(z @ recurrent + projection), z)
        return z, z

    def gated(z, word):
        projection, there = word
        gates = sigmoid(z @ recurrent[:, : 2 * state] + projection[: 2 * state])
        reset, update = gates[:state], gates[state:]
        new = xp.tanh((reset * z) @ recurrent[:, 2 * state :] + projection[2 * state :])
        z = xp.where(there, update * z + (1 - update) * new, z)
        return z, z

    first = xp.zeros(state, dtype=weights.dtype)
    return scan(step if weights.shape[0] == state else gated, first, (projected, mask))[1]


def read(
    parameters: Parameters,
    words: Int[Array, "words"],
    count: Int[Array, ""],
    meanings: Float[Array, "words dimensions"] | None = None,
) -> Reading:
    """Read words from the left, or from both ends: q = z_Q, or both last states in a row (section 2.1).

    Beyond the paper, a word is read as V(w) + W^vector v(w), where v is its static vector.
    """
    xp = namespace(parameters.words, words)
    mask = inside(count, words.shape[0], words)
    inputs = parameters.words[words]
    if parameters.meanings is not None and meanings is not None:
        inputs = inputs + xp.astype(meanings, inputs.dtype) @ parameters.meanings
    forward = recurrent_states(parameters.forward, inputs, mask)
    if parameters.backward is None:
        return Reading(forward[-1], forward, mask)
    backward = xp.flip(recurrent_states(parameters.backward, xp.flip(inputs, axis=0), xp.flip(mask, axis=0)), axis=0)
    states = xp.concat([forward, backward], axis=1)
    return Reading(xp.concat([forward[-1], backward[0]]), states, mask)


class Fixed(NamedTuple):
    """What depends on the weights alone: the same for all questions, and computed once where many are asked."""

    selectors: Float[Array, "selectors hidden hidden"]  # W_q of the selectors
    history: Float[Array, "operations hidden"]  # U W^history
    taking: Float[Array, "conditions hidden"] | None = None  # W_u U(op) of those that take an argument
    acting: Float[Array, "acting hidden"] | None = None  # W^op,col U(op) of those that act on a column


def fixed(parameters: Parameters, acting: list[int], taking: list[int]) -> Fixed:
    """Multiply the weights with each other; `acting` and `taking` are places of operations."""
    stack, hidden = namespace(parameters.operations).stack, parameters.operations.shape[1]
    selectors = [parameters.operation_selector, parameters.column_selector, parameters.argument_selector]
    of_question = stack([selector[:, :hidden].T for selector in selectors if selector is not None])
    history = parameters.operations @ parameters.history.T[:hidden]
    if parameters.argument_selector is None or parameters.operation_column is None:
        return Fixed(of_question, history)
    rows = [parameters.operations[place] for place in range(parameters.operations.shape[0])]
    return Fixed(
        of_question,
        history,
        stack([rows[place] for place in taking]) @ parameters.argument_selector[:, 2 * hidden :].T,
        stack([rows[place] for place in acting]) @ parameters.operation_column.T,
    )


def ask(parameters: Parameters, reading: Reading, fixed: Fixed) -> Asked:
    """Multiply the question by the selectors' weights, once for all steps: W [q; h] = W_q q + W_h h."""
    weights = fixed.selectors
    if parameters.attention is None:
        return Asked(reading.question @ weights, None, None)
    return Asked(reading.question @ weights, reading.states @ weights, reading.states @ parameters.attention)


def attend(
    asked: Asked, mask: Bool[Array, "words"], history: Float[Array, "hidden"]
) -> Float[Array, "selectors hidden"]:
    """Return what the selectors see of the question at this step: W_q q_t, where q_t is q, or with attention

    a_i = softmax_i(z_i . W h_t),  q_t = q + sum_i a_i z_i        (section 3.2.1; the form is ours)
    """
    if asked.keys is None:
        return asked.question
    return asked.question + attention(asked, mask, history) @ asked.states


def attend_all(
    asked: Asked, mask: Bool[Array, "words"], histories: Float[Array, "many hidden"], selector: int
) -> Float[Array, "many hidden"]:
    """Return what one selector sees of the question after each of many histories, as `attend`."""
    if asked.keys is None:
        return asked.question[selector][None]
    assert asked.states is not None
    return asked.question[selector] + softmax(masked(histories @ asked.keys.T, mask)) @ asked.states[selector]


def attention(asked: Asked, mask: Bool[Array, "words"], history: Float[Array, "hidden"]) -> Float[Array, "words"]:
    """a_i, how much of each word is seen at this step."""
    return softmax(masked(asked.keys @ history, mask))


def column_vectors(
    parameters: Parameters, names: Int[Array, "columns name_words"], counts: Int[Array, "columns"]
) -> Float[Array, "columns hidden"]:
    """P: a name of one word by its embedding V, a name of several by the question RNN's reading of it (section 2.2)."""
    xp = namespace(parameters.words, names)
    embedded = parameters.words[names[:, 0]]
    if names.shape[1] == 1:
        return embedded
    _, phrases = scan(lambda none, name: (none, read(parameters, *name).question), (), (names, counts))
    return xp.where(counts[:, None] > 1, phrases, embedded)


def pointed_columns(
    states: Float[Array, "words hidden"], mentions: Bool[Array, "columns words"]
) -> Float[Array, "columns hidden"]:
    """P by pointers: the mean of the question's states where a column is mentioned; zero where it is not."""
    xp = namespace(states)
    where = xp.astype(mentions, states.dtype)
    return (where @ states) / xp.maximum(xp.sum(where, axis=1, keepdims=True), xp.ones_like(where[:, :1]))


def linked_columns(
    parameters: Parameters, config: NetworkConfig, states: Float[Array, "words hidden"], example: Example
) -> Float[Array, "columns hidden"]:
    """P of a column by where the question mentions it, by the words of its name and by what it holds.

    m_ij = 1 where word i mentions column j by its name, 0 where it mentions another or has no vector,
           else sigmoid(sharpness (cos(v(w_i), v(name_j)) - alike)): "earns" may mean "salary"
    P_j = sum_i m_ij z_i / max(1, sum_i m_ij) + W^name (mean of V(w) over the words w of its name)
          + W^vector,name v(name_j) + sum_f F_f + W^content v(texts_j), of cells as people write them
          + W^held (sum of z_n over the texts of the question that it holds and the numbers in its range)
    """
    xp = namespace(parameters.words, example.names)
    assert parameters.names is not None and parameters.features is not None and parameters.held is not None  # noqa: PT018
    there = xp.astype(xp.arange(example.names.shape[1]) < example.name_counts[:, None], states.dtype)
    count = xp.maximum(xp.sum(there, axis=1, keepdims=True), xp.ones_like(there[:, :1]))
    names = xp.sum(parameters.words[example.names] * there[:, :, None], axis=1) / count
    features = example.features[:, feature_places(config.column_features, COLUMN_FEATURES)]
    columns = names @ parameters.names.T + xp.astype(features, states.dtype) @ parameters.features
    if parameters.contents is not None:
        columns = columns + xp.astype(example.contents, states.dtype) @ parameters.contents
    mentions = xp.astype(example.mentions, states.dtype)
    if parameters.name_meanings is not None:
        meanings, said = (xp.astype(part, states.dtype) for part in (example.name_meanings, example.meanings))
        columns = columns + meanings @ parameters.name_meanings
        close = sigmoid(config.sharpness * (meanings @ said.T - config.alike))
        alike = xp.astype(xp.any(said != 0, axis=1), states.dtype) * close
        elsewhere = xp.any(example.mentions, axis=0)  # what mentions one column by its name means no other
        mentions = xp.where(elsewhere, mentions, alike)
    weight = xp.maximum(xp.sum(mentions, axis=1, keepdims=True), xp.ones_like(mentions[:, :1]))
    within = xp.astype(example.within, states.dtype) @ states[example.number_positions]
    links = xp.astype(xp.permute_dims(example.link_texts, (1, 0)) > ELSEWHERE, states.dtype)
    held = within + links @ states[example.link_positions]
    return columns + (mentions @ states) / weight + held @ parameters.held.T


def linked_arguments(
    parameters: Parameters, config: NetworkConfig, states: Float[Array, "candidates hidden"], example: Example
) -> Float[Array, "candidates hidden"]:
    """G of arguments of which it is known how the question mentions them: z_n + sum_f L_f for texts."""
    xp = namespace(states)
    known = example.link_features[:, feature_places(config.link_features, LINK_FEATURES)]
    features = xp.astype(known, states.dtype) @ parameters.links
    numbers = xp.zeros_like(states[: states.shape[0] - features.shape[0]])
    return states + xp.concat([numbers, features])


def nearness(
    parameters: Parameters, example: Example, positions: Int[Array, "candidates"]
) -> Float[Array, "columns candidates"]:
    """Return how far an argument belongs to a column by their places in the question: the mean over the column's
    mentions of

    d(p_n - i), a weight for each distance of argument n from word i
    """
    xp = namespace(parameters.words, positions)
    assert parameters.distances is not None
    apart = xp.clip(positions[None, :] - xp.arange(example.words.shape[0])[:, None], -FARTHEST, FARTHEST) + FARTHEST
    mentions = xp.astype(example.mentions, parameters.words.dtype)
    count = xp.maximum(xp.sum(mentions, axis=1, keepdims=True), xp.ones_like(mentions[:, :1]))
    return mentions @ parameters.distances[apart] / count


def operation_scores(
    parameters: Parameters, seen: Float[Array, "selectors hidden"], history: Float[Array, "hidden"]
) -> Float[Array, "operations"]:
    """U tanh(W^op [q; h_t]), whose softmax is alpha^op_t (section 2.2); `seen` is W_q q for each selector"""
    return selected(parameters.operation_selector, seen[0], history) @ parameters.operations.T


def column_scores(
    parameters: Parameters,
    columns: Float[Array, "columns hidden"],
    seen: Float[Array, "selectors hidden"],
    history: Float[Array, "hidden"],
) -> Float[Array, "columns"]:
    """P tanh(W^col [q; h_t]), whose softmax is alpha^col_t (section 2.2)"""
    return columns @ selected(parameters.column_selector, seen[1], history)


def selected(weights: Array, seen: Float[Array, "hidden"], history: Float[Array, "hidden"]) -> Float[Array, "hidden"]:
    """tanh(W [q; h_t]) = tanh(W_q q + W_h h_t)"""
    hidden = history.shape[0]
    return namespace(weights).tanh(seen + history @ weights[:, hidden : 2 * hidden].T)


def pivot_scores(
    states: Float[Array, "words hidden"], positions: Int[Array, "numbers"], operation: Float[Array, "hidden"]
) -> Float[Array, "numbers"]:
    """Z U(op), whose softmax is beta_op; Z holds the states at the words to the left of the numbers (section 2.3)"""
    return states[positions] @ operation


def argument_scores(
    parameters: Parameters,
    candidates: Float[Array, "candidates hidden"],
    operations: Float[Array, "conditions hidden"],
    seen: Float[Array, "selectors hidden"],
    history: Float[Array, "hidden"],
) -> Float[Array, "conditions candidates"]:
    """G tanh(W^arg [q; h_t; U(op)]): an argument for each operation that takes one.

    G holds the states at the words to the left of the numbers (of linked questions: at the numbers), and at the words;
    `operations` is W_u U(op). Beyond the paper, where beta_op is the same for all steps.
    """
    weights = parameters.argument_selector
    assert weights is not None, "this network chooses its arguments once for the whole question"
    hidden = history.shape[0]
    state = seen[2] + history @ weights[:, hidden : 2 * hidden].T
    return namespace(state).tanh(state + operations) @ candidates.T


def belonging(
    parameters: Parameters,
    columns: Float[Array, "columns hidden"],
    candidates: Float[Array, "candidates hidden"],
    fixed: Fixed,
) -> Belonging:
    """Return how far columns belong to operations and arguments to columns: the same for all steps."""
    assert parameters.column_argument is not None and fixed.taking is not None and fixed.acting is not None  # noqa: PT018
    return Belonging(
        operations=fixed.taking,
        columns=fixed.acting @ columns.T,
        arguments=columns @ parameters.column_argument.T @ candidates.T,
    )


def text_matches(
    parameters: Parameters, reading: Reading, columns: Float[Array, "columns hidden"], example: Example
) -> Float[Array, "texts columns"]:
    """Return how far each distinct text of the table matches the question, if it stands in column k (section 2.3.1).

    B[m][k] = sigmoid(A[m][k] . q)                     coarse selection of the entries
    D[k]    = 1/M sum_m B[m][k] A[m][k],  E = D + P    question-specific columns, sensitive to the name
    G[k]    = sum_i softmax_i(E[k] . z_i) z_i          attention from the column back to the question
    text_match[m][k] = sigmoid(A[m][k] . G[k])

    A[m][k] = V(cell) depends on the cell's text alone, so each distinct text is computed once and weighted by how
    often it stands in the column.
    """
    xp = namespace(parameters.words, example.cells)
    entries = parameters.words[example.texts]  # A, one row a text
    coarse = sigmoid(entries @ reading.question)  # B
    there = inside(example.row_count, example.cells.shape[0], example.cells)[:, None] & example.text_columns
    same = (example.cells[:, :, None] == xp.arange(entries.shape[0])) & there[:, :, None]
    rows = xp.astype(xp.maximum(example.row_count, xp.ones_like(example.row_count)), entries.dtype)  # M, or 1 if none
    shares = xp.sum(xp.astype(same, entries.dtype), axis=0) / rows
    attending = (shares * coarse) @ entries + columns  # E
    attention = softmax(masked(attending @ reading.states.T, reading.mask))
    return sigmoid(entries @ (attention @ reading.states).T)


def history_inputs(
    parameters: Parameters,
    columns: Float[Array, "columns hidden"],
    candidates: Float[Array, "candidates hidden"] | None,
    fixed: Fixed,
) -> tuple[Array, Array, Array | None]:
    """U W, P W and, with an argument at every step, G W: what each choice adds to the history, computed once."""
    hidden = parameters.operations.shape[1]
    weights = parameters.history.T
    from_argument = None if candidates is None else candidates @ weights[2 * hidden : 3 * hidden]
    return fixed.history, columns @ weights[hidden : 2 * hidden], from_argument


def unused(
    parameters: Parameters, candidates: Float[Array, "candidates hidden"], left: Float[Array, "candidates"]
) -> Float[Array, "hidden"]:
    """W^remaining sum_n left(n) G_n: what the question has said and no step has used yet, for the history."""
    assert parameters.remaining is not None
    return (left @ candidates) @ parameters.remaining.T


def next_history(
    parameters: Parameters, history: Float[Array, "*#many hidden"], chosen: Float[Array, "*#many hidden"]
) -> Float[Array, "*many hidden"]:
    """Return what the controller remembers of its choices (section 2.4).

    c_t = [alpha^op_{t-1} U; alpha^col_{t-1} P],  h_t = tanh(W^history [c_t; h_{t-1}])

    `chosen` is W^history c_t, put together from `history_inputs`; where arguments are chosen at every step, c_t has
    beta_{t-1} G too, and of linked questions `unused` is added.
    """
    hidden = history.shape[-1]
    return namespace(history).tanh(chosen + history @ parameters.history[:, -hidden:].T)


def initial(config: NetworkConfig, vocabulary: int, generator: np.random.Generator) -> Parameters:
    """Parameters drawn uniformly from [-0.1, 0.1] (section 3.2.1)."""

    return map_tree(lambda shape: generator.uniform(-0.1, 0.1, shape).astype(np.float32), shapes(config, vocabulary))
