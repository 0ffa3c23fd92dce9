module trackengine

go 1.19
