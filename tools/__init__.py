"""Programs for those who work on the project: films, screenshots, pictures of the documents, coverage figures."""

import sys
from pathlib import Path

# Some write pages and files of the functions' own rules.
sys.path.append(str(Path(__file__).resolve().parents[1] / "functions"))
