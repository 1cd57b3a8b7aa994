"""Questions that a table does not answer, as like to those that it answers as can be."""

from neural_programmer.tasks.english.conditions import said, value_said
from neural_programmer.tasks.english.rows import draw_rows, unmarked
from neural_programmer.tasks.english.speech import number_said, plural
from neural_programmer.tasks.english.tables import Column, Scene

# t: things, o: one thing, p: the things with conditions, s: one of them, c and d: columns of numbers, k: a column of
# texts, v and w: cells of one column, n: the column of names, m: what the table does not hold, y: a year, i: a number
CHAT = (
    "hello|hi there|tell me a joke|what is your name|how are you today|thanks a lot|ok bye|what can you do|who made you|"
    "what's the weather like|how is the weather today|good morning|are you a robot|what time is it|sing me a song|help|"
    "what is the meaning of life|never mind|that was wrong|can you help me with my homework|who won the world cup|"
    "translate this into french|what is 5 times 7|what day is it|thank you|who is the president|write a poem about {v}|"
    "tell me something interesting|what do you think|do you like {v}|nice work|i am bored|say something about {v}"
).split("|")
OPINION = (
    "should i buy {v}|is {v} any good|which {o} would you recommend|what do you think about {v}|which {o} is the nicest|"
    "which of the {t} is the most interesting|is {v} a good choice|why is the {c} of {v} so high|why is the {c} so low|"
    "why are there so many {p}|why does {v} have such a low {c}|what caused the {c} of {v}|who will win next year|"
    "what will the {c} of {v} be next year|predict the {c} for {y}|how will the {c} develop|forecast the {c} of {v} for {y}|"
    "how can we raise the {c}|how can we improve the {c} of {v}|is the {c} of {v} too high|is the {c} fair|do people like {v}|"
    "can {v} be trusted|which {o} should i choose|what should we do about {v}|explain the {c} of {v}|what does {c} mean|"
    "is it worth having {v}|why did {v} do so badly|what is the best {o} for a beginner|are the {p} any good|how do i get to {v}|"
    "what happened to {v}|which {o} has the brightest future|who is to blame for the {c} of {v}|what can you tell me about {v}|"
    "will {v} be better next year|what would happen if the {c} doubled|how reliable is {v}|which {o} do people like best|"
    "how does {v} work|why is {v} not in the list|what is so special about {v}|tell me the story of {v}|"
    "would {v} or {w} be the better choice|what {o} fits me best|how many {t} will there be in {y}|expected {c} for {y}"
).split("|")
BEYOND = (
    "average {c} per {k}|total {c} for each {k}|{c} by {k}|number of {t} per {k}|for each {k}, how many {t}|sum of {c} by {k}|"
    "how many {t} in each {k}|count of {t} by {k}|average {c} grouped by {k}|break the {c} down by {k}|which {k} has the most {t}|"
    "what is the {c} per {k}|which {k} has the highest average {c}|which {k} has the highest total {c}|"
    "top {i} {t} by {c}|the {i} {t} with the highest {c}|second highest {c}|which {o} has the second highest {c}|third largest {c}|"
    "sort the {t} by {c}|rank the {t} by {c}|list the {t} in order of {c}|order {p} by {c}|first {i} {t} sorted by {c}|"
    "{i} biggest {t} by {c}|bottom {i} by {c}|list the top {i} {p}|who comes second in {c}|"
    "what percentage of {t} are {v}|share of {v} in the total {c}|what share of the {c} comes from {v}|what fraction of {t} {a}|"
    "what percent of the {t} have {c} over {i}|proportion of {t} with {k} {v}|how many percent of {t} {a}|"
    "ratio of {c} to {d}|{c} divided by {d}|{c} per {d}|{c} times {d}|what is the {c} multiplied by {d}|"
    "is there a correlation between {c} and {d}|does {c} depend on {d}|how are {c} and {d} related|correlation of {c} with {d}|"
    "median {c}|what is the median {c} of {p}|standard deviation of {c}|variance of the {c}|90th percentile of {c}|median {c} {a}|"
    "most common {k}|which {k} appears most often|what is the most frequent {k}|most popular {k} among {p}|mode of {k}|"
    "how has the {c} changed over time|trend of {c}|growth of {c} since {y}|is the {c} rising|by how many percent did the {c} grow|"
    "does {v} have a higher {c} than {w}|is {v} above {w} in {c}|is the {c} of {v} more than {i}|do {v} and {w} have the same {k}|"
    "are there more {v} than {w}|is {v} in the table|did {v} have more {c} than {w}|does {v} have the highest {c}|"
    "draw a chart of {c}|plot {c} against {d}|make a pie chart of {k}|histogram of {c}|show me a graph of the {c} of {p}|"
    "delete the {t} where {c} is over {i}|remove {v}|change the {c} of {v} to {i}|add a row for {v}|set {c} to {i} where {k} is {v}|"
    "rename the column {c}|update the {c} of {v}|drop table {t}|select * from {t}|insert a new {o}|delete {v} from the table|"
    "export the {p} to excel|send the {p} to my boss|print this on paper|convert the {c} to euros|fill in the missing {c}|"
    "which {t} have the same {c} as {v}|which {t} are like {v}|cumulative {c}|running total of {c}|how many different {k}s are there|"
    "what is the average number of {t} per {k}|which {k} is missing|group the {t} by {k}|which two {t} are closest in {c}|"
    "how many {t} are above the average {c}|which {t} have a {c} above average|how many times {v} is {w}|"
    "what is the {c} of {v} as a percentage of all {t}|compare {v} and {w}|which {t} were duplicated|list duplicates in {k}"
).split("|")
MISSING = (
    "what is the {m} of {v}|{m} of {v}|what is {v}'s {m}|which {m} does {v} have|how much {m} does {v} have|average {m} of {p}|"
    "total {m} of {p}|total {m}|which {o} has the highest {m}|{m} of the {s}|list the {m} of {p}|how many {m} does {v} have|"
    "does {v} have {m}|what {m} does the {s} have|highest {m} among {p}|{p} with {m} over {i}|how many {t} have {m}|"
    "list all {t} with {m} below {i}|show me the {m} for {v}|who has the most {m}|tell me the {m} of {v}|average {m} {a}|"
    "how many {p} have {m}|{m} where {k} is {v}|sum of {m} for {k} {v}|the lowest {m}|what's the {m} for {v}|lowest {m} {a}|"
    "{t} with the best {m}|number of {m} in {v}|which {t} have {m} above {i}|minimum {m} of {p}|{v} {m}|give me the {m} of {p}"
).split("|")
ABSENT = (
    "what is the {c} of {x}|{c} of {x}|what is the {n} of {x}|{x}'s {c}|how much {c} does {x} have|tell me the {c} for {x}|"
    "show the {c} of {x}|what was the {c} for {x}|{d} for {x}|look up {x}"
).split("|")
ABSENT_GROUP = (
    "how many {t} with {k} {x}|total {c} where {k} is {x}|average {c} of {t} with {k} {x}|list the {n} where {k} is {x}|"
    "which {t} have {k} {x}|sum of {c} for {k} {x}|highest {c} for {x}|how many {t} {f}|average {c} of {t} {f}|which {t} are {f}|"
    "total {c} of the {t} {f}|list {t} {f}|how many {p} {f}|count {t} where {k} is {x}|lowest {c} {f}|{c} of {x}"
).split("|")
ELSEWHERE = (
    "engine size|shoe size|wingspan|calories|battery life|parking spots|number of doors|tax rate|postcode|phone number|email address|"
    "blood pressure|interest rate|page count|seating capacity|star sign|favourite food|carbon footprint|number of windows|"
    "insurance number|bank account|nickname|password|serial number|warranty|ceo|spouse|screen size|salary|weight|height|altitude|"
    "population|rainfall|goals|votes|depth|opening hours|website|mileage|tuition|rent|horsepower|average grade|shelf life"
).split("|")


