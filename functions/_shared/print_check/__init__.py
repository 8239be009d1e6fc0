"""What a print shop looks for before it prints, and how it is mended. Pure: pictures in, findings or pictures out.

Pillow alone: NumPy would add 60 MB to each picture function for what whole-picture operations do as fast.
"""
