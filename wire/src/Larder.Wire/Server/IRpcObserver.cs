namespace Larder.Wire;

/// <summary>Sees each call begin and end, on the path of the call itself: it must be quick and must not throw.</summary>
public interface IRpcObserver
{
    /// <summary>A call arrived.</summary>
    /// <param name="call">The call; its path may be one that the server does not have.</param>
    void OnStarted(RpcContext call);

    /// <summary>A call ended: its status is decided, and its answer is with the connection.</summary>
    /// <param name="call">The call.</param>
    /// <param name="status">How it ended.</param>
    /// <param name="elapsed">Since it arrived.</param>
    void OnCompleted(RpcContext call, StatusCode status, TimeSpan elapsed);

    /// <summary>A connection was accepted, its TLS handshake done.</summary>
    void OnConnectionOpened()
    {
    }

    /// <summary>A connection ended.</summary>
    void OnConnectionClosed()
    {
    }
}
