"""The goods: shirts in their colours and sizes, and prices."""
