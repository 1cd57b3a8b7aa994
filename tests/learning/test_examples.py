"""Questions made ready for training: the same from a seed however many processes draw them; arrays decoded again."""

import os
from dataclasses import replace

import numpy as np
import pytest

from neural_programmer.data.language import STEPS, Speaker
from neural_programmer.data.paper.draws import generator_of
from neural_programmer.learning import examples
from neural_programmer.learning.examples import (
    COMMON_AMONG,
    PROGRAMS_KEPT,
    WORD_TIMES,
    Linked,
    common_words,
    drawn,
    encoded,
    linked,
    numbered,
    vocabulary_of,
)
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import ABSENT, UNKNOWN, Example, Sizes, sizes
from neural_programmer.network.soft import ALL
from neural_programmer.programs.moves import Move
from neural_programmer.programs.operations import BUILT_IN
from neural_programmer.programs.program import Program, Step, run
from neural_programmer.questions.index import Index
from neural_programmer.questions.link import PLACEHOLDERS
from neural_programmer.questions.question import Question

CONFIG = NetworkConfig(hidden=8, program_steps=STEPS, columns="linked", operations=ALL)
COUNT = 60


@pytest.fixture(scope="module")
def asked():
    speaker = Speaker(generator_of(3, 5, 0))
    return [speaker.draw() for _ in range(COUNT)]


@pytest.fixture(scope="module")
def ready():
    return drawn(COUNT, STEPS, seed=3, stream=5)


def test_the_same_seed_draws_the_same_questions(ready):
    assert repr(drawn(20, STEPS, 3, 5)) == repr(ready[:20])
    assert repr(drawn(20, STEPS, 4, 5)) != repr(ready[:20])
    assert repr(drawn(20, STEPS, 3, 6)) != repr(ready[:20])


def test_several_processes_draw_what_one_draws(monkeypatch):
    """Each part has random numbers of its own; the processes leave the environment as it was."""
    monkeypatch.setattr(examples, "QUESTIONS_A_PART", 4)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    reported = []
    together = drawn(7, STEPS, 3, 5, reported.append)
    alone = [one for part in ((0, 4), (1, 3)) for one in examples._drawn(STEPS, 3, 5, part)]
    assert repr(together) == repr(alone)
    assert reported == [4, 7]
    assert os.environ["OMP_NUM_THREADS"] == "3"
    assert "OPENBLAS_NUM_THREADS" not in os.environ


def program_of(moves, question, table):
    steps = []
    for move in moves:
        argument = None
        if move.number >= 0:
            dated = table.columns[move.column].dtype.kind == "M"
            argument = (question.periods if dated else question.numbers)[move.number]
        elif move.link >= 0:
            argument = (question.links[move.link].texts[move.column],)
        steps.append(Step(move.operation, table.names[move.column] if move.column >= 0 else None, argument))
    return Program(tuple(steps))


def test_questions_have_programs_that_answer_them(asked, ready):
    """Each of them gives the answer of every table; for nearly all questions there is one, for few too many."""
    for each, one in zip(asked, ready, strict=True):
        assert len(one.programs) <= PROGRAMS_KEPT
        assert len(set(one.programs)) == len(one.programs)
        for moves in one.programs:
            program = program_of(moves, one.question, each.tables[0])
            for table, answer in zip(each.tables, each.answers, strict=True):
                assert str(run(program, table).answer).split(":")[0] == str(answer).split(":")[0], f"{program}"
    assert np.mean([bool(one.programs) for one in ready]) > 0.93


def test_programs_that_use_most_of_what_is_mentioned_come_first(ready):
    for one in ready:
        used = [len({(move.number, move.link) for move in moves}) for moves in one.programs]
        assert used == sorted(used, reverse=True)
    assert max(len(one.programs) for one in ready) == PROGRAMS_KEPT


def test_of_a_table_what_is_known_of_its_columns_is_kept_without_their_texts(asked, ready):
    for each, one in zip(asked, ready, strict=True):
        columns = Index.of(each.tables[0]).columns
        assert repr(one.index.columns) == repr(tuple(replace(column, texts=()) for column in columns))
    assert repr(linked(asked[0], STEPS)) == repr(ready[0])


def question_of(text):
    words = tuple(text.split())
    return Question(words, (), (), (), ((),), (), words)


