"""Write the generated tables of this set (fixed seed).

The tables cities.csv, films.csv and museum.csv are written by hand and are not made here.
All names, firms and figures are invented.
"""

import datetime
import math
import random
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))

from writing import date_between, some, write  # noqa: E402

FIRST = [
    "Amelia",
    "Noah",
    "Priya",
    "Liam",
    "Sofia",
    "Ethan",
    "Chloe",
    "Marcus",
    "Hannah",
    "Omar",
    "Grace",
    "Daniel",
    "Yuki",
    "Isabel",
    "Victor",
    "Nadia",
    "Peter",
    "Ruth",
    "Samuel",
    "Leila",
    "Oscar",
    "Julia",
    "Tomas",
    "Freya",
    "Kwame",
    "Elena",
    "Henry",
    "Mei",
    "Lucas",
    "Anita",
    "Felix",
    "Zoe",
]
LAST = [
    "Abbott",
    "Banerjee",
    "Carver",
    "Dimitrov",
    "Ellison",
    "Fischer",
    "Gupta",
    "Holloway",
    "Ivanova",
    "Jensen",
    "Kaplan",
    "Lindqvist",
    "Moreno",
    "Nakamura",
    "Okafor",
    "Petrov",
    "Quinn",
    "Rossi",
    "Schwartz",
    "Tanaka",
    "Underwood",
    "Vasquez",
    "Whitfield",
    "Xu",
    "Yamada",
    "Zielinski",
]


def sales_orders():
    r = random.Random(101)
    countries = {
        "Europe": ["Germany", "France", "Spain", "Sweden", "Italy"],
        "North America": ["United States", "Canada", "Mexico"],
        "Asia Pacific": ["Japan", "Australia", "South Korea"],
        "Latin America": ["Brazil", "Chile"],
    }
    products = [
        ("Furniture", "Oak Desk", 389.0),
        ("Furniture", "Office Chair", 149.5),
        ("Furniture", "Bookcase", 219.0),
        ("Furniture", "Filing Cabinet", 175.25),
        ("Technology", "Laser Printer", 299.99),
        ("Technology", "Wireless Mouse", 24.9),
        ("Technology", "Monitor 27in", 264.0),
        ("Technology", "Conference Phone", 412.5),
        ("Office Supplies", "Copy Paper", 6.75),
        ("Office Supplies", "Ballpoint Pens", 3.4),
        ("Office Supplies", "Stapler", 11.2),
        ("Office Supplies", "Label Maker", 38.6),
        ("Appliances", "Coffee Machine", 129.0),
        ("Appliances", "Desk Fan", 34.95),
        ("Appliances", "Mini Fridge", 187.4),
    ]
    reps = ["Dana Whitlock", "Jorge Pineda", "Keiko Mori", "Tessa Brandt", "Will Ashby"]
    days = sorted(date_between(r, "2022-01-03", "2024-12-20") for _ in range(240))
    rows = []
    number = 1041
    for date in days:
        number += r.randint(1, 7)
        region = r.choices(list(countries), [8, 7, 4, 2])[0]
        category, product, price = r.choice(products)
        quantity = r.randint(1, 12) if price > 100 else r.randint(2, 60)
        discount = r.choices([0, 5, 10, 15, 20, 30], [10, 4, 4, 2, 2, 1])[0]
        net = round(quantity * price * (100 - discount) / 100, 2)
        rows.append(
            [
                f"{number:06d}",
                date.isoformat(),
                region,
                r.choice(countries[region]),
                category,
                product,
                quantity,
                f"{price:.2f}",
                f"{net:,.2f}",
                f"{discount} %",
                some(r, 0.06, r.choice(reps), "-"),
                "yes" if r.random() < 0.09 else "no",
            ]
        )
    header = (
        "Order ID,Order Date,Region,Country,Category,Product,Quantity,Unit Price,Net Sales,Discount,Sales Rep,Returned"
    )
    write(FOLDER / "sales_orders.csv", header.split(","), rows)


