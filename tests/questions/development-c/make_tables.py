"""Write the generated tables of this set (fixed seed).

The tables peaks.csv and recipes.csv are written by hand and are not made here.
All names, firms and figures are invented.
"""

import datetime
import random
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))

from writing import date_between, write  # noqa: E402

FIRST = (
    "Adaeze Alan Beatriz Boris Chloe Conor Daiyu Dario Elin Emeka Fiona Gustav Hana Hugo Imani Ivo Jana Joel "
    "Keiko Kofi Lara Lucas Maeve Mateo Nadia Nils Oona Oscar Petra Priya Quentin Rosa Samir Sofie Tariq Tessa "
    "Umar Vikram Willa Yusuf Zofia"
).split()
WOMEN = (
    "Adaeze Beatriz Chloe Daiyu Elin Fiona Hana Imani Jana Keiko Lara Maeve Nadia Oona Petra Priya Rosa Sofie "
    "Tessa Willa Zofia"
).split()
LAST = (
    "Abara Becker Costa Dahl Ekström Farrell Gallo Hashemi Ito Jansen Keane Lopez Mbeki Novak Okafor Perrin "
    "Quigley Ramos Sato Thorne Ueda Varga Whelan Yilmaz Zeman"
).split()


def names(random_, count):
    """Distinct full names."""
    pairs = [f"{first} {last}" for first in FIRST for last in LAST]
    return random_.sample(pairs, count)


def invoices():
    random_ = random.Random(11)
    customers = {
        "Brightwater Dental": "Leeds",
        "Hollis & Crane Architects": "Bristol",
        "Café Lindgren": "Malmö",
        "Nordhaus Logistics": "Hamburg",
        "Pinecone Toys": "Leeds",
        "Tilbury Motors": "Bristol",
        "Ruiz Catering": "Valencia",
        "Summit Yoga Studio": "Leeds",
        "Greenacre Farm Shop": "Exeter",
        "Oduya Textiles": "Hamburg",
        "Penrose Bakery": "Exeter",
        "Vandermeer Optics": "Utrecht",
    }
    dates = sorted(date_between(random_, "2023-09-01", "2024-08-31") for _ in range(86))
    number = 396
    rows = []
    for date in dates:
        number += random_.choice((1, 1, 1, 2))
        customer = random_.choice(list(customers))
        net = random_.randrange(120, 9800) + random_.choice((0, 0, 0.5, 0.25, 0.9))
        vat = random_.choice((20, 20, 20, 5, 0))
        due = date + datetime.timedelta(days=random_.choice((14, 30, 30, 45)))
        if random_.random() < 0.05:
            status = "cancelled"
        elif date < datetime.date(2024, 5, 1):
            status = "paid" if random_.random() < 0.9 else "overdue"
        else:
            status = random_.choice(("paid", "open", "open", "overdue"))
        paid = date + datetime.timedelta(days=random_.randrange(3, 60)) if status == "paid" else ""
        reminder = "yes" if status == "overdue" and random_.random() < 0.7 else "no"
        rows.append(
            [
                f"{number:06d}",
                customer,
                customers[customer],
                date.isoformat(),
                due.isoformat(),
                f"€{net:,.2f}",
                f"{vat} %",
                f"€{net * (100 + vat) / 100:,.2f}",
                status,
                paid,
                reminder,
            ]
        )
    header = "invoiceNo customer city issueDate dueDate netAmount vatRate totalAmount status paidOn reminderSent"
    write(FOLDER / "invoices.csv", header.split(), rows)


