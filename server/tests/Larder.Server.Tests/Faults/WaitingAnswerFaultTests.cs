using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;

namespace Larder.Server.Tests.Faults;

/// <summary>
/// S7: tests of calls with large responses that the client does not read. The server does not reject these calls. It reads the data from the store later, and
/// sends all responses when the client reads.
/// </summary>
public sealed class WaitingAnswerFaultTests : IAsyncLifetime
{
    private const string Extras = "/larder.v1.Extras";
    private const string Scs = "/cache_client.Scs";
    private const int Connections = 2;
    private const int Calls = 100;

    // The size of the value in each response. The buffers have 32 MiB, of which one connection may use 16 MiB. This is a tenth of the total size of 100
    // responses.
    private const int ValueBytes = 1_500_000;

    // A page of keys or items is at most 1 MiB.
    private const int MinBytes = 500_000;

    private RunningServer _server = null!;

    public async Task InitializeAsync() => _server = await RunningServer.StartAsync(static options => options with { MemoryBytes = 256L << 20 });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("Get")]
    [InlineData("GetOrLease")]
    [InlineData("GetOrLease of a stale value")]
    [InlineData("ListFetch")]
    [InlineData("ScanItems")]
    [InlineData("ScanKeys")]
    public async Task S7_unread_responses_are_delivered_later_and_not_rejected(string call)
    {
        (string path, byte[] request) = await PrepareAsync(call);
        List<Http2Attacker> readers = [];
        try
        {
            for (int connection = 0; connection < Connections; connection++)
            {
                readers.Add(await UnreadResponses.AskAsync(_server, path, request, Calls));
            }

            await _server.Channel.AssertServesAsync(calls: 5);
            long[] bytes = await Task.WhenAll(readers.Select(static reader => UnreadResponses.ReadAsync(reader, Calls)));
            Assert.All(bytes, static each => Assert.InRange(each, (long)Calls * MinBytes, long.MaxValue));
        }
        finally
        {
            readers.ForEach(static reader => reader.Dispose());
        }
    }

    [Fact]
    public async Task GetOrLease_releases_the_lease_when_response_memory_is_exhausted()
    {
        // The server has the minimum memory. Its buffers have 8 MiB, of which one connection may use 4 MiB.
        const int bytes = 3_000_000;
        await using RunningServer small = await RunningServer.StartAsync(static options => options with { MemoryBytes = 16L << 20 });
        await StoreStaleAsync(small, "k", bytes);
        await small.Channel.SetAsync("large", new byte[bytes]);
        List<Http2Attacker> readers = [];
        try
        {
            byte[] get = FaultCalls.Framed(new GetRequest { Key = CallHarness.Bytes("large") });
            // Two readers would be enough, but the socket buffers of the operating system may contain a large part of the responses.
            for (int reader = 0; reader < 4; reader++)
            {
                readers.Add(await UnreadResponses.AskAsync(small, FaultCalls.Get, get, calls: 1));
            }

            await Until.TrueAsync(async () => await CodeAsync(small) == Wire.StatusCode.ResourceExhausted, "the answers that nobody reads hold the budget");
        }
        finally
        {
            readers.ForEach(static reader => reader.Dispose());
        }

        GetOrLeaseResponse? answer = null;
        await Until.TrueAsync(async () => (answer = await TryAskAsync(small)) is not null, "the budget is given back");
        Assert.Equal((bytes, false), (answer!.Stale.Value.Length, answer.Stale.Token.IsEmpty));
    }

    private async Task<(string Path, byte[] Request)> PrepareAsync(string call)
    {
        ByteString key = CallHarness.Bytes("k");
        switch (call)
        {
            case "Get":
                await _server.Channel.SetAsync("k", new byte[ValueBytes]);
                return ($"{Scs}/Get", FaultCalls.Framed(new GetRequest { Key = key }));
            case "GetOrLease":
                await _server.Channel.SetAsync("k", new byte[ValueBytes]);
                return ($"{Extras}/GetOrLease", FaultCalls.Framed(Ask));
            case "GetOrLease of a stale value":
                await StoreStaleAsync(_server, "k", ValueBytes);
                return ($"{Extras}/GetOrLease", FaultCalls.Framed(Ask));
            case "ScanKeys":
                await Task.WhenAll(Enumerable.Range(0, 6).Select(each => _server.Channel.SetAsync(new string((char)('a' + each), 200_000), [1])));
                return ($"{Extras}/ScanKeys", FaultCalls.Framed(new ScanKeysRequest { Count = 4_096 }));
            default:
                ListConcatenateBackRequest push = new() { Name = key, TtlMs = 600_000 };
                push.Values.Add(Enumerable.Repeat(ByteString.CopyFrom(new byte[30_000]), ValueBytes / 30_000));
                await _server.CallAsync<ListConcatenateBackResponse>($"{Scs}/ListConcatenateBack", push);
                return call == "ListFetch"
                    ? ($"{Scs}/ListFetch", FaultCalls.Framed(new ListFetchRequest { Name = key }))
                    : ($"{Extras}/ScanItems", FaultCalls.Framed(new ScanItemsRequest { Name = key, Count = 4_096 }));
        }
    }

    private static GetOrLeaseRequest Ask => new() { Key = CallHarness.Bytes("k"), LeaseMs = 600_000 };

    private static async Task StoreStaleAsync(RunningServer server, string key, int bytes)
    {
        SetWithLeaseRequest store = new() { Key = CallHarness.Bytes(key), Value = ByteString.CopyFrom(new byte[bytes]), TtlMs = 1, StaleMs = 600_000 };
        await server.CallAsync<SetWithLeaseResponse>($"{Extras}/SetWithLease", store);
        await Until.TrueAsync(async () => await server.Channel.GetAsync(key) == CacheResult.Miss, "it is stale");
    }

    private static async Task<Wire.StatusCode> CodeAsync(RunningServer server)
    {
        try
        {
            await server.CallAsync<GetOrLeaseResponse>($"{Extras}/GetOrLease", Ask);
            return Wire.StatusCode.Ok;
        }
        catch (Wire.RpcException error)
        {
            return error.Status.Code;
        }
    }

    private static async Task<GetOrLeaseResponse?> TryAskAsync(RunningServer server)
    {
        try
        {
            return await server.CallAsync<GetOrLeaseResponse>($"{Extras}/GetOrLease", Ask);
        }
        catch (Wire.RpcException error) when (error.Status.Code == Wire.StatusCode.ResourceExhausted)
        {
            return null;
        }
    }
}
