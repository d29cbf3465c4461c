"""Operations on vectors: the rate of a core by their length."""
