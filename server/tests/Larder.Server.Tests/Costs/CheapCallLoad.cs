using Larder.Protocol;
using Larder.Server.Tests.Calls;
using Larder.Wire;

namespace Larder.Server.Tests.Costs;

/// <summary>
/// Sends cheap calls sequentially on each of a few connections until it is disposed. There are so many connections that any connection of another client shares
/// its reactor with at least one of them.
/// </summary>
internal sealed class CheapCallLoad : IAsyncDisposable
{
    private const int Connections = 4;

    private readonly CancellationTokenSource _stop = new();
    private readonly RpcHeaders _headers;
    private readonly RpcChannel[] _channels;
    private readonly long[] _calls = new long[Connections];
    private readonly Task[] _running;

    public CheapCallLoad(RunningServer server, RpcHeaders headers)
    {
        _headers = headers;
        _channels = [.. Enumerable.Range(0, Connections).Select(_ => StallTolerantChannel.To(server.Server.Endpoint))];
        _running = [.. Enumerable.Range(0, Connections).Select(number => Task.Run(() => RunAsync(number)))];
    }

    /// <summary>The number of completed calls of each connection.</summary>
    public long[] Calls => [.. Enumerable.Range(0, Connections).Select(number => Interlocked.Read(ref _calls[number]))];

    /// <summary>Fails if a connection has ended or one of its calls has failed.</summary>
    public async Task AssertServedAsync()
    {
        foreach (Task failed in _running.Where(static each => each.IsCompleted))
        {
            await failed;
            Assert.Fail("a neighbour's connection ended");
        }
    }

    /// <summary>Waits until every connection has completed another call.</summary>
    public async Task UntilServedAsync()
    {
        long[] before = Calls;
        while (Calls.Zip(before).Any(static pair => pair.First == pair.Second))
        {
            await AssertServedAsync();
            await Task.Delay(1);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll(_running);
        foreach (RpcChannel channel in _channels)
        {
            await channel.DisposeAsync();
        }

        _stop.Dispose();
    }

    private async Task RunAsync(int number)
    {
        RpcMethod<Google.Protobuf.IMessage, GetResponse> get = new("/cache_client.Scs/Get", new AnyMessageCodec(), new ProtobufCodec<GetResponse>());
        GetRequest request = new() { Key = CallHarness.Bytes($"neighbour-{number}") };
        while (!_stop.IsCancellationRequested)
        {
            GetResponse answer = await _channels[number].UnaryAsync(get, request, _headers, RunningServer.Patience, CancellationToken.None);
            Assert.Equal(CacheResult.Miss, answer.Result);
            Interlocked.Increment(ref _calls[number]);
        }
    }
}
