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
    /// <param name="elapsed">Since it arrived; of one whose answers are pushed (<see cref="PushStream"/>), until they began.</param>
    void OnCompleted(RpcContext call, StatusCode status, TimeSpan elapsed);

    /// <summary>A stream was opened; <see cref="OnStreamClosed"/> follows exactly once, however the stream or its connection ends.</summary>
    void OnStreamOpened()
    {
    }

    /// <summary>A stream is gone, and its handler has ended. Called under its connection's lock.</summary>
    void OnStreamClosed()
    {
    }

    /// <summary>A connection was accepted, its TLS handshake done.</summary>
    void OnConnectionOpened()
    {
    }

    /// <summary>A connection was closed because all slots are taken: the new one, or an unauthenticated one whose slot the new one takes.</summary>
    void OnConnectionRefused()
    {
    }

    /// <summary>A connection ended before its first byte of HTTP/2: its TLS handshake failed, or took too long.</summary>
    void OnHandshakeFailed()
    {
    }

    /// <summary>A connection ended, and its place is free.</summary>
    /// <param name="tag">What one of its calls left as <see cref="RpcContext.ConnectionTag"/>; null where none did.</param>
    void OnConnectionClosed(object? tag)
    {
    }
}
