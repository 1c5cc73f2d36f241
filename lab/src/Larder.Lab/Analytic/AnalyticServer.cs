using System.Buffers;
using Larder.Wire;

namespace Larder.Lab.Known;

/// <summary>
/// A server for gets and sets over unary gRPC on a free port of this machine, with known service time and parallelism (<see cref="KnownWork"/>). What a tuner
/// finds can be compared with computed values. It stores nothing: every get returns a value of 100 bytes.
/// </summary>
internal sealed class KnownServer : IAsyncDisposable
{
    // GetResponse {result: Hit, value: 100 × 'x'} and SetResponse {result: Ok} (protocol/proto/cache.proto).
    private static readonly byte[] s_hit = [0x08, 2, 0x12, 100, .. Enumerable.Repeat((byte)'x', 100)];
    private static readonly byte[] s_stored = [0x08, 1];

    private readonly RpcServer _server;
    private readonly KnownWork? _work;

    private KnownServer(RpcServer server, KnownWork? work)
    {
        (_server, _work) = (server, work);
        Endpoint = server.Endpoint.ToString();
    }

    /// <summary>Gets the address, as <c>host:port</c>.</summary>
    public string Endpoint { get; }

    /// <summary>Gets the work that its calls wait for.</summary>
    /// <exception cref="InvalidOperationException">The server plays a schedule instead.</exception>
    public KnownWork Work => _work ?? throw new InvalidOperationException("this one plays a schedule");

    /// <summary>Starts a server.</summary>
    public static KnownServer Start(int parallelism, TimeSpan service)
    {
        var work = new KnownWork(parallelism, service);
        return Start(work.TryDo, work);
    }

    /// <summary>Starts a server that plays a schedule, including stalls.</summary>
    public static KnownServer Start(KnownSchedule schedule) => Start(new KnownClock(schedule).TryServe, null);

    private static KnownServer Start(Func<Task?> tryDo, KnownWork? work)
    {
        var router = new RpcRouter(new RpcRouterOptions());
        router.MapUnary("/cache_client.Ping/Ping", (_, _, _) => ValueTask.CompletedTask);
        router.MapUnary("/cache_client.Scs/Get", (_, response, call) => AnswerAsync(tryDo, s_hit, response, call));
        router.MapUnary("/cache_client.Scs/Set", (_, response, call) => AnswerAsync(tryDo, s_stored, response, call));
        return new KnownServer(RpcServer.Start(router, new RpcServerOptions()), work);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _work?.Dispose();
        await _server.DisposeAsync().ConfigureAwait(false);
    }

    private static async ValueTask AnswerAsync(Func<Task?> tryDo, byte[] answer, IBufferWriter<byte> response, RpcContext call)
    {
        if (tryDo() is not { } done)
        {
            call.Fail(new Status(StatusCode.ResourceExhausted, $"more than {KnownWork.MostWaiting} calls wait"));
            return;
        }

        await done.ConfigureAwait(false);
        response.Write(answer);
    }
}
