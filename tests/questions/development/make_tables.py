"""Write the generated tables of this set (fixed seed).

The tables books.csv and elections.csv are written by hand and are not made here.
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
    "Aisha",
    "Ben",
    "Carla",
    "Dmitri",
    "Eva",
    "Farid",
    "Gemma",
    "Hugo",
    "Ines",
    "Jack",
    "Katya",
    "Leo",
    "Mina",
    "Nathan",
    "Olga",
    "Pablo",
    "Rosa",
    "Sven",
    "Tara",
    "Umar",
    "Vera",
    "Wendy",
    "Xavier",
    "Yara",
    "Zach",
]
LAST = [
    "Archer",
    "Blanco",
    "Cho",
    "Darby",
    "Eriksen",
    "Flynn",
    "Garcia",
    "Hobbs",
    "Ito",
    "Jarvis",
    "Kowalski",
    "Levy",
    "Mbeki",
    "Norris",
    "Olsen",
    "Park",
    "Reyes",
    "Singh",
    "Turner",
    "Usman",
    "Voss",
    "Walker",
    "Young",
]


def students():
    r = random.Random(201)
    names = r.sample([f"{a} {b}" for a in FIRST for b in LAST], 84)
    rows = []
    for index, name in enumerate(names):
        level = r.gauss(64, 11)
        marks = [min(100, max(18, round(r.gauss(level + shift, 8)))) for shift in (-2, 0, 3, 1)]
        rows.append(
            [
                f"{410 + index * 7:05d}",
                name,
                r.choice(["9A", "9B", "10A", "10B"]),
                r.choice(["Red House", "Blue House", "Green House"]),
                *marks[:3],
                some(r, 0.07, marks[3], ""),
                f"{min(100, round(r.gauss(90, 6)))} %",
                "yes" if r.random() < 0.2 else "no",
                date_between(r, "2008-09-01", "2010-08-30").isoformat(),
            ]
        )
    header = "student_id,Name,Class,House,Maths,Science,English,History,Attendance,Scholarship,DOB"
    write(FOLDER / "students.csv", header.split(","), rows)


def energy():
    r = random.Random(202)
    buildings = [
        ("Town Hall", 5200, 1900),
        ("Central Library", 3900, 1300),
        ("Fire Station", 2700, 900),
        ("Swimming Pool", 8800, 5400),
        ("Sports Center", 4600, 2100),
        ("Museum Annex", 2200, 700),
    ]
    rows = []
    for year in (2022, 2023):
        for month in range(1, 13):
            cold = 0.5 + 0.5 * math.cos(2 * math.pi * (month - 1) / 12)
            for name, power, gas in buildings:
                kwh = round(power * (0.85 + 0.25 * cold) * r.uniform(0.9, 1.1))
                therms = round(gas * (0.25 + 1.1 * cold) * r.uniform(0.9, 1.1) / 10)
                rows.append(
                    [
                        name,
                        year,
                        datetime.date(2000, month, 1).strftime("%B"),
                        f"{kwh:,}",
                        therms,
                        some(r, 0.05, round(power * r.uniform(0.004, 0.012), 1), "NA"),
                        f"${kwh * 0.17 + therms * 1.2:,.2f}",
                        round(kwh * 0.00023 + therms * 0.0053, 2),
                        "yes" if name in ("Town Hall", "Sports Center") and (year, month) >= (2023, 4) else "no",
                    ]
                )
    header = [
        "building",
        "year",
        "month",
        "electricity_kwh",
        "gas_therms",
        "water_m3",
        "total_cost",
        "co2_tonnes",
        "solar_panels",
    ]
    write(FOLDER / "energy.csv", header, rows)


def used_cars():
    r = random.Random(203)
    models = {
        "Toyota": [("Corolla", 21), ("RAV4", 29), ("Prius", 25)],
        "Ford": [("Focus", 18), ("Mustang", 38), ("F-150", 41)],
        "Volkswagen": [("Golf", 23), ("Tiguan", 31)],
        "Honda": [("Civic", 22), ("CR-V", 30)],
        "Tesla": [("Model 3", 44), ("Model Y", 51)],
        "BMW": [("3 Series", 46), ("X5", 66)],
    }
    rows = []
    for _ in range(96):
        make = r.choice(list(models))
        model, new = r.choice(models[make])
        year = r.randint(2018 if make == "Tesla" else 2008, 2023)
        miles = max(900, round((2024 - year) * r.uniform(6500, 13500), -2))
        fuel = (
            "Electric"
            if make == "Tesla"
            else "Hybrid"
            if model == "Prius"
            else r.choices(["Petrol", "Diesel", "Hybrid"], [6, 3, 1])[0]
        )
        price = round(new * 1000 * 0.88 ** (2024 - year) * r.uniform(0.88, 1.1), -2)
        rows.append(
            [
                f"0{r.randint(10000, 99999)}",
                make,
                model,
                year,
                f"{miles:,.0f}",
                fuel,
                "Automatic" if fuel in ("Electric", "Hybrid") or r.random() < 0.5 else "Manual",
                r.choice(["black", "white", "silver", "blue", "red", "dark green"]),
                r.choices([1, 2, 3, 4], [5, 4, 2, 1])[0],
                f"{max(1500, price):,.0f}",
                some(r, 0.08, r.randint(24, 58), "-") if fuel != "Electric" else "-",
                "no" if r.random() < 0.2 else "yes",
            ]
        )
    header = [
        "Stock No",
        "Make",
        "Model",
        "Yr",
        "Mileage",
        "Fuel",
        "Transmission",
        "Colour",
        "Prev Owners",
        "Price (£)",
        "MPG",
        "Serviced",
    ]
    write(FOLDER / "used_cars.csv", header, rows)


def expenses():
    r = random.Random(204)
    people = {
        "Aisha Norris": "Sales",
        "Ben Kowalski": "Sales",
        "Carla Ito": "Research",
        "Hugo Singh": "Research",
        "Mina Turner": "Legal",
        "Pablo Young": "Operations",
        "Tara Levy": "Operations",
        "Vera Flynn": "Sales",
    }
    kinds = {
        "Airfare": (140, 1900),
        "Hotel": (80, 920),
        "Meals": (9, 160),
        "Taxi": (7, 85),
        "Conference Fee": (120, 1400),
        "Office Supplies": (5, 210),
    }
    rows = []
    number = 311
    for date in sorted(date_between(r, "2023-07-03", "2024-08-23") for _ in range(140)):
        number += r.randint(1, 4)
        person = r.choice(list(people))
        kind = r.choices(list(kinds), [3, 4, 6, 5, 1, 3])[0]
        low, high = kinds[kind]
        status = r.choices(["approved", "pending", "rejected"], [9, 2, 1])[0]
        rows.append(
            [
                f"{number:05d}",
                person,
                people[person],
                kind,
                f"${r.uniform(low, high):,.2f}",
                date.isoformat(),
                r.choice(["London", "Chicago", "Singapore", "Sao Paulo", "Remote"]),
                some(r, 0.1, r.choice(["corporate card", "cash", "personal card"]), "n/a"),
                "no" if r.random() < 0.15 else "yes",
                status,
            ]
        )
    header = "claimNo,employee,dept,expenseType,amountUSD,claimDate,location,paymentMethod,receiptAttached,status"
    write(FOLDER / "expenses.csv", header.split(","), rows)


if __name__ == "__main__":
    students()
    energy()
    used_cars()
    expenses()