def test_the_vocabulary_has_words_that_were_met_often_enough(ready):
    index = ready[0].index
    often, seldom = "often " * WORD_TIMES, "seldom " * (WORD_TIMES - 1)
    vocabulary = vocabulary_of(
        [Linked(question_of(often + seldom), index, ()), Linked(question_of("x y often"), index, ())]
    )
    assert set(vocabulary.words) == {"", "often", UNKNOWN, *PLACEHOLDERS}
    assert vocabulary.encode(["seldom", "often"]) == [vocabulary.places[UNKNOWN], vocabulary.places["often"]]
    whole = vocabulary_of(ready)
    assert {"how", "the", *PLACEHOLDERS} < set(whole.words)
    assert len(whole) < len({word for one in ready for word in one.question.words})


def test_common_words_are_those_of_many_questions(ready):
    """At least one in two hundred has them; twice in one question counts once."""
    index = ready[0].index
    texts = [*["how many"] * COMMON_AMONG, "twice twice", *["rare how"] * 2, *["x"] * (2 * COMMON_AMONG - 3)]
    assert len(texts) == 3 * COMMON_AMONG
    dataset = [Linked(question_of(text), index, ()) for text in texts]
    assert common_words(dataset) == {"how", "many", "x"}
    dataset[-1] = Linked(question_of("rare"), index, ())
    assert common_words(dataset) == {"how", "many", "x", "rare"}


def decoded(program, config, numbers):
    """The moves of numbers, without the steps before them that select all rows."""
    moves = []
    for place, column, argument in program.tolist():
        entry = BUILT_IN[config.operations[place]]
        assert entry.column != "none" or column == 0
        assert entry.argument != "none" or argument == 0
        number = argument if entry.argument == "number" else -1
        link = argument - numbers if entry.argument == "text" else -1
        moves.append(Move(entry.name, column if entry.column != "none" else -1, number, link))
    while len(moves) > 1 and moves[0].operation == "reset":
        moves = moves[1:]
    return tuple(moves)


def test_arrays_agree_with_the_questions_and_their_programs(ready):
    vocabulary = vocabulary_of(ready)
    batch, programs, right = encoded(ready, vocabulary, CONFIG)
    room = Sizes()
    for one in ready:
        room = room.join(sizes(one.question, one.index, CONFIG))
    assert isinstance(batch, Example)
    assert programs.shape == (COUNT, PROGRAMS_KEPT, STEPS, 3)
    assert batch.numbers.shape == (COUNT, room.numbers)
    for place, one in enumerate(ready):
        assert right[place].tolist() == [slot < len(one.programs) for slot in range(PROGRAMS_KEPT)]
        assert tuple(decoded(p, CONFIG, room.numbers) for p in programs[place][right[place]]) == one.programs
        assert not programs[place][~right[place]].any()
        read = [vocabulary.words[word] for word in batch.words[place][: batch.word_count[place]]]
        assert read == [word if word in vocabulary.places else UNKNOWN for word in one.question.words]
        for program in programs[place][right[place]]:
            for operation, column, argument in program:
                if BUILT_IN[ALL[operation]].argument == "text":
                    assert batch.link_texts[place, argument - room.numbers, column] == ABSENT
                assert column < batch.column_count[place]


def test_questions_without_programs_have_none_marked_right(ready):
    none = [replace(one, programs=()) for one in ready[:3]]
    _, programs, right = encoded([*none, *ready[3:6]], vocabulary_of(ready), CONFIG)
    assert not right[:3].any()
    assert not programs[:3].any()
    assert right[3:].any(axis=1).tolist() == [bool(one.programs) for one in ready[3:6]]


def test_a_program_in_numbers_stands_at_the_end():
    """Before it all rows are selected; texts stand behind the places for numbers."""
    config = replace(CONFIG, program_steps=5)
    moves = [Move("text match", 2, link=1), Move("greater", 1, number=3), Move("and"), Move("count")]
    found = numbered(moves, config, numbers=4)
    names = [ALL.index(name) for name in ("reset", "text match", "greater", "and", "count")]
    assert found.tolist() == [[names[0], 0, 0], [names[1], 2, 5], [names[2], 1, 3], [names[3], 0, 0], [names[4], 0, 0]]
