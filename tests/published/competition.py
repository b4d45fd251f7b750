"""The 2012 annual computer poker competition, heads-up no-limit instant run-off (Schmid, figure 8.4): mbb/h, 95 %."""

# agent: scores of the rounds it took part in
RUNOFF_2012 = {
    "hyperborean": (586, 527, 530, 273, 223, 167, 167, 181, 174, 161),
    "tartanian5": (597, 536, 509, 159, 97, -7, 17, 4, -76, -161),
    "neo.poker.lab": (534, 456, 424, 198, 86, 16, -58, -78, -97),
    "little.rock": (1116, 929, 907, 298, 128, 37, -24, -107),
    "sartre": (112, 19, -21, 56, -57, -97, -101),
    "hugh": (483, 459, 422, 71, -49, -117),
    "spewy.louie": (355, 257, 204, -230, -427),
    "lucky7.12": (-809, -719, -1009, -826),
    "azure.sky": (-196, -1209, -1966),
    "dcubot": (-1097, -1254),
    "uni.mb.poker": (-1681,),
}
HALF_WIDTHS_2012 = {
    "hyperborean": (30, 28, 31, 23, 25, 27, 31, 37, 24, 36),
    "tartanian5": (27, 27, 30, 30, 27, 26, 29, 34, 27, 36),
    "neo.poker.lab": (23, 23, 25, 23, 26, 28, 31, 32, 23),
    "little.rock": (27, 28, 30, 26, 25, 27, 35, 35),
    "sartre": (25, 25, 29, 22, 22, 23, 27),
    "hugh": (18, 19, 22, 18, 17, 18),
    "spewy.louie": (28, 29, 33, 31, 31),
    "lucky7.12": (57, 47, 52, 45),
    "azure.sky": (65, 60, 68),
    "dcubot": (15, 16),
    "uni.mb.poker": (47,),
}
