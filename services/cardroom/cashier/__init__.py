"""The cage: chips sold and cashed, checks, runners, payouts, drop and its count, in a double-entry ledger of cents."""
