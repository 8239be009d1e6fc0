"""What is sold: shirts in their colours and sizes, and prices."""
