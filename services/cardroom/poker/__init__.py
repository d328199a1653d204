"""The rules of poker as pure functions: cards, betting, pots, showdowns. House rules come in as arguments."""
