"""The poker rule engine: rules, state, betting, dealing, pots, showdown; bet menus; betting without cards."""
