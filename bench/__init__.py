"""`make bench`: figures of the running stack, each as a ratio to its limit in the same run."""
