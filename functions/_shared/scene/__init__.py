"""The drawing of a shirt's two sides: scene, lettering, shapes, SVG, and the file that is printed (docs/scene.md)."""