def decline(scene: Scene) -> str | None:
    """A question without an answer."""
    roll = scene.random.random()
    if roll < 0.06:
        ways = CHAT
    elif roll < 0.24:
        ways = OPINION
    elif roll < 0.52:
        ways = BEYOND
    elif roll < 0.8:
        return _missing(scene)
    else:
        return _absent(scene)
    return filled(scene, scene.pick(ways))


def filled(scene: Scene, form: str, **given: str) -> str | None:
    """A form with the things, columns and cells of a scene in its places."""
    numbers, texts = scene.of("number"), scene.of("text")
    about = scene.name if scene.name and (scene.chance(0.6) or not texts) else scene.pick(texts) if texts else None
    if not numbers or about is None or not scene.cells(about):
        return None
    one, two = scene.pick(numbers), scene.pick(numbers)
    if "{d}" in form and "{c}" in form and one is two:
        return None
    group = scene.pick(texts) if texts else about
    if "{k}" in form and "{v}" in form:
        about = group
    cells = scene.cells(about)
    if not cells:
        return None
    v, w = scene.pick(cells), scene.pick(cells)
    if "{w}" in form and v == w:
        return None
    rows = draw_rows(scene, scene.chance(0.3), least=1, most=2)
    if not rows.conditions:
        return None
    fields = {
        "t": scene.things, "o": scene.thing, "c": said(scene, one), "d": said(scene, two), "k": said(scene, group),
        "v": value_said(scene, v), "w": value_said(scene, w), "n": scene.name.said if scene.name else scene.thing,
        "y": str(scene.random.randint(2026, 2040)), "i": _amount(scene, one),
        "p": rows.phrase() if "{p}" in form else "", "s": rows.phrase(one=True) if "{s}" in form else "",
        "a": rows.where() if "{a}" in form else "",
    }  # fmt: skip
    return unmarked(form.format(**(fields | given)))


