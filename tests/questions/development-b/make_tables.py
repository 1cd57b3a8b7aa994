"""Write the generated tables of this set (fixed seed).

The tables wards.csv, restaurants.csv, league.csv and festival.csv are written by hand and are not made here.
All names, firms and figures are invented.
"""

import datetime
import random
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))

from writing import date_between, write  # noqa: E402


def yes(rng, share):
    return "yes" if rng.random() < share else "no"


def incidents():
    rng = random.Random(4101)
    services = {
        "Checkout": 5,
        "Login": 4,
        "Search": 4,
        "Email Gateway": 3,
        "Reporting": 3,
        "Mobile API": 4,
        "Billing": 2,
    }
    severities = {"critical": 1, "high": 3, "medium": 5, "low": 4}
    causes = [
        "bad deploy",
        "disk full",
        "network outage",
        "expired certificate",
        "memory leak",
        "human error",
        "unknown",
    ]
    people = ["Dana Ruiz", "Tariq Aziz", "Bea Lindholm", "Marcus Oyelowo", "Sunita Rao", "Viktor Hahn"]
    scale = {"critical": 20, "high": 8, "medium": 3, "low": 1}
    days = sorted(date_between(rng, "2023-01-03", "2024-06-28") for _ in range(112))
    number, rows = 312, []
    for day in days:
        number += rng.randint(1, 9)
        severity = rng.choices(list(severities), severities.values())[0]
        downtime = max(2, round(rng.lognormvariate(2.4, 0.6) * scale[severity] ** 0.6))
        users = rng.randint(4, 90) * scale[severity] * rng.randint(1, 9)
        cost = round(downtime * users**0.5 * rng.uniform(0.6, 1.6), -1)
        rows.append(
            [
                f"{number:06d}",
                rng.choices(list(services), services.values())[0],
                severity,
                day.isoformat(),
                downtime,
                "NA" if rng.random() < 0.05 else f"{users:,}",
                "" if severity == "low" and rng.random() < 0.4 else f"${cost:,.0f}",
                rng.choice(causes),
                rng.choice(people),
                "TRUE" if rng.random() < 0.1 + 0.04 * scale[severity] else "FALSE",
            ]
        )
    write(
        FOLDER / "incidents.csv",
        [
            "incidentId",
            "service",
            "severity",
            "openedOn",
            "downtimeMin",
            "usersAffected",
            "estCost",
            "rootCause",
            "assignedTo",
            "postmortem",
        ],
        rows,
    )


def shipments():
    rng = random.Random(4102)
    ports = {"Rotterdam": 0, "Hamburg": 1, "Valencia": 2, "Gdansk": 3, "Marseille": 4, "Piraeus": 5}
    places = {
        "Lyon": 520,
        "Vienna": 980,
        "Prague": 760,
        "Milan": 640,
        "Zurich": 710,
        "Budapest": 1240,
        "Turin": 450,
        "Brno": 840,
    }
    carriers = ["TransNova", "BlueLine Cargo", "Hauler & Sons", "EuroSwift"]
    goods = ["electronics", "furniture", "machine parts", "textiles", "wine", "frozen food"]
    rows = []
    number = 70
    for day in sorted(date_between(rng, "2024-01-08", "2024-10-30") for _ in range(96)):
        number += rng.randint(3, 60)
        origin, place = rng.choice(list(ports)), rng.choice(list(places))
        distance = places[place] + 90 * ports[origin] + rng.randint(-40, 40)
        weight = round(rng.lognormvariate(6.7, 0.8))
        cost = 60 + distance * 0.42 + weight * rng.uniform(0.12, 0.3)
        status = "delivered" if day < datetime.date(2024, 9, 20) else rng.choice(["delivered", "in transit"])
        if rng.random() < 0.07:
            status = rng.choice(["lost", "returned"])
        rows.append(
            [
                f"{number:05d}",
                day.isoformat(),
                origin,
                place,
                rng.choice(carriers),
                rng.choice(goods),
                f"{weight:,}",
                distance,
                f"€{cost:,.2f}",
                status,
            ]
        )
    write(
        FOLDER / "shipments.csv",
        [
            "tracking_no",
            "ship_date",
            "origin",
            "destination",
            "carrier",
            "goods",
            "weight_kg",
            "distance_km",
            "freight_cost",
            "status",
        ],
        rows,
    )


