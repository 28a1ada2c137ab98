// A server that speaks MongoDB's protocol and keeps its data in SQLite files, for the tests of
// Agenda's MongoDB store. It can be built wherever Go is installed, so the tests need no container
// and no installed database. It prints its URI when it listens. With port 0 it takes a free port.
//
// Usage: mongo <address> <data directory>
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: mongo <address> <data directory>")
	}
	address, dir := os.Args[1], filepath.ToSlash(os.Args[2])

	server, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: address},
		Handler:  "sqlite",
		// Data need not survive a crash of the machine, and waiting for a slow disk makes the tests slow.
		SQLiteURL: "file:" + dir + "/?_pragma=synchronous(off)",
	})
	if err != nil {
		log.Fatal(err)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Println(server.MongoDBURI())
	if err := server.Run(ctx); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}
