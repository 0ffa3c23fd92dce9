print("stops")