def gym():
    rng = random.Random(4103)
    first = [
        "Aaron",
        "Bianca",
        "Cyrus",
        "Delphine",
        "Emeka",
        "Freya",
        "Gonzalo",
        "Hana",
        "Ivo",
        "Jasmine",
        "Kwame",
        "Lorena",
        "Mateusz",
        "Nadia",
        "Orson",
        "Pilar",
        "Quincy",
        "Renske",
        "Samir",
        "Tove",
    ]
    last = [
        "Abbott",
        "Castellano",
        "Dvorak",
        "Eze",
        "Fairweather",
        "Grimaldi",
        "Hollis",
        "Ito",
        "Jankowski",
        "Keller",
        "Mbeki",
        "Nyström",
        "Prakash",
        "Rutledge",
        "Sandoval",
        "Vance",
    ]
    plans = {"Basic": 24.9, "Plus": 39.9, "Premium": 64.9, "Student": 19.9}
    clubs = ["Central", "Lakeside", "Westgate", "Airport Road"]
    names = set()
    while len(names) < 78:
        names.add(f"{rng.choice(first)} {rng.choice(last)}")
    rows = []
    number = 1003
    for name in rng.sample(sorted(names), len(names)):
        number += rng.randint(2, 40)
        plan = rng.choices(list(plans), [5, 4, 3, 2])[0]
        age = rng.randint(18, 26) if plan == "Student" else rng.randint(21, 74)
        visits = max(0, round(rng.gauss({"Basic": 5, "Plus": 9, "Premium": 13, "Student": 8}[plan], 4)))
        rows.append(
            [
                f"{number:06d}",
                name,
                age,
                plan,
                f"€{plans[plan]:.2f}",
                rng.choice(clubs),
                date_between(rng, "2018-02-01", "2024-08-31").isoformat(),
                visits,
                yes(rng, 0.5 if plan == "Premium" else 0.12),
                "n/a"
                if rng.random() < 0.06
                else f"€{rng.choice([0, 0, 0, 0, 15, 24.9, 39.9, 49.8, 64.9, 79.8, 129.8]):.2f}",
            ]
        )
    write(
        FOLDER / "gym_members.csv",
        [
            "MemberNo",
            "FullName",
            "Age",
            "Plan",
            "MonthlyFee",
            "HomeClub",
            "JoinDate",
            "VisitsLastMonth",
            "HasTrainer",
            "AmountOwed",
        ],
        rows,
    )


def listings():
    rng = random.Random(4104)
    streets = [
        "Acacia Avenue",
        "Bishop Street",
        "Canal Walk",
        "Dove Lane",
        "Eastern Parade",
        "Foundry Road",
        "Garrison Hill",
        "Hawthorn Close",
        "Imperial Square",
        "Juniper Way",
        "Mill Race",
        "Orchard Rise",
    ]
    areas = {"Bellview": 5200, "Docklands": 4700, "Kirkstead": 2900, "Northmoor": 2300, "St. Anne's": 3800}
    kinds = {"apartment": (1, 3, 38), "terraced house": (2, 4, 30), "detached house": (3, 6, 36), "studio": (0, 0, 0)}
    used, rows = set(), []
    while len(rows) < 60:
        address = f"{rng.randint(1, 98)} {rng.choice(streets)}"
        if address in used:
            continue
        used.add(address)
        kind = rng.choices(list(kinds), [6, 5, 3, 2])[0]
        low, high, each = kinds[kind]
        bedrooms = rng.randint(low, high)
        size = rng.randint(24, 39) if kind == "studio" else bedrooms * each + rng.randint(4, 32)
        area = rng.choice(list(areas))
        price = round(size * areas[area] * rng.uniform(0.8, 1.2), -3)
        rows.append(
            [
                address,
                area,
                kind,
                bedrooms,
                size,
                f"${price:,.0f}",
                "NA" if rng.random() < 0.08 else rng.randint(1905, 2023),
                yes(rng, 0.8 if kind == "detached house" else 0.3),
                date_between(rng, "2024-03-01", "2024-09-30").isoformat(),
            ]
        )
    write(
        FOLDER / "listings.csv",
        [
            "Address",
            "Neighbourhood",
            "Property Type",
            "Bedrooms",
            "Size (sqm)",
            "Asking Price",
            "Year Built",
            "Garage",
            "Date Listed",
        ],
        rows,
    )


if __name__ == "__main__":
    incidents()
    shipments()
    gym()
    listings()
