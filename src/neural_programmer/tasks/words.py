"""The words of the English that `language.py` speaks: what tables are about, and how people say each operation."""

from typing import NamedTuple


class Number(NamedTuple):
    """A column of numbers: its names, its range, and the words that mean it without naming it."""

    names: str  # with | between them
    low: float
    high: float
    decimals: int = 0
    more: str = ""  # comparatives: "older", "more expensive"
    less: str = ""
    most: str = ""  # superlatives: "oldest"
    least: str = ""


class Text(NamedTuple):
    """A column of text: its names, its cells, and how one says that it is one of them."""

    names: str
    cells: str  # with | between them; empty where every row has a name of its own
    ways: str = ""  # "in {}" after the things, "{} things" before them is written as "{}"


class Domain(NamedTuple):
    """What a table is about: what a row is called, and its columns."""

    things: str  # plural|singular of each way to call them
    who: bool
    name: Text
    texts: tuple[Text, ...]
    numbers: tuple[Number, ...]
    dates: str = ""  # names of date columns, with the verb: "founded=founded"
    truths: str = ""  # names of columns of yes and no


MONEY = dict(more="more expensive|dearer|costlier|pricier", less="cheaper|less expensive", most="most expensive|priciest|dearest", least="cheapest|least expensive")
AGE = dict(more="older", less="younger", most="oldest", least="youngest")
SIZE = dict(more="bigger|larger", less="smaller", most="biggest|largest", least="smallest")
LONG = dict(more="longer", less="shorter", most="longest", least="shortest")
HEAVY = dict(more="heavier", less="lighter", most="heaviest", least="lightest")
HIGH = dict(more="higher|taller", less="lower", most="highest|tallest", least="lowest")
FAST = dict(more="faster|quicker", less="slower", most="fastest|quickest", least="slowest")
NEW = dict(more="newer|more recent", less="older", most="newest|latest|most recent", least="oldest|earliest")

PLACES = "London|Paris|New York|Tokyo|Berlin|Madrid|Rome|Oslo|Cape Town|Lima|Cairo|Mumbai|Toronto|Sydney|Dublin|Lisbon"
COUNTRIES = "France|Germany|Japan|Brazil|India|United States|Kenya|Norway|South Africa|Mexico|Spain|Italy|Canada|China"
REGIONS = "Europe|Asia|Africa|North America|South America|Oceania|Middle East"
COLOURS = "red|blue|green|black|white|grey|yellow|silver|orange"
FIRST = "Anna|Omar|Li|Grace|Victor|Nina|Hugo|Priya|Sam|Elena|Tom|Yuki|Karim|Julia|Marco|Ruth|Ivan|Sofia|Paul|Amara"
LAST = "Smith|Garcia|Tanaka|Okafor|Novak|Rossi|Müller|Silva|Khan|Larsen|Dubois|Kim|Brown|Haddad|Costa|Ivanova|Reed"
PARTS = "Alpha|Nova|Delta|Prime|Orion|Vega|Apex|Luna|Terra|Echo|Zephyr|Cobalt|Willow|Harbor|Summit|Cedar|Falcon|River"

