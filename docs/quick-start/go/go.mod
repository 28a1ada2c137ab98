module example.com/quick-start

go 1.22
