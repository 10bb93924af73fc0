"""How rewards become advantages: conventions, credit by rank, which prompts are drawn; pure."""
