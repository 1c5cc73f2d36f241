using Larder.Server.Metrics;
using Larder.Wire;

namespace Larder.Server;

/// <summary>Counts every rpc as the wire begins and ends it.</summary>
internal sealed class RpcObserver(ServerMetrics metrics) : IRpcObserver
{
    public void OnStreamOpened() => metrics.StreamOpened();

    public void OnStreamClosed() => metrics.StreamClosed();

    public void OnStarted(RpcContext call)
    {
        // Counted when it has ended.
    }

    public void OnCompleted(RpcContext call, StatusCode status, TimeSpan elapsed) => metrics.ForPath(call.Path)?.Record(status, elapsed);

    public void OnConnectionOpened() => metrics.ConnectionOpened();

    public void OnConnectionRefused() => metrics.ConnectionRefused();

    public void OnHandshakeFailed() => metrics.HandshakeFailed();

    public void OnConnectionClosed() => metrics.ConnectionClosed();
}