def payroll():
    random_ = random.Random(12)
    jobs = {
        "Engineering": (("Software Engineer", 92000), ("QA Analyst", 68000), ("Data Engineer", 98000)),
        "Customer Care": (("Support Agent", 41000), ("Team Lead", 56000)),
        "Finance": (("Accountant", 63000), ("Payroll Clerk", 47000), ("Controller", 105000)),
        "HR": (("Recruiter", 58000), ("HR Generalist", 61000)),
        "Marketing": (("Copywriter", 54000), ("Designer", 60000), ("Brand Manager", 83000)),
        "Warehouse": (("Picker", 36000), ("Forklift Driver", 42000), ("Shift Supervisor", 52000)),
    }
    weights = (5, 4, 3, 2, 3, 6)
    rows = []
    number = 87
    for name in names(random_, 72):
        number += random_.randrange(1, 9)
        dept = random_.choices(list(jobs), weights)[0]
        job, base = random_.choice(jobs[dept])
        salary = round(base * random_.uniform(0.85, 1.25) / 500) * 500
        hired = date_between(random_, "2008-01-07", "2024-04-30")
        site = "Dallas" if dept == "Warehouse" else random_.choice(("Dallas", "Denver", "Denver", "Tampa"))
        remote = "TRUE" if dept != "Warehouse" and random_.random() < 0.4 else "FALSE"
        contract = "part-time" if random_.random() < 0.2 else "full-time"
        bonus = random_.choice((0, 2.5, 5, 5, 7.5, 10, 12, 15))
        overtime = random_.randrange(2, 60) if dept in ("Warehouse", "Customer Care") else random_.randrange(0, 20)
        rows.append(
            [
                f"{number:05d}",
                name,
                dept,
                job,
                site,
                hired.isoformat(),
                f"${salary:,}",
                f"{bonus}%" if random_.random() > 0.06 else "",
                overtime,
                random_.randrange(0, 27),
                contract,
                remote,
            ]
        )
    header = (
        "emp_id full_name dept job_title site hire_date base_salary bonus_pct ot_hrs_ytd pto_days_left contract remote"
    )
    write(FOLDER / "payroll.csv", header.split(), rows)


def tickets():
    random_ = random.Random(13)
    agents = ("Maribel", "Owen", "Sunita", "Derek", "Fatou")
    clients = (
        "Alder Hotels",
        "Bluebird Travel",
        "City Clinic",
        "Dunmore College",
        "Eastgate Foods",
        "Finch & Sons",
        "Harbour Bank",
        "Kestrel Insurance",
    )
    products = ("Mail Server", "Mobile App", "Billing Portal", "VPN", "Web Shop")
    rows = []
    number = 20310
    for date in sorted(date_between(random_, "2024-01-02", "2024-06-28") for _ in range(128)):
        number += random_.randrange(1, 6)
        priority = random_.choices(("low", "normal", "high", "urgent"), (3, 5, 3, 1))[0]
        status = "closed"
        if date > datetime.date(2024, 5, 20) and random_.random() < 0.55:
            status = random_.choice(("open", "open", "waiting on customer"))
        elif random_.random() < 0.06:
            status = "waiting on customer"
        reply = round(random_.expovariate(1 / {"low": 150, "normal": 70, "high": 30, "urgent": 9}[priority])) + 1
        hours = round(random_.expovariate(1 / {"low": 60, "normal": 30, "high": 18, "urgent": 7}[priority]) + 0.5, 1)
        rows.append(
            [
                f"T{number}",
                date.isoformat(),
                random_.choice(clients),
                random_.choice(products),
                random_.choices(("email", "phone", "chat"), (5, 3, 2))[0],
                priority,
                random_.choices(agents, (4, 4, 3, 2, 3))[0],
                status,
                reply,
                hours if status == "closed" else "n/a",
                random_.choices((1, 2, 3, 4, 5), (1, 1, 3, 5, 6))[0]
                if status == "closed" and random_.random() < 0.7
                else "",
                "yes" if random_.random() < (0.35 if priority in ("high", "urgent") else 0.06) else "no",
            ]
        )
    header = [
        "Ticket #",
        "Opened",
        "Client",
        "Product",
        "Channel",
        "Priority",
        "Agent",
        "Status",
        "First Reply (min)",
        "Hrs to Resolve",
        "CSAT",
        "Escalated",
    ]
    write(FOLDER / "tickets.csv", header, rows)


