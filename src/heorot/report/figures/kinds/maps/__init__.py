"""The kinds of figures that are maps: fields in lines and columns."""
