"""Tables: button and blinds, chips in play, hands, irregularities, rulings and disputes."""