def marathon():
    random_ = random.Random(14)
    countries = ("Ireland", "Kenya", "France", "Germany", "Spain", "Japan", "United States", "Poland")
    clubs = ("Harriers AC", "Lakeside Runners", "Midnight Milers", "Ridgeway Striders", "")
    runners = []
    bibs = random_.sample(range(1, 1500), 96)
    for name, bib in zip(names(random_, 96), bibs, strict=True):
        sex = "F" if name.split()[0] in WOMEN else "M"
        age = min(78, max(18, round(random_.gauss(40, 12))))
        country = random_.choices(countries, (9, 1, 3, 3, 2, 1, 2, 2))[0]
        finish = random_.gauss(232, 32) + max(0, age - 45) * 1.1 + (14 if sex == "F" else 0)
        if country == "Kenya":
            finish -= 45
        finish = max(finish, 131 + random_.random() * 6)
        half = finish * random_.uniform(0.455, 0.495)
        runners.append([bib, name, sex, age, country, random_.choice(clubs), half, finish])
    runners.sort(key=lambda runner: runner[-1])
    stopped = set(random_.sample(range(12, 96), 7))
    rows = []
    for index, (bib, name, sex, age, country, club, half, finish) in enumerate(runners):
        group = "18-34" if age < 35 else "35-44" if age < 45 else "45-54" if age < 55 else "55+"
        first = "yes" if random_.random() < 0.3 else "no"
        row = [f"{bib:04d}", name, sex, age, group, country, club or "-", f"{half:.1f}"]
        if index in stopped:
            rows.append((1, ["-", *row, "-", first, "DNF"]))
        else:
            rows.append((0, [*row, f"{finish:.1f}", first, "finished"]))
    place = 0
    result = []
    for out, row in sorted(rows, key=lambda pair: pair[0]):
        if not out:
            place += 1
            row = [place, *row]
        result.append(row)
    header = ["Place", "Bib", "Runner", "Sex", "Age", "Age Group", "Country", "Club", "Half (min)", "Finish (min)"]
    write(FOLDER / "marathon.csv", [*header, "First Marathon", "Result"], result)


def stores():
    random_ = random.Random(15)
    towns = {
        "North": "Alnbury Carrick Dunfell Hexley Morwick Stanhope",
        "South": "Brackley Faversham Lyndale Romney Selworth Winsford Yarrow",
        "East": "Cromer Dereham Holt Stowmark Wisbeach",
        "West": "Avonleigh Bideford Glasbury Penarth Taunton Wellow",
        "Islands": "Portree Ryde Sandown Tobermory",
    }
    shops = [(town, region) for region, text in towns.items() for town in text.split()]
    random_.shuffle(shops)
    managers = names(random_, len(shops))
    rows = []
    for (town, region), manager in zip(shops, managers, strict=True):
        opened = date_between(random_, "1994-03-01", "2022-11-30")
        area = random_.randrange(18, 140) * 10
        base = area * random_.uniform(900, 2300)
        sales = []
        for year in (2021, 2022, 2023):
            base *= random_.uniform(0.9, 1.2)
            sales.append("" if opened.year > year else f"${round(base / 100) * 100:,}")
        rows.append(
            [
                town,
                region,
                manager,
                opened.isoformat(),
                area,
                max(3, round(area / random_.uniform(25, 60))),
                *sales,
                f"{random_.uniform(-6, 21):.1f}%",
                random_.choice(("yes", "no")),
            ]
        )
    header = "Store,Region,Manager,Opening Date,Floor Area (sqm),Staff,2021 Sales,2022 Sales,2023 Sales,Margin,Café"
    write(FOLDER / "stores.csv", header.split(","), rows)


