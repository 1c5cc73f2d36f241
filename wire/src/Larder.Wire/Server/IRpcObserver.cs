namespace Larder.Wire;

/// <summary>Observes the start and end of calls and connections. Its methods run as part of the call, so they must be fast and must not throw.</summary>
public interface IRpcObserver
{
    /// <summary>Called when a call has arrived.</summary>
    /// <param name="call">The call. Its path may be unknown to the server.</param>
    void OnStarted(RpcContext call);

    /// <summary>Called when a call has ended: its status is set, and its response has been passed to the connection.</summary>
    /// <param name="call">The call.</param>
    /// <param name="status">The status of the call.</param>
    /// <param name="elapsed">The time since the call arrived. For a call with a <see cref="PushStream"/>, the time until the first response.</param>
    void OnCompleted(RpcContext call, StatusCode status, TimeSpan elapsed);

    /// <summary>Called when a stream was opened. <see cref="OnStreamClosed"/> follows exactly once, however the stream or its connection ends.</summary>
    void OnStreamOpened()
    {
    }

    /// <summary>Called when a stream is closed and its handler has ended. Called under the connection's lock.</summary>
    void OnStreamClosed()
    {
    }

    /// <summary>Called when a connection was accepted and its TLS handshake is complete.</summary>
    void OnConnectionOpened()
    {
    }

    /// <summary>
    /// Called when a connection is closed because all slots are taken: either the new connection, or an unauthenticated one whose slot the new one
    /// takes.
    /// </summary>
    void OnConnectionRefused()
    {
    }

    /// <summary>Called when a connection ended before its first HTTP/2 byte: its TLS handshake failed or timed out.</summary>
    void OnHandshakeFailed()
    {
    }

    /// <summary>Called when a connection has ended and its slot is free.</summary>
    /// <param name="tag">The <see cref="RpcContext.ConnectionTag"/> that one of its calls set; null if none did.</param>
    void OnConnectionClosed(object? tag)
    {
    }
}
