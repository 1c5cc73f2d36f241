using Google.Protobuf;
using Larder.Wire;

namespace Larder.Server.Tests;

/// <summary>A server in this process on free ports, with one channel to the server.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    public const string Cache = "cache";

    // The deadline of calls. It is much longer than any call takes on a loaded machine. It never delays a passing test.
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private RunningServer(LarderServer server, RpcChannel channel)
    {
        Server = server;
        Channel = channel;
    }

    public LarderServer Server { get; }

    public RpcChannel Channel { get; }

    public static RpcHeaders CacheHeaders(string cache = Cache) => new(new KeyValuePair<string, string>("cache", cache));

    public static async Task<RunningServer> StartAsync(Func<ServerOptions, ServerOptions>? with = null)
    {
        // The server rejects calls if its pause detection wakes up later than this limit. The limit is long here, because a loaded machine may delay the
        // detection by seconds, and a rejected call would fail its test.
        ServerOptions options = new() { Port = 0, ConsolePort = 0, MemoryBytes = 64L << 20, LongestBusyGap = TimeSpan.FromHours(1) };
        LarderServer server = await LarderServer.StartAsync(with is null ? options : with(options));
        return new RunningServer(server, OpenChannel(server));
    }

    /// <summary>Opens another connection. The caller must dispose it.</summary>
    public RpcChannel OpenChannel() => OpenChannel(Server);

    public ValueTask<TResponse> CallAsync<TResponse>(string path, IMessage request, RpcHeaders? headers = null)
        where TResponse : class, IMessage<TResponse>, new() =>
        Channel.UnaryAsync(
            new RpcMethod<IMessage, TResponse>(path, new AnyMessageCodec(), new ProtobufCodec<TResponse>()),
            request,
            headers ?? CacheHeaders(),
            Patience,
            CancellationToken.None);

    public async ValueTask DisposeAsync()
    {
        await Channel.DisposeAsync();
        await Server.DisposeAsync();
    }

    // The channel sends no pings, because a ping would flush data that a call has failed to flush, and would hide this fault.
    private static RpcChannel OpenChannel(LarderServer server) =>
        new(StallTolerantChannel.Options(server.Endpoint) with { KeepAlivePingDelay = Timeout.InfiniteTimeSpan });
}
