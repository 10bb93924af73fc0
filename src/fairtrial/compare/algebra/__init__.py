"""Mathematics as it is written in answers: read into a tree, then decided exactly or to many digits."""
