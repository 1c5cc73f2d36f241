using System.Buffers;
using Larder.Wire;

namespace Larder.Lab.Known;

/// <summary>
/// A server of gets and sets over unary gRPC, on a free port of this machine, whose service time and parallelism are known (<see cref="KnownWork"/>):
/// what a tuner finds against it can be compared with what is computed. It stores nothing: a get finds a value of 100 bytes.
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

    /// <summary><c>host:port</c>.</summary>
    public string Endpoint { get; }

    /// <summary>What its calls wait for.</summary>
    /// <exception cref="InvalidOperationException">They wait for something else.</exception>
    public KnownWork Work => _work ?? throw new InvalidOperationException("this one plays a schedule");

    /// <summary>Starts one.</summary>
    public static KnownServer Start(int parallelism, TimeSpan service)
    {
        var work = new KnownWork(parallelism, service);
        return Start(work.TryDo, work);
    }

    /// <summary>Starts one that plays a schedule, stalls included.</summary>
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