DOMAINS: tuple[Domain, ...] = (
    Domain("orders|order|sales|sale|purchases|purchase", False, Text("order id|order number|invoice|order", ""),
           (Text("region|sales region|area", REGIONS, "in {}|from {}|for {}"), Text("product|item|product name", "laptop|phone|desk|chair|lamp|monitor|keyboard", "of {}|for {}"),
            Text("customer|client|buyer", "", "from {}|by {}|of {}"), Text("status|order status", "shipped|pending|cancelled|returned", "that are {}|{}")),
           (Number("quantity|units|qty|amount ordered", 1, 90), Number("price|unit price|cost", 2, 900, 2, **MONEY), Number("revenue|sales|net sales|turnover|total", 10, 90000, 2), Number("discount", 0, 40), Number("year", 2012, 2025)),
           "date=placed|order date=ordered|shipped on=shipped", "paid|gift"),
    Domain("employees|employee|people|person|workers|worker|staff members|staff member", True, Text("name|employee|employee name|full name", ""),
           (Text("department|dept|team|division", "Engineering|Marketing|Finance|Legal|Human Resources|Support", "in {}|from {}|of {}"), Text("city|office|location", PLACES, "in {}|based in {}|from {}"),
            Text("position|job title|role", "manager|analyst|designer|developer|assistant|director", "who are {}|working as {}|{}")),
           (Number("salary|pay|wage|income", 18000, 190000), Number("age", 18, 66, 0, **AGE), Number("bonus", 0, 20000), Number("years of service|experience|tenure", 0, 40)),
           "hired=hired|start date=started|birthday=born", "remote|full time|married"),
    Domain("cities|city|towns|town|places|place", False, Text("city|town|name", ""),
           (Text("country|nation", COUNTRIES, "in {}|of {}|from {}"), Text("continent|region", REGIONS, "in {}|of {}"), Text("mayor", "", "of {}|under {}")),
           (Number("population|inhabitants|residents", 900, 12000000, 0, **SIZE), Number("area|area km2|surface", 5, 4000, 1, **SIZE), Number("elevation|altitude|height", 0, 3600, 0, **HIGH), Number("founded|year founded", 800, 1990, 0, **NEW)),
           "", "coastal|capital"),
    Domain("films|film|movies|movie|pictures|picture", False, Text("title|film|movie|name", ""),
           (Text("director|directed by", "", "by {}|of {}|directed by {}"), Text("genre|category|kind", "drama|comedy|horror|western|animation|documentary|musical", "{}|that are {}"), Text("studio|company", PARTS, "from {}|by {}|made by {}"), Text("country", COUNTRIES, "from {}|made in {}")),
           (Number("budget|cost", 100000, 200000000, 0, **MONEY), Number("gross|box office|earnings|revenue", 100000, 900000000), Number("length|duration|running time|minutes", 60, 220, 0, **LONG), Number("rating|score|stars", 1, 10, 1), Number("year|release year", 1930, 2025, 0, **NEW)),
           "released=released|premiere=premiered", "sequel|subtitled"),
    Domain("countries|country|nations|nation|states|state", False, Text("country|nation|name", COUNTRIES),
           (Text("continent|region|area", REGIONS, "in {}|of {}"), Text("capital|capital city", PLACES, "with the capital {}|governed from {}"), Text("currency", "euro|dollar|yen|real|rupee|krone|peso", "using the {}|with the {}")),
           (Number("population|people|inhabitants", 300000, 1400000000, 0, **SIZE), Number("area|size|land area", 100, 9000000, 0, **SIZE), Number("gdp|gross domestic product", 1, 21000, 1, more="richer", less="poorer", most="richest", least="poorest"), Number("life expectancy", 50, 85, 1)),
           "independence=became independent", "landlocked|island|member"),
    Domain("products|product|items|item|articles|article", False, Text("product|item|name|article", ""),
           (Text("category|type|group", "toys|garden|kitchen|sports|office supplies|electronics", "in {}|of {}|{}"), Text("brand|maker|manufacturer|supplier", PARTS, "by {}|from {}|made by {}"), Text("color|colour", COLOURS, "in {}|{}"), Text("warehouse|store", PLACES, "in {}|at {}|kept in {}")),
           (Number("price|cost|retail price", 1, 900, 2, **MONEY), Number("stock|in stock|units in stock|inventory", 0, 800), Number("weight|weight kg|mass", 0.1, 60, 1, **HEAVY), Number("rating|stars|review score", 1, 5, 1)),
           "added=added|launch date=launched", "available|discontinued|recyclable"),
    Domain("flights|flight|departures|departure", False, Text("flight|flight number|code", ""),
           (Text("airline|carrier|operator", PARTS, "by {}|of {}|with {}"), Text("origin|from|departure city", PLACES, "from {}|leaving {}"), Text("destination|to|arrival city", PLACES, "to {}|going to {}|bound for {}"), Text("aircraft|plane", "A320|B737|B787|A350|E190", "on a {}|with a {}")),
           (Number("passengers|travellers", 10, 400), Number("delay|delay minutes", 0, 300, 0, **LONG), Number("distance|miles|km", 100, 12000, 0, **LONG), Number("fare|ticket price|price", 30, 1800, 0, **MONEY)),
           "date=departing|day=leaving", "cancelled|direct|full"),
    Domain("players|player|athletes|athlete|members|member", True, Text("player|name|athlete", ""),
           (Text("team|club|side", PARTS, "of {}|playing for {}|from {}|in {}"), Text("position|role", "goalkeeper|defender|striker|midfielder", "playing as {}|{}"), Text("nationality|country", COUNTRIES, "from {}|born in {}")),
           (Number("goals|points|goals scored", 0, 60), Number("matches|games|appearances", 1, 90), Number("age", 16, 42, 0, **AGE), Number("height|height cm", 155, 215, 0, more="taller", less="shorter", most="tallest", least="shortest"), Number("value|market value", 10000, 90000000, 0)),
           "signed=signed|joined=joined", "injured|captain"),
    Domain("rooms|room|hotels|hotel|houses|house|apartments|apartment|properties|property", False, Text("address|name|property|house", ""),
           (Text("city|town|location", PLACES, "in {}|located in {}"), Text("type|kind|property type", "villa|studio|cottage|loft|bungalow", "that are a {}|{}"), Text("owner|agent|landlord", "", "of {}|owned by {}|managed by {}")),
           (Number("price|asking price|cost", 40000, 3000000, 0, **MONEY), Number("rent|monthly rent", 300, 6000, 0, **MONEY), Number("bedrooms|beds|rooms", 1, 9), Number("size|square metres|area|sqm", 18, 600, 0, **SIZE), Number("built|year built", 1850, 2024, 0, **NEW)),
           "listed=listed|available from=available", "garage|furnished|garden"),
    Domain("patients|patient|visitors|visitor|guests|guest", True, Text("patient|name|guest", ""),
           (Text("doctor|physician", "", "of {}|seen by {}|treated by {}"), Text("ward|clinic|unit", "cardiology|surgery|maternity|emergency|dental", "in {}|from {}"), Text("diagnosis|illness|condition", "flu|asthma|fracture|migraine|allergy", "with {}|suffering from {}")),
           (Number("age", 1, 97, 0, **AGE), Number("bill|charge|cost", 20, 9000, 2, **MONEY), Number("temperature", 35, 41, 1), Number("nights|days|stay", 0, 30, 0, **LONG)),
           "admitted=admitted|visit date=seen", "insured|smoker|discharged"),
    Domain("mountains|mountain|peaks|peak|rivers|river|lakes|lake", False, Text("name|mountain|river|lake", ""),
           (Text("country|state", COUNTRIES, "in {}|of {}"), Text("range|system", PARTS, "in the {}|of the {}")),
           (Number("height|elevation|metres", 200, 8800, 0, **HIGH), Number("length|length km", 5, 6500, 0, **LONG), Number("depth|depth m", 2, 1600, 0, more="deeper", less="shallower", most="deepest", least="shallowest"), Number("first climbed|year", 1780, 1990, 0)),
           "", "volcano|protected"),
    Domain("songs|song|albums|album|tracks|track", False, Text("song|title|track|album", ""),
           (Text("artist|band|singer", "", "by {}|of {}|from {}"), Text("label|record label", PARTS, "on {}|released by {}"), Text("style|genre", "jazz|rock|soul|folk|techno|blues", "{}|that are {}")),
           (Number("plays|streams|listens", 100, 90000000), Number("length|seconds|duration", 60, 900, 0, **LONG), Number("chart position|peak", 1, 100), Number("year", 1955, 2025, 0, **NEW)),
           "released=released|recorded=recorded", "live|explicit"),
    Domain("projects|project|tasks|task|tickets|ticket", False, Text("project|task|title|ticket", ""),
           (Text("lead|owner|assignee|manager", "", "of {}|led by {}|assigned to {}"), Text("status|state", "open|closed|blocked|planned|running", "that are {}|{}"), Text("priority", "low|medium|high|urgent", "with {} priority|{}")),
           (Number("budget|funding", 1000, 900000, 0, **MONEY), Number("hours|effort|hours spent", 1, 900), Number("progress|percent done|completion", 0, 100), Number("members|team size|people", 1, 40, 0, **SIZE)),
           "due=due|started=started|deadline=ending", "approved|late|billable"),
    Domain("companies|company|firms|firm|suppliers|supplier|businesses|business", False, Text("company|name|firm", ""),
           (Text("industry|sector|field", "energy|retail|software|mining|banking|logistics", "in {}|from {}"), Text("headquarters|city|based in", PLACES, "in {}|based in {}|from {}"), Text("ceo|boss|chief executive", "", "of {}|run by {}|led by {}")),
           (Number("employees|staff|headcount", 3, 90000, 0, **SIZE), Number("profit|net income|earnings", -900000, 9000000, 0, more="more profitable", less="less profitable", most="most profitable", least="least profitable"), Number("revenue|turnover|sales", 10000, 90000000), Number("founded|year founded|since", 1850, 2023, 0, **NEW), Number("share price", 1, 900, 2)),
           "listed=listed", "public|family owned"),
    Domain("cars|car|vehicles|vehicle|trucks|truck", False, Text("model|car|registration|plate", ""),
           (Text("make|brand|manufacturer", "Volvo|Renault|Mazda|Kia|Opel|Tesla|Jeep", "by {}|from {}|{}"), Text("fuel|engine", "petrol|diesel|electric|hybrid", "running on {}|{}"), Text("colour|color|paint", COLOURS, "in {}|{}"), Text("dealer|garage", PLACES, "in {}|at {}")),
           (Number("price|cost", 900, 90000, 0, **MONEY), Number("mileage|km|miles driven", 0, 240000), Number("horsepower|power|hp", 45, 600, 0, more="stronger|more powerful", less="weaker", most="strongest|most powerful", least="weakest"), Number("top speed|speed", 120, 320, 0, **FAST), Number("year|model year", 1998, 2025, 0, **NEW)),
           "registered=registered|sold on=sold", "automatic|insured"),
    Domain("plants|plant|trees|tree|animals|animal|species", False, Text("name|species|animal|plant", ""),
           (Text("family|order|class", "mammal|bird|reptile|fish|insect|conifer|fern", "that are a {}|of the {} family|{}"), Text("habitat|found in|region", "forest|desert|ocean|savanna|tundra", "in the {}|living in the {}|from the {}")),
           (Number("weight|weight kg|mass", 0.01, 6000, 2, **HEAVY), Number("lifespan|years|age", 1, 200, 0, **LONG), Number("height|height m|size", 0.01, 80, 2, **HIGH), Number("speed|top speed", 1, 110, 0, **FAST)),
           "discovered=discovered", "endangered|poisonous"),
    Domain("courses|course|classes|class|lessons|lesson|lectures|lecture", False, Text("course|title|subject|name", ""),
           (Text("teacher|lecturer|instructor|taught by", "", "by {}|of {}|taught by {}"), Text("department|faculty|school", "physics|history|law|medicine|economics", "in {}|of {}|from {}"), Text("level|grade", "beginner|advanced|intermediate", "for {}|{}")),
           (Number("credits|points", 1, 12), Number("students|participants|enrolled", 4, 400, 0, **SIZE), Number("fee|tuition|price", 20, 4000, 0, **MONEY), Number("duration|weeks|length", 1, 40, 0, **LONG)),
           "starts=starting|exam date=examined", "online|mandatory"),
    Domain("readings|reading|measurements|measurement|days|day|records|record", False, Text("station|sensor|site", PLACES),
           (Text("weather|sky|conditions", "sunny|cloudy|rainy|stormy|foggy|snowy", "that were {}|with {} weather|{}"), Text("operator|observer", "", "by {}|from {}")),
           (Number("temperature|max temp|degrees", -25, 42, 1, more="warmer|hotter", less="colder|cooler", most="warmest|hottest", least="coldest|coolest"), Number("rainfall|rain mm|precipitation", 0, 120, 1, more="wetter", less="drier", most="wettest", least="driest"), Number("wind|wind speed", 0, 150, 0, more="windier", less="calmer", most="windiest", least="calmest"), Number("humidity", 5, 100)),
           "date=taken|day=measured", "valid|frost"),
)  # fmt: skip

