"""The table in a browser: the simulated table, the spectators' board, the director's console. Needs the extra `web`.

The server has a thread and an event loop of its own: a slow browser never slows the table. What browsers see is plain
text that the table publishes when something has changed; what they ask for is done by the task that decides.
"""
