"""The bad beat jackpot: pools, contributions, claims, qualification, payouts and voids."""
