"""What an agent did and left, as pieces that can be screened: commands, programs, pages, words, what came back."""