def employees():
    r = random.Random(102)
    titles = {
        "Engineering": [
            ("Software Engineer", 98),
            ("Senior Engineer", 128),
            ("QA Analyst", 76),
            ("Engineering Manager", 151),
        ],
        "Sales": [("Account Executive", 72), ("Sales Associate", 54), ("Sales Director", 139)],
        "Marketing": [("Content Strategist", 66), ("Brand Manager", 88), ("Graphic Designer", 61)],
        "Human Resources": [("Recruiter", 63), ("HR Manager", 91)],
        "Finance": [("Accountant", 70), ("Financial Analyst", 82), ("Controller", 124)],
        "Customer Support": [("Support Specialist", 47), ("Support Lead", 68)],
    }
    offices = ["New York", "Austin", "San Francisco", "Dublin", "Toronto"]
    names = r.sample([f"{a} {b}" for a in FIRST for b in LAST], 118)
    rows = []
    for index, name in enumerate(names):
        department = r.choices(list(titles), [9, 6, 4, 2, 4, 5])[0]
        title, base = r.choice(titles[department])
        hired = date_between(r, "2012-02-01", "2024-06-28")
        years = 2024 - hired.year + (r.randint(0, 4) if base < 85 else r.randint(3, 14))
        salary = int(round(base * 1000 * r.uniform(0.88, 1.1) + years * 640, -2))
        rows.append(
            [
                f"{index * 3 + 17:05d}",
                name,
                department,
                title,
                r.choice(offices),
                f"${salary:,}",
                hired.isoformat(),
                years,
                "yes" if r.random() < 0.35 else "no",
                some(r, 0.06, f"{r.uniform(2.3, 5.0):.1f}", "n/a"),
            ]
        )
    header = "emp_id,full_name,department,job_title,office,salary,hire_date,years_exp,remote,review_score"
    write(FOLDER / "employees.csv", header.split(","), rows)


def matches():
    r = random.Random(103)
    teams = {
        "Ashford Town": 4200,
        "Bexhill Rovers": 6100,
        "Carrow United": 18400,
        "Dunmore City": 31200,
        "Eastvale": 9800,
        "Fenwick Athletic": 12600,
        "Granby Wanderers": 22700,
        "Harrow Hill": 7400,
        "Kings Norton": 27500,
        "Marlow Albion": 15300,
        "Redcastle": 36800,
        "Stonebridge": 11100,
    }
    names = list(teams)
    strength = dict(zip(names, [0.7, 0.8, 1.2, 1.6, 0.9, 1.1, 1.3, 0.8, 1.5, 1.1, 1.8, 1.0], strict=True))
    referees = ["A. Pollard", "B. Sandhu", "C. Whyte", "D. Oyelaran", "M. Keane", "S. Trevino"]
    order = names[:]
    rounds = []
    for _ in range(11):
        rounds.append([(order[i], order[-1 - i]) for i in range(6)])
        order = [order[0], order[-1], *order[1:-1]]
    rounds = [[p if (i + k) % 2 else p[::-1] for k, p in enumerate(pairs)] for i, pairs in enumerate(rounds)]
    rounds += [[(b, a) for a, b in pairs] for pairs in rounds]
    rows = []
    start = datetime.date(2023, 8, 12)
    for index, pairs in enumerate(rounds):
        for home, away in pairs:
            date = start + datetime.timedelta(days=12 * index + r.choice([0, 0, 0, 1]))
            home_goals = min(7, sum(r.random() < 0.27 * strength[home] for _ in range(6)))
            away_goals = min(6, sum(r.random() < 0.2 * strength[away] for _ in range(6)))
            crowd = int(teams[home] * r.uniform(0.62, 1.0))
            rows.append(
                [
                    date.isoformat(),
                    index + 1,
                    home,
                    away,
                    home_goals,
                    away_goals,
                    some(r, 0.03, f"{crowd:,}", ""),
                    r.choice(referees),
                    r.choices([0, 1, 2, 3, 4, 5, 6, 7, 8], [2, 4, 6, 6, 5, 3, 2, 1, 1])[0],
                    r.choices([0, 1, 2], [14, 3, 1])[0],
                    "yes" if r.random() < 0.22 else "no",
                ]
            )
    header = "matchDate,round,homeTeam,awayTeam,homeGoals,awayGoals,attendance,referee,yellowCards,redCards,televised"
    write(FOLDER / "matches.csv", header.split(","), rows)


