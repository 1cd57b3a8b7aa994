"""Questions of one's own, data sets, written questions, the tasks of the paper."""
