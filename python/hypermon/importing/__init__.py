"""What others recorded, made into something that hypermon runs or replays."""