def inventory():
    r = random.Random(104)
    products = {
        "Hand Tools": [
            ("Claw Hammer", 18.5),
            ("Screwdriver Set", 27.9),
            ("Adjustable Wrench", 16.25),
            ("Tape Measure", 8.99),
            ("Utility Knife", 6.49),
            ("Hacksaw", 14.75),
            ("Pliers Set", 31.0),
            ("Spirit Level", 22.4),
        ],
        "Power Tools": [
            ("Cordless Drill", 119.0),
            ("Circular Saw", 154.5),
            ("Orbital Sander", 79.95),
            ("Angle Grinder", 88.0),
            ("Jigsaw", 97.25),
            ("Heat Gun", 42.6),
            ("Impact Driver", 138.0),
        ],
        "Garden": [
            ("Garden Hose 20m", 34.99),
            ("Lawn Mower", 329.0),
            ("Hedge Trimmer", 112.0),
            ("Wheelbarrow", 74.5),
            ("Pruning Shears", 19.8),
            ("Leaf Rake", 15.4),
            ("Watering Can", 12.3),
            ("Compost Bin", 58.0),
        ],
        "Paint": [
            ("White Emulsion 5L", 36.5),
            ("Wood Varnish", 21.75),
            ("Masking Tape", 3.2),
            ("Roller Kit", 13.6),
            ("Paint Brush Set", 17.45),
            ("Metal Primer", 24.1),
            ("Exterior Paint 10L", 68.9),
        ],
        "Electrical": [
            ("Extension Lead 5m", 15.95),
            ("LED Bulb Pack", 11.5),
            ("Wall Socket", 5.8),
            ("Smoke Alarm", 23.0),
            ("Cable Ties", 2.75),
            ("Outdoor Lamp", 47.2),
            ("Junction Box", 4.35),
        ],
        "Safety": [
            ("Safety Goggles", 9.6),
            ("Work Gloves", 7.25),
            ("Ear Defenders", 18.9),
            ("Hard Hat", 21.3),
            ("Dust Masks", 12.8),
            ("First Aid Kit", 29.5),
        ],
    }
    suppliers = ["Brixton Supply", "Halden GmbH", "Northway Trading", "Osaka Tools", "Pine & Sons"]
    rows = []
    for category, items in products.items():
        for name, price in items:
            rows.append(
                [
                    f"{r.randrange(100, 9900):06d}",
                    name,
                    category,
                    r.choice(suppliers),
                    f"{price:.2f}",
                    r.choice([0, 3, 5, 8, 12, 17, 24, 36, 48, 65, 90, 140, 220, 375]) + r.randint(0, 4),
                    r.choice([5, 10, 20, 25, 40]),
                    r.choice(["North Depot", "South Depot", "Harbor Store"]),
                    f"{max(0.1, price * r.uniform(0.01, 0.06)):.1f}",
                    some(r, 0.08, f"{r.uniform(2.8, 4.9):.1f}", ""),
                    "yes" if r.random() < 0.14 else "no",
                ]
            )
    header = "sku,productName,category,supplier,unitPrice,stockQty,reorderLevel,warehouse,weightKg,rating,discontinued"
    write(FOLDER / "inventory.csv", header.split(","), rows)


def flights():
    r = random.Random(105)
    airlines = {"BlueJay Air": "BJ", "Continental Wings": "CW", "Skyline Express": "SE", "Pacific Star": "PS"}
    place = {
        "New York": (0, 0),
        "Los Angeles": (2450, -150),
        "Chicago": (710, 60),
        "Denver": (1620, 20),
        "Seattle": (2400, 420),
        "Miami": (350, -1030),
        "Dallas": (1250, -560),
        "Boston": (-160, 110),
    }
    rows = []
    for date in sorted(date_between(r, "2024-01-02", "2024-06-29") for _ in range(170)):
        start, end = r.sample(list(place), 2)
        distance = round(((place[start][0] - place[end][0]) ** 2 + (place[start][1] - place[end][1]) ** 2) ** 0.5)
        airline = r.choice(list(airlines))
        status = r.choices(["On time", "Delayed", "Cancelled", "Diverted"], [12, 6, 1.2, 0.6])[0]
        delay = {"On time": r.randint(0, 14), "Delayed": r.randint(16, 190), "Diverted": r.randint(60, 260)}.get(
            status, ""
        )
        rows.append(
            [
                f"{airlines[airline]}{r.randint(101, 989)}",
                airline,
                start,
                end,
                date.isoformat(),
                distance,
                delay,
                r.choice(["A320", "A321", "B737", "E190"]),
                "" if status == "Cancelled" else r.randint(41, 212),
                f"${distance * 0.11 + r.randint(35, 140):.0f}",
                status,
            ]
        )
    header = "FltNo,Airline,Orig,Dest,DepDate,DistMi,DelayMin,Aircraft,Pax,AvgFare,Status"
    write(FOLDER / "flights.csv", header.split(","), rows)


