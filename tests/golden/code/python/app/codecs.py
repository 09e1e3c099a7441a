class Json:
    def encode(self, value):
        def quote(text):
            return '"' + text + '"'

        return quote(str(value))
