"""Units that people say and that names of columns end in."""

UNIT_NAMES = {
    "millisecond": "millisecond ms", "second": "second sec s", "minute": "minute min", "hour": "hour hr hrs h",
    "day": "day", "week": "week wk wks", "month": "month mo", "year": "year yr yrs", "decade": "decade",
    "century": "century",
    "millimetre": "millimetre millimeter mm", "centimetre": "centimetre centimeter cm", "metre": "metre meter m",
    "kilometre": "kilometre kilometer km", "milligram": "milligram mg", "gram": "gram gramme g",
    "kilo": "kilo kilogram kg", "tonne": "tonne ton t", "millilitre": "millilitre milliliter ml",
    "litre": "litre liter l",
}  # fmt: skip
UNIT_OF = {word: unit for unit, words in UNIT_NAMES.items() for word in words.split()}
ENDING = frozenset(UNIT_OF) | frozenset(  # of names, as they are compared
    "percent percentage pct usd eur gbp chf jpy inr cad aud sek dollar euro pound mi mile ft foot feet inch m2 "
    "km2 m3 ha lb oz kmh kph mph kw kwh mw mwh gw gwh w v hz mhz ghz kb mb gb tb bar psi kpa celsius fahrenheit c f "
    "sqm sqft kcal degree".split()
)