def weather():
    r = random.Random(106)
    rows = []
    date = datetime.date(2023, 1, 1)
    swing = 0.0
    for index in range(365):
        swing = 0.7 * swing + r.gauss(0, 2.2)
        mean = 10.2 - 9.4 * math.cos(2 * math.pi * (index - 18) / 365) + swing
        high = round(mean + r.uniform(2.2, 6.5), 1)
        low = round(mean - r.uniform(2.0, 5.5), 1)
        wet = r.random() < 0.43
        rain = round(r.expovariate(1 / 5.2) + 0.2, 1) if wet else 0
        sky = (
            "snow"
            if wet and high < 2.5
            else "rain"
            if wet
            else r.choice(["sunny", "sunny", "cloudy", "partly cloudy", "fog"])
        )
        rows.append(
            [
                (date + datetime.timedelta(days=index)).isoformat(),
                high,
                low,
                some(r, 0.02, rain, "NA"),
                round(abs(r.gauss(17, 8)) + 3),
                f"{min(100, round((82 if wet else 64) + r.gauss(0, 8)))} %",
                sky,
                "yes" if low < 0 else "no",
            ]
        )
    write(FOLDER / "weather.csv", ["date", "tmax", "tmin", "precip", "wind", "humidity", "sky", "frost"], rows)


def hospital_visits():
    r = random.Random(107)
    wards = {
        "Cardiology": (["Chest pain", "Heart failure", "Arrhythmia"], ["Dr. Alvarez", "Dr. Stein"], 62),
        "Orthopedics": (["Hip fracture", "Knee replacement", "Back pain"], ["Dr. Murphy", "Dr. Bianchi"], 56),
        "Pediatrics": (["Asthma", "Bronchitis", "Appendicitis"], ["Dr. Patel"], 9),
        "Maternity": (["Childbirth"], ["Dr. Osei", "Dr. Larsen"], 31),
        "General Surgery": (["Gallstones", "Hernia repair", "Appendicitis"], ["Dr. Chan", "Dr. Novak"], 48),
        "Neurology": (["Migraine", "Stroke", "Epilepsy"], ["Dr. Haddad"], 58),
    }
    rows = []
    for date in sorted(date_between(r, "2023-01-04", "2024-05-30") for _ in range(155)):
        ward = r.choice(list(wards))
        diagnoses, doctors, age = wards[ward]
        spread = 4 if ward in ("Pediatrics", "Maternity") else 14
        years = min(96, max(1, round(r.gauss(age, spread))))
        stay = r.choices([1, 2, 3, 4, 5, 7, 9, 12, 16, 21], [7, 8, 7, 5, 4, 3, 2, 2, 1, 1])[0]
        rows.append(
            [
                f"{r.randrange(100, 99999):07d}",
                date.isoformat(),
                ward,
                r.choice(diagnoses),
                r.choice(doctors),
                years,
                "female" if ward == "Maternity" else r.choice(["female", "male"]),
                stay,
                f"{stay * r.uniform(620, 1450) + r.uniform(200, 6000):,.2f}",
                "no" if r.random() < 0.16 else "yes",
                "yes" if r.random() < 0.38 else "no",
                some(r, 0.12, r.randint(1, 10), "n/a"),
            ]
        )
    header = [
        "Patient No.",
        "Admission Date",
        "Ward",
        "Diagnosis",
        "Doctor",
        "Age",
        "Sex",
        "Stay (days)",
        "Bill ($)",
        "Insured",
        "Emergency",
        "Satisfaction",
    ]
    write(FOLDER / "hospital_visits.csv", header, rows)


