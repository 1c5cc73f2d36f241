using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Services;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Pipeline;

/// <summary>
/// Tests of the memory cost of a pipeline turn. The allocations of the whole process are counted, including those of the client. Therefore, no other test runs
/// concurrently.
/// </summary>
[Collection(nameof(SequentialMeasurements))]
public sealed class PipelineAllocationTests
{
    private const int Calls = 20_000;
    private const int MaxRounds = 20;
    private const int MaxBytes = 400;

    [Fact]
    public async Task Single_pipelined_call_allocates_no_async_state_machines()
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using DuplexBytes call = new(
            await server.Channel.OpenDuplexAsync(PipelineService.Path, RunningServer.CacheHeaders(), CancellationToken.None));
        byte[] batch = new Batch { Operations = { new Operation { Id = 1, Get = new GetRequest { Key = CallHarness.Bytes("k") } } } }.ToByteArray();
        byte[] frame = [0, 0, 0, 0, (byte)batch.Length, .. batch];
        long each = long.MaxValue;
        // Use the minimum of several rounds, because code that is not fully optimized yet allocates more.
        for (int round = 0; round < MaxRounds && each >= MaxBytes; round++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            await RunAsync(call, frame).WaitAsync(RunningServer.Patience);
            each = Math.Min(each, (GC.GetTotalAllocatedBytes(precise: true) - before) / Calls);
        }

        // The two async state machines of a turn would take 520 bytes if they were allocated.
        Assert.True(each < MaxBytes, $"{each} bytes a call");
    }

    private static async Task RunAsync(DuplexBytes call, ReadOnlyMemory<byte> frame)
    {
        byte[] answer = new byte[1024];
        for (int sent = 0; sent < Calls; sent++)
        {
            call.Write(frame.Span);
            // Each read returns a whole response, because a response is one frame of a few bytes.
            Assert.NotEqual(0, await call.ReadAsync(answer));
        }
    }
}
