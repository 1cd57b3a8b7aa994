"""Programs that people wrote for the analysts' questions of part `a` give the answers that were settled."""

import pytest

from analyst_tables import opened, programs, questions, tables, there
from neural_programmer.engines import duck
from neural_programmer.programs.program import run
from neural_programmer.programs.same import is_right
from neural_programmer.programs.text import parse, write

RIGHT = {
    "bechdel_movies": 33,
    "biopics": 36,
    "bob_ross": 29,
    "cabinet_turnover": 34,
    "chess_transfers": 34,
    "police_killings": 35,
    "sp500_companies": 36,
    "weather_charlotte": 36,
}


@pytest.mark.parametrize("name", tables("a"))
def test_every_answerable_question_has_a_program_or_needs_something(name):
    asked, written = questions("a", name), programs("a", name)
    assert set(written) == {one["id"] for one in asked.values() if one["answer"] is not None}
    for one in written.values():
        assert {"id"} < set(one) <= {"id", "program", "needs"}, one["id"]
        if "program" in one:
            assert write(parse(one["program"])) == one["program"]
            assert len(parse(one["program"]).steps) <= 12
    assert sum("needs" not in one for one in written.values()) == RIGHT[name]


@there
@pytest.mark.parametrize("name", tables("a"))
def test_programs_give_the_answers(name, tmp_path):
    asked = questions("a", name)
    with opened(name, tmp_path) as source:
        table = source.table()
        for one in programs("a", name).values():
            if "program" not in one:
                continue
            program, question = parse(one["program"]), asked[one["id"]]
            wanted, ordered = [question["answer"], *question.get("accept", [])], question["ordered"]
            said = run(program, table).answer
            right = any(is_right(said.value, each, ordered) for each in wanted)
            assert right == ("needs" not in one), (one["id"], said.reason, said.value)
            told = duck.answer(program, source)[0].value
            assert is_right(told, said.value), (one["id"], told, said.value)  # what is alike has no order there