def startups():
    r = random.Random(108)
    names = {
        "Fintech": "PayLoom,Ledgerly,CoinHarbor,Mintbox,TallyUp,Vaultra,LendBridge",
        "Health": "MediSprout,CureCloud,PulseWorks,NovaGenix,Carely,Dentiva",
        "Climate": "SolarNest,Carbonly,GreenVolt,TerraPulse,WindHarvest,AquaPure",
        "Education": "LearnLoop,Tutoria,SkillForge,ClassPad",
        "Logistics": "ShipSwift,CargoMind,RouteWise,PalletPro,DropDock",
        "Artificial Intelligence": "DeepOrchard,Synthetix Labs,Visionary AI,PromptWell,NeuralNook,Botanica AI",
        "Food": "FarmFork,Beanstalk Foods,Mealio,OatWorks",
    }
    investors = [
        "Summit Ventures",
        "Bluefin Capital",
        "Northgate Partners",
        "Harbor Seed Fund",
        "Evergreen Growth",
        "Kestrel VC",
    ]
    cities = ["Berlin", "London", "San Francisco", "Tel Aviv", "Singapore", "Stockholm", "Boston"]
    rounds = {"Seed": (0.6, 4), "Series A": (5, 18), "Series B": (20, 55), "Series C": (60, 140)}
    rows = []
    for industry, text in names.items():
        for name in text.split(","):
            stage = r.choices(list(rounds), [6, 6, 4, 2])[0]
            low, high = rounds[stage]
            amount = round(r.uniform(low, high) * 10) * 100_000
            announced = date_between(r, "2021-02-01", "2024-09-30")
            founded = (
                r.randint(2012, 2019) if stage in ("Series B", "Series C") else r.randint(2017, announced.year - 1)
            )
            rows.append(
                [
                    name,
                    industry,
                    r.choice(cities),
                    founded,
                    stage,
                    f"${amount:,}",
                    some(r, 0.2, f"${round(amount * r.uniform(3.5, 7) / 1e6) * 1_000_000:,}", "-"),
                    r.choice(investors),
                    r.randint(1, 9),
                    round(amount / 1e6 * r.uniform(2, 6)) + r.randint(4, 15),
                    announced.isoformat(),
                    "yes" if r.random() < 0.3 else "no",
                ]
            )
    r.shuffle(rows)
    header = [
        "Company",
        "Industry",
        "HQ City",
        "Founded",
        "Funding Round",
        "Amount Raised",
        "Valuation",
        "Lead Investor",
        "# Investors",
        "Headcount",
        "Announced",
        "Profitable",
    ]
    write(FOLDER / "startups.csv", header, rows)


def real_estate():
    r = random.Random(109)
    streets = [
        "Maple Street",
        "Oak Avenue",
        "Hillcrest Drive",
        "River Road",
        "Sunset Lane",
        "Birch Court",
        "Chapel Street",
        "Mill Lane",
        "Prospect Avenue",
    ]
    areas = {
        "Old Town": 1.15,
        "Riverside": 1.3,
        "North Park": 1.0,
        "Lakeview": 1.5,
        "West End": 0.85,
        "University District": 1.05,
    }
    rows = []
    seen = set()
    while len(rows) < 105:
        address = f"{r.randint(3, 980)} {r.choice(streets)}"
        if address in seen:
            continue
        seen.add(address)
        area = r.choice(list(areas))
        kind = r.choices(["House", "Condo", "Townhouse", "Apartment"], [5, 3, 2, 3])[0]
        beds = r.randint(2, 6) if kind == "House" else r.randint(1, 3)
        size = beds * r.randint(260, 430) + r.randint(180, 700)
        price = round(size * r.uniform(215, 330) * areas[area], -3)
        rows.append(
            [
                address,
                area,
                kind,
                beds,
                max(1, beds - r.randint(0, 2)) + r.choice([0, 0, 0.5]),
                f"{size:,}",
                f"{price:,.0f}",
                r.randint(1905, 2022),
                "yes" if kind in ("House", "Townhouse") and r.random() < 0.7 else "no",
                some(r, 0.1, r.randint(4, 60) * 10, "-") if kind in ("Condo", "Apartment") else "-",
                date_between(r, "2024-01-05", "2024-10-20").isoformat(),
                r.randint(2, 160),
            ]
        )
    header = [
        "Address",
        "Neighborhood",
        "Property Type",
        "Beds",
        "Baths",
        "Sq Ft",
        "Price ($)",
        "Yr Built",
        "Garage",
        "HOA Fee",
        "Listed On",
        "Days on Market",
    ]
    write(FOLDER / "real_estate.csv", header, rows)


if __name__ == "__main__":
    sales_orders()
    employees()
    matches()
    inventory()
    flights()
    weather()
    hospital_visits()
    startups()
    real_estate()
