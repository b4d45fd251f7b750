"""Long jobs that outlive their caller: a queue, worker processes, and a folder for each job."""