GREATER = "greater than|more than|over|above|larger than|bigger than|higher than|exceeding|in excess of|beyond|>"
LESSER = "less than|under|below|smaller than|lower than|fewer than|not reaching|<"
AT_LEAST = "at least|no less than|not less than|a minimum of|minimum|from|not below|>=|greater than or equal to"
AT_MOST = "at most|no more than|not more than|a maximum of|maximum|up to|not above|<=|less than or equal to|not over"
EQUAL = "exactly|equal to|equals|of exactly|precisely|just|="
NOT_EQUAL = "not equal to|other than|different from|not exactly|!=|anything but"
SUM = ("total {}|sum of {}|the sum of {}|sum {}|total of {}|combined {}|overall {}|aggregate {}|{} in total|{} altogether|all the {} "
       "added up|add up the {}|{} summed up|total amount of {}|how much {} altogether|{} overall|{} all together")  # fmt: skip
AVERAGE = "average {}|mean {}|the average {}|average of {}|mean of {}|{} on average|typical {}|average value of {}"
MAXIMUM = ("maximum {}|highest {}|largest {}|greatest {}|biggest {}|max {}|top {}|maximum of {}|the most {}|peak {}|best {}|"
           "highest value of {}")  # fmt: skip
MINIMUM = "minimum {}|lowest {}|smallest {}|least {}|min {}|minimum of {}|the fewest {}|worst {}|lowest value of {}"
COUNT = ("how many {}|number of {}|count of {}|count {}|count the {}|the number of {}|what is the number of {}|how many {} are there|"
         "total number of {}|give me the number of {}|tell me how many {}|amount of {}")  # fmt: skip
