// Go's stock gRPC client. Arguments: PORT IN_FLIGHT CALLS REQUEST_HEX WANTED_HEX. Writes one JSON line.
package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

type bytesCodec struct{}

func (bytesCodec) Marshal(v interface{}) ([]byte, error) { return *v.(*[]byte), nil }
func (bytesCodec) Unmarshal(data []byte, v interface{}) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}
func (bytesCodec) Name() string { return "proto" }

func main() {
	inFlight, _ := strconv.Atoi(os.Args[2])
	calls, _ := strconv.Atoi(os.Args[3])
	request, _ := hex.DecodeString(os.Args[4])
	wanted, _ := hex.DecodeString(os.Args[5])
	connection, err := grpc.Dial("127.0.0.1:"+os.Args[1], grpc.WithInsecure(), grpc.WithBlock())
	if err != nil {
		panic(err)
	}
	took := make([]float64, calls)
	var next, wrong int64
	var lock sync.Mutex
	errors := map[string]int{}
	var group sync.WaitGroup
	began := time.Now()
	for i := 0; i < inFlight; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := atomic.AddInt64(&next, 1); n <= int64(calls); n = atomic.AddInt64(&next, 1) {
				var answer []byte
				at := time.Now()
				ctx, cancel := context.WithTimeout(metadata.AppendToOutgoingContext(context.Background(), "cache", "cache"), 30*time.Second)
				err := connection.Invoke(ctx, "/cache_client.Scs/Get", &request, &answer, grpc.ForceCodec(bytesCodec{}))
				cancel()
				took[n-1] = float64(time.Since(at).Microseconds())
				if err != nil {
					lock.Lock()
					errors[status.Code(err).String()+": "+status.Convert(err).Message()]++
					lock.Unlock()
				} else if !bytes.Equal(answer, wanted) {
					atomic.AddInt64(&wrong, 1)
				}
			}
		}()
	}
	group.Wait()
	seconds := time.Since(began).Seconds()
	sort.Float64s(took)
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"seconds": seconds, "p999Us": took[calls*999/1000], "maxUs": took[calls-1], "wrong": wrong, "errors": errors,
	})
}
