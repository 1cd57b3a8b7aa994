"""Words of the slots of asked.txt, by what they mean."""

COMPARED = {  # an operator, and what is said for it before a number
    "greater": ("over", "more than", "above", "greater than", "higher than"),
    "less": ("under", "less than", "below", "lower than"),
    "at least": ("at least", "no less than", "a minimum of"), "at most": ("at most", "no more than", "up to"),
}  # fmt: skip
SHARES = {"half": 50.0, "a third": 100 / 3, "a quarter": 25.0, "two thirds": 200 / 3, "three quarters": 75.0,
          "30 percent": 30.0, "10%": 10.0, "a tenth": 10.0}  # fmt: skip
FACTORS = {"twice": 2.0, "three times": 3.0, "double": 2.0, "1.5 times": 1.5}
PARTS = ("year", "month", "quarter", "week", "weekday", "day", "day of the week", "month of the year")
DAYS = {"weekends": (6, 7), "weekdays": (1, 2, 3, 4, 5), "Mondays": (1,), "Saturdays": (6,), "Sundays": (7,),
        "Fridays": (5,), "a Wednesday": (3,), "the weekend": (6, 7)}  # fmt: skip
AGO = ("last year", "last month", "the last 7 days", "the last 30 days", "this year", "this month", "the past 3 months",
       "the last two weeks", "the past year", "the last 12 months")  # fmt: skip
SEASONS = {"summer": 6, "autumn": 9, "spring": 3}
MEASURES = {"average": ("average", "mean", "avg", "average"), "sum": ("total", "total", "summed"),
            "median": ("median",), "maximum": ("maximum", "highest", "max"),
            "minimum": ("minimum", "lowest", "min")}  # fmt: skip
STATISTICS = {"median": ("median",), "standard deviation": ("standard deviation", "std dev"),
              "variance": ("variance",), "range": ("range",)}  # fmt: skip
EXTREMES = {"descending": ("highest", "largest", "greatest", "biggest"), "ascending": ("lowest", "smallest")}
MANY = {"descending": ("most", "most", "largest number of", "highest number of"),
        "ascending": ("fewest", "smallest number of", "lowest number of")}  # fmt: skip
DIRECTIONS = {"descending": ("descending", "decreasing"), "ascending": ("ascending", "increasing")}
FIRST = {"descending": ("largest first", "highest first", "descending", "in descending order"),
         "ascending": ("smallest first", "lowest first", "ascending", "in ascending order")}  # fmt: skip
ENDS = {"descending": ("top", "top", "first"), "ascending": ("bottom",)}
THAN = {"greater": ("more than", "over"), "less": ("fewer than", "less than"), "at least": ("at least",),
        "at most": ("at most", "no more than"), "equal": ("exactly",)}  # fmt: skip
HIGHER = {"greater": ("higher", "larger", "greater"), "less": ("lower", "smaller")}
SIDES = {"greater": ("above", "over"), "less": ("below", "under")}
WAYS = {"at least": ("after",), "less": ("before",)}  # of hours
EVER = {"at least": ("since",), "greater": ("after",), "less": ("before", "prior to"), "at most": ("until", "up to")}
OPERATORS = {
    "multiply": ("times", "multiplied by"),
    "subtract": ("minus",),
    "add": ("plus",),
    "divide": ("divided by",),
}
WANTED = {"rows": ("", "which ", "the "), "count": ("how many ", "number of ", "count the ")}
MIDDLES = {"average": ("average", "mean"), "median": ("median",)}
SEVERAL = {"average median": ("average and median",), "minimum maximum average": ("minimum, maximum and average",),
           "sum average": ("total and average",)}  # fmt: skip
CHOSEN = {  # slots for words of one of several meanings: what they are, and the words by meaning
    "measure": ("measure", MEASURES), "statistic": ("measure", STATISTICS), "extreme": ("order", EXTREMES),
    "many": ("order", MANY), "end": ("order", ENDS), "than": ("operator", THAN), "higher": ("operator", HIGHER),
    "side": ("operator", SIDES), "way": ("operator", WAYS), "ever": ("operator", EVER),
    "operator": ("operator", OPERATORS), "want": ("output", WANTED), "middle": ("measure", MIDDLES),
    "measures": ("measures", SEVERAL),
}  # fmt: skip