LIST = "list {}|show {}|print {}|display {}|give me {}|what are the {}|what is the {}|{}|find {}|get the {}|name the {}|tell me the {}|the {}"
WHAT = "what is the {}|what's the {}|{}|give me the {}|tell me the {}|the {}|find the {}|show the {}|calculate the {}|compute the {}|get {}"
WHERE = "where|with|having|whose|for which|that have|when|if|who have|which have"
IS = "is|are|was|=|being|equals|of|"
START = "|||||||||please |can you |could you |could you tell me |i would like to know |i want to know |hey |tell me |do you know |"
END = "||||||?|?|?|?|?| please| please?|.| thanks"
WHY = ("why is the {c} so high|why are there so many {t}|who will win next year|what do you think about {v}|should i buy {v}|is the {c} too high|"
       "what will the {c} be next year|how can we raise the {c}|do people like {v}|how do i get to {v}|what does {c} mean|tell me a joke|hello|"
       "which of them is the nicest|what is your name|how is the weather today|thanks|predict the {c} for {y}|is {v} a good choice|"
       "explain the {c}|who invented the {t}|what happened to {v}|which {o} would you recommend|write a poem about {v}|ok bye|"
       "how does {v} work|can {v} be trusted|what caused the {c}|which {o} is the most fun|who is responsible for {v}")  # fmt: skip