PRODUCTS = """
Claw Hammer|Ironbark|Hand Tools|18.5|0.7
Cordless Drill 18V|Voltaro|Power Tools|129|1.9
Circular Saw|Voltaro|Power Tools|149.9|4.2
Tape Measure 5m|Ironbark|Hand Tools|9.9|0.3
Spirit Level 60cm|Ironbark|Hand Tools|21|0.6
Garden Hose 25m|Fernly|Garden|34.5|3.4
Pruning Shears|Fernly|Garden|16.9|0.3
Leaf Rake|Fernly|Garden|19.9|1.1
Electric Lawn Mower|Voltaro|Garden|259|14.5
Watering Can 10L|Fernly|Garden|14.5|0.8
Wheelbarrow|Bramwell|Garden|79|12.8
Wall Paint White 5L|Colora|Paint|38|7.1
Wall Paint Grey 5L|Colora|Paint|41|7.1
Wood Stain Oak 1L|Colora|Paint|22.5|1.2
Paint Roller Set|Bramwell|Paint|12.9|0.5
Masking Tape 50m|Bramwell|Paint|4.2|0.2
Spray Paint Black|Colora|Paint|8.9|0.4
LED Bulb E27 4-pack|Lumino|Lighting|13.9|0.2
Desk Lamp|Lumino|Lighting|45|1.6
Floor Lamp|Lumino|Lighting|89|5.3
Solar Path Light|Lumino|Lighting|17.5|0.4
Motion Sensor Light|Voltaro|Lighting|32|0.6
Extension Cord 10m|Voltaro|Electrical|19.5|0.9
Power Strip 6-way|Voltaro|Electrical|15.9|0.5
Smoke Detector|Safehome|Safety|24|0.2
Carbon Monoxide Alarm|Safehome|Safety|36.5|0.2
Fire Extinguisher 6kg|Safehome|Safety|54|9.6
Work Gloves|Safehome|Safety|7.5|0.1
Safety Goggles|Safehome|Safety|11|0.1
Ear Defenders|Safehome|Safety|18|0.3
Hard Hat|Safehome|Safety|23|0.4
Step Ladder 4-step|Bramwell|Storage|64|6.2
Shelf Unit 5-tier|Bramwell|Storage|72.5|15.4
Tool Box 22in|Ironbark|Storage|39|2.8
Storage Bin 60L|Bramwell|Storage|18.9|2.1
Screwdriver Set 12pc|Ironbark|Hand Tools|27|1.0
Adjustable Wrench|Ironbark|Hand Tools|17.9|0.5
Combination Pliers|Ironbark|Hand Tools|15.5|0.3
Hand Saw|Ironbark|Hand Tools|23.9|0.8
Utility Knife|Ironbark|Hand Tools|6.9|0.2
Angle Grinder|Voltaro|Power Tools|84|2.3
Jigsaw|Voltaro|Power Tools|95|2.6
Belt Sander|Voltaro|Power Tools|118|3.5
Heat Gun|Voltaro|Power Tools|49.9|0.9
Pressure Washer|Voltaro|Garden|189|11.2
Hedge Trimmer|Voltaro|Garden|109|3.7
Potting Soil 40L|Fernly|Garden|9.5|16.0
Grass Seed 2kg|Fernly|Garden|21.9|2.0
Plant Pot Terracotta|Fernly|Garden|6.5|1.8
Ceiling Light|Lumino|Lighting|67|2.2
Torch 500 Lumen|Lumino|Lighting|25|0.3
Wood Screws 200pc|Bramwell|Hardware|8.5|0.9
Door Handle Brass|Bramwell|Hardware|19|0.6
Padlock 50mm|Safehome|Hardware|14|0.3
Hinge Set|Bramwell|Hardware|7.9|0.4
Cabinet Knob 6-pack|Bramwell|Hardware|16.5|0.3
Chain 2m|Ironbark|Hardware|12.5|1.7
Toilet Seat|Bramwell|Bathroom|42|2.9
Shower Head|Bramwell|Bathroom|35|0.5
Bath Mat|Bramwell|Bathroom|15|0.7
"""


def products():
    random_ = random.Random(16)
    suppliers = {
        "Ironbark": ("Delmar Trading",),
        "Voltaro": ("Voltaro Direct",),
        "Fernly": ("Greenline Wholesale", "Delmar Trading"),
        "Bramwell": ("Delmar Trading", "Oakes Bros"),
        "Colora": ("Oakes Bros",),
        "Lumino": ("Brightside Imports",),
        "Safehome": ("Brightside Imports", "Oakes Bros"),
    }
    rows = []
    for line in PRODUCTS.strip().splitlines():
        item, brand, category, price, weight = line.split("|")
        price = float(price)
        stock = random_.choice((0, 4, 9, *[random_.randrange(5, 400) for _ in range(7)]))
        rows.append(
            [
                f"{random_.randrange(300, 9800):06d}",
                item,
                brand,
                category,
                f"{price:.2f}",
                f"{price * random_.uniform(0.42, 0.74):.2f}",
                stock,
                random_.choice((10, 20, 25, 40, 50)),
                weight,
                random_.choice(suppliers[brand]),
                random_.choice(("0%", "0%", "0%", "5%", "10%", "15%", "25%")),
                "TRUE" if random_.random() < 0.13 else "FALSE",
            ]
        )
    header = "SKU,Item,Brand,Cat,Price USD,Unit Cost USD,Qty,Reorder Lvl,Wt (kg),Supplier,Disc,Discontinued"
    write(FOLDER / "products.csv", header.split(","), rows)


if __name__ == "__main__":
    invoices()
    payroll()
    tickets()
    marathon()
    stores()
    products()
