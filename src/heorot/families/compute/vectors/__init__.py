"""Operations on vectors: what a core makes of them by their length."""
