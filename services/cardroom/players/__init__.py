"""Who a player is: records, incidents, warnings, sanctions, bars, and pairs kept apart."""
