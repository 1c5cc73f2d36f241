using System.Text;
using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests;
using Larder.Wire;

namespace Larder.Console.Tests.Servers;

/// <summary>
/// A client that calls a server continuously. It often reads one hot key. It also reads many other keys, which may need more memory than the server has.
/// </summary>
internal sealed class Load : IAsyncDisposable
{
    public const string HotKey = "the:hot:key";
    public const string Agent = "larder-python:0.1.0";

    /// <summary>The number of keys whose values need about twice the memory of the store. The store of a server with 64 MB of memory has 32 MB.</summary>
    public const int TooManyKeys = 8_000;

    /// <summary>The number of keys whose values fit into the memory of the store.</summary>
    public const int FewKeys = 500;

    private const int ValueBytes = 8_000;
    private const int Callers = 2;

    // Limits the load to some thousand calls per second, because the browser and the tests share the processors.
    private const int ConcurrentCalls = 20;
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10);

    private readonly int _keys;
    private readonly RpcChannel _channel;
    private readonly CancellationTokenSource _ending = new();
    private readonly Task[] _callers;

    /// <param name="server">The address of the server.</param>
    /// <param name="keys">The number of keys to read. If a key is missing, the client sets it.</param>
    public Load(Uri server, int keys = FewKeys)
    {
        _keys = keys;
        _channel = new RpcChannel(new RpcChannelOptions { Endpoint = server });
        _callers = [.. Enumerable.Range(0, Callers).Select(CallAsync)];
    }

    /// <summary>The client's connection.</summary>
    public RpcChannel Channel => _channel;

    /// <summary>Makes one call.</summary>
    public async Task<TResponse> CallAsync<TResponse>(string call, IMessage request, string cache = "cache")
        where TResponse : class, IMessage<TResponse>, new() =>
        await _channel.UnaryAsync(
            new RpcMethod<IMessage, TResponse>($"/cache_client.Scs/{call}", new AnyMessageCodec(), new ProtobufCodec<TResponse>()),
            request,
            new RpcHeaders(new("cache", cache), new("agent", Agent)),
            TimeSpan.FromSeconds(20),
            CancellationToken.None);

    /// <summary>Creates a cache.</summary>
    public async Task MakeCacheAsync(string name) =>
        await _channel.UnaryAsync(
            new RpcMethod<IMessage, CreateCacheResponse>(
                "/control_client.ScsControl/CreateCache",
                new AnyMessageCodec(),
                new ProtobufCodec<CreateCacheResponse>()),
            new CreateCacheRequest { Name = name },
            RpcHeaders.Empty,
            TimeSpan.FromSeconds(20),
            CancellationToken.None);

    /// <summary>Sets a value.</summary>
    public Task SetAsync(byte[] key, byte[] value, int ttlMs = 3_600_000, string cache = "cache") =>
        CallAsync<SetResponse>("Set", new SetRequest { Key = ByteString.CopyFrom(key), Value = ByteString.CopyFrom(value), TtlMs = (ulong)ttlMs }, cache);

    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        await Task.WhenAll(_callers);
        await _channel.DisposeAsync();
        _ending.Dispose();
    }

    private async Task CallAsync(int caller)
    {
        Random random = new(caller);
        byte[] value = new byte[ValueBytes];
        ByteString hot = ByteString.CopyFromUtf8(HotKey);
        await SetAsync(Encoding.UTF8.GetBytes(HotKey), """{"name":"Ada","visits":7}"""u8.ToArray());
        for (int call = 1; !_ending.IsCancellationRequested; call++)
        {
            ByteString key = ByteString.CopyFromUtf8($"item:{random.Next(_keys)}");
            GetResponse got = await CallAsync<GetResponse>("Get", new GetRequest { Key = random.Next(3) == 0 ? hot : key });
            if (got.Result == CacheResult.Miss)
            {
                await SetAsync(key.ToByteArray(), value);
            }

            if (call % ConcurrentCalls == 0)
            {
                await Task.Delay(s_pause, _ending.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }
}
