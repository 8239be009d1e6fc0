"""For the tests of a project: `localbase_project`, a fresh project for each test (`pytest_plugin`)."""