def _amount(scene: Scene, column: Column) -> str:
    small = scene.pick((2, 3, 3, 4, 5, 5, 10, 20, 50, 100))
    return number_said(float(small), scene.random, column.source.unit if scene.chance(0.2) else ())


def _missing(scene: Scene) -> str | None:
    """About what no column holds."""
    domain = scene.domain
    if domain.odd and scene.chance(0.3) and scene.name and scene.cells(scene.name):
        return scene.pick(domain.odd).format(value_said(scene, scene.pick(scene.cells(scene.name))))
    present = set(scene.columns)
    left_out = [source for source in domain.columns if source.kind in ("number", "text") and
                not any(column.source is source for column in present)]  # fmt: skip
    if left_out and scene.chance(0.35):
        what = scene.pick(left_out).names[0].split("~")[-1]
    else:
        what = scene.pick(domain.missing if domain.missing and scene.chance(0.65) else ELSEWHERE)
    words = set(what.split())
    claims = {word for column in scene.columns for claim in column.source.claims for word in claim.split()}
    if words & (scene.taken | claims | {plural(word) for word in scene.taken}):
        return None
    return filled(scene, scene.pick(MISSING), m=what)


def _absent(scene: Scene) -> str | None:
    """About what no cell says."""
    found = [column for column in scene.of("name", "id", "text") if column.absent]
    if not found:
        return None
    column = scene.pick(found)
    cell = scene.pick(column.absent)
    words = {part for text in scene.columns for part in text.pool}
    if cell in words or set(cell.casefold().split()) & scene.taken:
        return None
    value = cell if scene.chance(0.6) else cell.lower()
    if column.kind != "text":
        return filled(scene, scene.pick(ABSENT), x=value)
    way = scene.pick(column.source.ways or ("with {}",)).format(value)
    return filled(scene, scene.pick(ABSENT_GROUP), x=value, f=way, k=column.said)
