namespace Larder.Wire;

/// <summary>Observes the start and end of calls and connections. Its methods run as part of the call, so they must be fast and must not throw.</summary>
public interface IRpcObserver
{
    /// <summary>Handles the start of a call, when the call has arrived.</summary>
    /// <param name="call">The call. Its path may be unknown to the server.</param>
    void OnStarted(RpcContext call);

    /// <summary>Handles the end of a call. The status of the call is set, and its response has been passed to the connection.</summary>
    /// <param name="call">The call.</param>
    /// <param name="status">The status of the call.</param>
    /// <param name="elapsed">The time since the call arrived. For a call with a <see cref="PushStream"/>, the time until the first response.</param>
    void OnCompleted(RpcContext call, StatusCode status, TimeSpan elapsed);

    /// <summary>
    /// Handles the start of a stream. <see cref="OnStreamClosed"/> is called exactly once later, regardless of how the stream or its connection ends.
    /// </summary>
    void OnStreamOpened()
    {
    }

    /// <summary>Handles the end of a stream. The stream is closed, and its handler has ended. Called under the connection's lock.</summary>
    void OnStreamClosed()
    {
    }

    /// <summary>Handles the start of a connection. The connection was accepted, and its TLS handshake is complete.</summary>
    void OnConnectionOpened()
    {
    }

    /// <summary>
    /// Handles the closing of a connection because all slots are taken. The closed connection is either the new connection, or an unauthenticated connection
    /// whose slot the new connection takes.
    /// </summary>
    void OnConnectionRefused()
    {
    }

    /// <summary>Handles the end of a connection before its first HTTP/2 byte, because its TLS handshake failed or timed out.</summary>
    void OnHandshakeFailed()
    {
    }

    /// <summary>Handles the end of a connection. The slot of the connection is free.</summary>
    /// <param name="tag">The <see cref="RpcContext.ConnectionTag"/> that one of its calls set; null if no call set a tag.</param>
    void OnConnectionClosed(object? tag)
    {
    }
}
