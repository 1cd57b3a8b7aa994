"""What people call countries, and those who are from there."""

COUNTRY_OF = {  # and what is theirs -> their country
    "american": "united states", "argentine": "argentina", "argentinian": "argentina", "australian": "australia",
    "austrian": "austria", "belgian": "belgium", "brazilian": "brazil", "british": "united kingdom",
    "bulgarian": "bulgaria", "canadian": "canada", "chilean": "chile", "chinese": "china", "colombian": "colombia",
    "croatian": "croatia", "cuban": "cuba", "czech": "czech republic", "danish": "denmark", "dutch": "netherlands",
    "egyptian": "egypt", "english": "england", "estonian": "estonia", "ethiopian": "ethiopia", "finnish": "finland",
    "french": "france", "german": "germany", "ghanaian": "ghana", "greek": "greece", "hungarian": "hungary",
    "icelandic": "iceland", "indian": "india", "indonesian": "indonesia", "iranian": "iran", "irish": "ireland",
    "israeli": "israel", "italian": "italy", "jamaican": "jamaica", "japanese": "japan", "kenyan": "kenya",
    "korean": "south korea", "latvian": "latvia", "lithuanian": "lithuania", "malaysian": "malaysia",
    "mexican": "mexico", "moroccan": "morocco", "nigerian": "nigeria", "norwegian": "norway", "pakistani": "pakistan",
    "peruvian": "peru", "polish": "poland", "portuguese": "portugal", "romanian": "romania", "russian": "russia",
    "scottish": "scotland", "serbian": "serbia", "slovak": "slovakia", "slovenian": "slovenia", "spanish": "spain",
    "swedish": "sweden", "swiss": "switzerland", "thai": "thailand", "turkish": "turkey", "ukrainian": "ukraine",
    "vietnamese": "vietnam", "welsh": "wales", "african": "africa", "asian": "asia", "european": "europe",
    "brit": "united kingdom", "spaniard": "spain", "swede": "sweden", "dane": "denmark", "finn": "finland",
    "pole": "poland", "turk": "turkey", "scot": "scotland",
}  # fmt: skip

ALSO_CALLED = {  # countries
    "united states": ("usa", "us", "america", "u.s", "u.s.a"), "united kingdom": ("uk", "great britain", "britain"),
    "south korea": ("korea",), "czech republic": ("czechia",), "netherlands": ("holland",),
    "england": ("united kingdom", "uk", "great britain"),
}  # fmt: skip
