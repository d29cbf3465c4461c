"""Decisions and arithmetic with whole numbers: what programs live on that compute little."""
