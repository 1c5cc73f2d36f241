using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Pipeline;

/// <summary>Tests of pipeline messages whose sizes are near the window size of 1 MB or near the largest message size (PIPE-8).</summary>
public sealed class LargeMessageTests
{
    private const int MaxBytes = 11_010_048;

    [Theory]
    [InlineData(1_048_570)]
    [InlineData(1_048_571)]
    [InlineData(1_048_576)]
    [InlineData(1_572_864)]
    [InlineData(MaxBytes)]
    public async Task Message_up_to_the_size_limit_gets_a_response(int bytes)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        Task sending = client.SendAsync(Message(bytes, out int operations));
        Dictionary<uint, Result> results = await client.ReadResultsAsync(operations);
        await sending;
        Assert.All(results.Values, result => Assert.Equal(CacheResult.Ok, result.Set.Result));
        await client.SendAsync(PipelineStreamTests.Get(1, "other"));
        Assert.Equal(CacheResult.Miss, (await client.ReadResultsAsync(1))[1].Get.Result);
    }

    [Theory]
    [InlineData(MaxBytes + 1)]
    [InlineData(10 * MaxBytes)]
    public async Task Message_over_the_size_limit_fails_only_its_stream(int bytes)
    {
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient neighbour = await PipelineClient.OpenAsync(server);
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        byte[] prefix = new byte[5];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(prefix.AsSpan(1), bytes);
        await client.SendRawAsync(prefix);
        RpcException error = await Assert.ThrowsAsync<RpcException>(client.ReadAsync);
        Assert.Equal(StatusCode.ResourceExhausted, error.Status.Code);
        await neighbour.SendAsync(PipelineStreamTests.Get(1, "k"));
        Assert.Single(await neighbour.ReadResultsAsync(1));
    }

    [Fact]
    public async Task Message_exceeding_buffer_memory_fails_with_ResourceExhausted()
    {
        // With 16 MiB of memory, the buffers may use 8 MiB. One connection may use half of this, which is 4 MiB.
        await using RunningServer server = await RunningServer.StartAsync(options => options with { MemoryBytes = 16 << 20 });
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        await client.SendAsync(Message(MaxBytes, out _));
        RpcException error = await Assert.ThrowsAsync<RpcException>(client.ReadAsync);
        Assert.Equal((StatusCode.ResourceExhausted, "memory_limit_exceeded"), (error.Status.Code, error.FindTrailer(RpcException.CauseTrailer)));
        await using PipelineClient next = await PipelineClient.OpenAsync(server);
        await next.SendAsync(Message(1_048_576, out int operations));
        await next.ReadResultsAsync(operations);
    }

    [Fact]
    public async Task Response_of_1_MB_is_delivered_in_full()
    {
        // The request has 1,000,000 keys. The response is a single message with one byte per key.
        await using RunningServer server = await RunningServer.StartAsync();
        await using PipelineClient client = await PipelineClient.OpenAsync(server);
        KeysExistRequest request = new();
        request.Keys.AddRange(Enumerable.Repeat(CallHarness.Bytes("k"), 1_000_000));
        Task sending = client.SendAsync(new Operation { Id = 1, KeysExist = request });
        Assert.Equal(1_000_000, (await client.ReadResultsAsync(1))[1].KeysExist.Exists.Count);
        await sending;
    }

    // Builds a message with sets of one key. The last value is padded, so that the message has the exact size.
    private static byte[] Message(int bytes, out int operations)
    {
        byte[] one = new Batch { Operations = { PipelineStreamTests.Set(1, "k", new string('v', 60_000)) } }.ToByteArray();
        Batch batch = new();
        operations = 0;
        for (int size = 0; size + (2 * one.Length) < bytes; size += one.Length + (operations > 127 ? 1 : 0))
        {
            operations++;
            batch.Operations.Add(PipelineStreamTests.Set((uint)operations, "k", new string('v', 60_000)));
        }

        operations++;
        for (int value = bytes - batch.CalculateSize() - 40; ; value++)
        {
            Batch last = new() { Operations = { PipelineStreamTests.Set((uint)operations, "k", new string('v', value)) } };
            if (batch.CalculateSize() + last.CalculateSize() >= bytes)
            {
                byte[] message = [.. batch.ToByteArray(), .. last.ToByteArray()];
                Assert.Equal(bytes, message.Length);
                return message;
            }
        }
    }
}
