using System.Buffers;
using Larder.Wire;

namespace Larder.Lab.Known;

/// <summary>
/// A server for gets and sets over unary gRPC on a free port of this machine. Its service time and parallelism are known (<see cref="AnalyticWork"/>), so the
/// results of a tuner can be compared with computed values. It stores nothing. Every get returns a value of 100 bytes.
/// </summary>
internal sealed class AnalyticServer : IAsyncDisposable
{
    // The encoded messages GetResponse {result: Hit, value: 100 × 'x'} and SetResponse {result: Ok} (protocol/proto/cache.proto).
    private static readonly byte[] s_hit = [0x08, 2, 0x12, 100, .. Enumerable.Repeat((byte)'x', 100)];
    private static readonly byte[] s_stored = [0x08, 1];

    private readonly RpcServer _server;
    private readonly AnalyticWork? _work;

    private AnalyticServer(RpcServer server, AnalyticWork? work)
    {
        (_server, _work) = (server, work);
        Endpoint = server.Endpoint.ToString();
    }

    /// <summary>Gets the address, as <c>host:port</c>.</summary>
    public string Endpoint { get; }

    /// <summary>Gets the simulated work of the server's calls, for example to slow it down.</summary>
    /// <exception cref="InvalidOperationException">The server runs a schedule instead.</exception>
    public AnalyticWork Work => _work ?? throw new InvalidOperationException("This server simulates a schedule and has no work queue.");

    /// <summary>Starts a server.</summary>
    public static AnalyticServer Start(int parallelism, TimeSpan service)
    {
        var work = new AnalyticWork(parallelism, service);
        return Start(work.TryDo, work);
    }

    /// <summary>Starts a server that runs a schedule, which may include stalls.</summary>
    public static AnalyticServer Start(AnalyticSchedule schedule) => Start(new AnalyticClock(schedule).TryServe, null);

    private static AnalyticServer Start(Func<Task?> tryDo, AnalyticWork? work)
    {
        var router = new RpcRouter(new RpcRouterOptions());
        router.MapUnary("/cache_client.Ping/Ping", (_, _, _) => ValueTask.CompletedTask);
        router.MapUnary("/cache_client.Scs/Get", (_, response, call) => AnswerAsync(tryDo, s_hit, response, call));
        router.MapUnary("/cache_client.Scs/Set", (_, response, call) => AnswerAsync(tryDo, s_stored, response, call));
        return new AnalyticServer(RpcServer.Start(router, new RpcServerOptions()), work);
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
            call.Fail(new Status(StatusCode.ResourceExhausted, $"more than {AnalyticWork.MaxWaiting} calls are waiting"));
            return;
        }

        await done.ConfigureAwait(false);
        response.Write(answer);
    }
}
