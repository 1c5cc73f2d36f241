using Google.Protobuf;
using Larder.Wire;

namespace Larder.Server.Tests;

/// <summary>A server in this process on free ports, with one channel to it.</summary>
internal sealed class RunningServer : IAsyncDisposable
{
    public const string Cache = "cache";

    // Far more than any call takes on a loaded machine; nothing waits for it.
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
        // The machine may stall the guard's thread for seconds; a call refused for that would fail its test.
        ServerOptions options = new() { Port = 0, ConsolePort = 0, MemoryBytes = 64L << 20, LongestBusyGap = TimeSpan.FromHours(1) };
        LarderServer server = await LarderServer.StartAsync(with is null ? options : with(options));
        return new RunningServer(server, OpenChannel(server));
    }

    /// <summary>Opens another connection, which is the caller's.</summary>
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

    // No pings: they would flush what a call forgot to, and hide it.
    private static RpcChannel OpenChannel(LarderServer server) =>
        new(PatientChannel.Options(server.Endpoint) with { KeepAlivePingDelay = Timeout.InfiniteTimeSpan });
}
