using Larder.Server.Metrics;
using Larder.Server.Security;
using Larder.Wire;

namespace Larder.Server;

/// <summary>Records the start and the end of every call in the metrics.</summary>
internal sealed class RpcObserver(ServerMetrics metrics, Authenticator authenticator) : IRpcObserver
{
    public void OnStreamOpened() => metrics.StreamOpened();

    public void OnStreamClosed() => metrics.StreamClosed();

    /// <summary>Identifies the client of a connection from the connection's first call. The call itself is counted when it ends.</summary>
    public void OnStarted(RpcContext call) => call.ConnectionTag ??= metrics.Clients.Open(call.RequestHeaders);

    public void OnCompleted(RpcContext call, StatusCode status, TimeSpan elapsed)
    {
        if (metrics.ForPath(call.Path) is { } meter)
        {
            meter.Record(status, elapsed);
            meter.Moved(call.ReceivedBytes, call.WrittenBytes);
        }

        if (status == StatusCode.PermissionDenied)
        {
            authenticator.Denied(call);
        }
    }

    public void OnConnectionOpened() => metrics.ConnectionOpened();

    public void OnConnectionRefused() => metrics.ConnectionRefused();

    public void OnHandshakeFailed() => metrics.HandshakeFailed();

    public void OnConnectionClosed(object? tag)
    {
        metrics.Clients.Close(tag);
        metrics.ConnectionClosed();
    }
}
