"""From an idea or a photo to a design and its print product."""
