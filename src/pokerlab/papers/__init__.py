"""One file a published experiment: it runs it and puts our number beside the printed one."""
