"""Two databases' schemas compared: what a catalogue holds, how it differs from another, the SQL between them."""
