FLAGS := -O2

%.o: %.c
	$(CC) -c $<
